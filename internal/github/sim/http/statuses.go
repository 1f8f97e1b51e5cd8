package simhttp

import (
	"fmt"
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// combined returns the state of all: "failure if any of the contexts report as error or failure; pending if there are
// no statuses or a context is pending; success if the latest status for all contexts is success".
func combined(statuses []*model.CommitStatus) string {
	state := "pending"
	for i, st := range statuses {
		switch {
		case st.State == "error" || st.State == "failure":
			return "failure"
		case i == 0 || st.State == "pending":
			state = st.State
		}
	}
	return state
}

// combinedStatus responds with "combined-commit-status".
func combinedStatus(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, notFound()
	}
	all := c.CurrentStatuses(c.repo, sha)
	page, header := cut(c, all)
	list := make([]model.Object, len(page))
	for i, st := range page {
		list[i] = c.statusJSON(st)
		delete(list[i], "creator")
	}
	api := c.repoURL() + "/commits/" + sha
	return &answer{status: http.StatusOK, header: header, body: model.Object{"state": combined(all), "sha": sha,
		"total_count": len(all), "statuses": list, "repository": c.repoJSON(c.repo), "commit_url": api,
		"url": api + "/status"}}, nil
}

func listStatuses(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, notFound()
	}
	return paged(c, c.StatusesOf(c.repo, sha), c.statusJSON)
}

// statusJSON returns "status".
func (s checkForms) statusJSON(st *model.CommitStatus) model.Object {
	return model.Object{"id": st.ID, "node_id": sim.NodeID("SC", st.ID), "state": st.State, "context": st.Context,
		"description": stringOrNull(st.Description), "target_url": stringOrNull(st.Target),
		"url":        sim.Pages(s).APIRepoURL(st.Repo) + "/statuses/" + st.SHA,
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.Base, st.Creator.ID), "created_at": stamp(st.Created),
		"updated_at": stamp(st.Created), "creator": forms(s).userJSON(st.Creator)}
}
