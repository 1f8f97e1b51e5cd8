package simhttp

import (
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// emitInstallation emits an event of an installation: created, deleted, suspend, unsuspend.
func (s payloads) EmitInstallation(action string, in *model.Installation) {
	p := model.Object{"installation": s.installationJSON(in), "repositories": s.briefly(s.Covered(in)), "requester": nil}
	s.deliver("installation", action, in, 0, in.ID, s.AdminOf(in.Account), p)
}

// emitCoverage emits the repositories that were added to and removed from an installation.
func (s payloads) EmitCoverage(in *model.Installation, before []*model.Repository) {
	after := s.Covered(in)
	without := func(list, other []*model.Repository) []*model.Repository {
		return slices.DeleteFunc(slices.Clone(list), func(r *model.Repository) bool { return slices.Contains(other, r) })
	}
	for action, changed := range map[string][]*model.Repository{"added": without(after, before),
		"removed": without(before, after)} {
		if len(changed) == 0 {
			continue
		}
		o := s.installationJSON(in)
		p := model.Object{"installation": o, "repository_selection": o["repository_selection"], "requester": nil,
			"repositories_added": []model.Object{}, "repositories_removed": []model.Object{}}
		p["repositories_"+action] = s.briefly(changed)
		s.deliver("installation_repositories", action, in, 0, in.ID, s.AdminOf(in.Account), p)
	}
}

func (s forms) briefly(repos []*model.Repository) []model.Object {
	list := []model.Object{}
	for _, r := range repos {
		list = append(list, model.Object{"id": r.ID, "node_id": sim.NodeID("R", r.ID), "name": r.Name,
			"full_name": r.FullName(),
			"private":   !r.Public})
	}
	return list
}
