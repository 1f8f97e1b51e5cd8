package ghtest

import (
	"maps"
	"slices"
)

// The events of installations, which every App gets: "All GitHub Apps receive this event by default."

// emitInstallation emits an event of an installation: created, deleted, suspend, unsuspend.
func (s *Server) emitInstallation(action string, in *installation) {
	p := object{"installation": s.installationJSON(in), "repositories": s.briefly(s.covered(in)), "requester": nil}
	s.deliver("installation", action, in, 0, in.id, s.adminOf(in.account), p)
}

// emitCoverage emits the repositories that were added to and removed from an installation.
func (s *Server) emitCoverage(in *installation, before []*repository) {
	after := s.covered(in)
	without := func(list, other []*repository) []*repository {
		return slices.DeleteFunc(slices.Clone(list), func(r *repository) bool { return slices.Contains(other, r) })
	}
	for action, changed := range map[string][]*repository{"added": without(after, before),
		"removed": without(before, after)} {
		if len(changed) == 0 {
			continue
		}
		o := s.installationJSON(in)
		p := object{"installation": o, "repository_selection": o["repository_selection"], "requester": nil,
			"repositories_added": []object{}, "repositories_removed": []object{}}
		p["repositories_"+action] = s.briefly(changed)
		s.deliver("installation_repositories", action, in, 0, in.id, s.adminOf(in.account), p)
	}
}

// covered returns the repositories of an installation, oldest first.
func (s *Server) covered(in *installation) []*repository {
	var list []*repository
	for _, id := range slices.Sorted(maps.Keys(s.state.repos)) {
		if r := s.state.repos[id]; !r.deleted && in.covers(r) {
			list = append(list, r)
		}
	}
	return list
}

func (s *Server) briefly(repos []*repository) []object {
	list := []object{}
	for _, r := range repos {
		list = append(list, object{"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(),
			"private": !r.public})
	}
	return list
}

// adminOf returns an admin of an account, who acts where no other user is given.
func (s *Server) adminOf(account *user) *user {
	for _, login := range slices.Sorted(maps.Keys(account.owners)) {
		return s.state.users[login]
	}
	return account
}
