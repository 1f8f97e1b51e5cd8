package ghtest

import (
	"fmt"
	"net/http"
	"slices"
)

// statusesOf returns the statuses of a commit, newest first.
func (s *Server) statusesOf(r *repository, sha string) []*commitStatus {
	list := []*commitStatus{}
	for _, st := range slices.Backward(s.state.ci.statuses) {
		if st.repo == r && st.sha == sha {
			list = append(list, st)
		}
	}
	return list
}

// currentStatuses returns the newest status of each context of a commit, newest first.
func (s *Server) currentStatuses(r *repository, sha string) []*commitStatus {
	seen := map[string]bool{}
	return slices.DeleteFunc(s.statusesOf(r, sha), func(st *commitStatus) bool {
		old := seen[st.context]
		seen[st.context] = true
		return old
	})
}

// combined returns the state of all: "failure if any of the contexts report as error or failure; pending if there are
// no statuses or a context is pending; success if the latest status for all contexts is success".
func combined(statuses []*commitStatus) string {
	state := "pending"
	for i, st := range statuses {
		switch {
		case st.state == "error" || st.state == "failure":
			return "failure"
		case i == 0 || st.state == "pending":
			state = st.state
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
	all := c.currentStatuses(c.repo, sha)
	page, header := cut(c, all)
	list := make([]object, len(page))
	for i, st := range page {
		list[i] = c.statusJSON(st)
		delete(list[i], "creator")
	}
	api := c.repoURL() + "/commits/" + sha
	return &answer{status: http.StatusOK, header: header, body: object{"state": combined(all), "sha": sha,
		"total_count": len(all), "statuses": list, "repository": c.repoJSON(c.repo), "commit_url": api,
		"url": api + "/status"}}, nil
}

func listStatuses(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, notFound()
	}
	return paged(c, c.statusesOf(c.repo, sha), c.statusJSON)
}

// statusJSON returns "status".
func (s *Server) statusJSON(st *commitStatus) object {
	return object{"id": st.id, "node_id": nodeID("SC", st.id), "state": st.state, "context": st.context,
		"description": stringOrNull(st.description), "target_url": stringOrNull(st.target),
		"url":        s.apiRepoURL(st.repo) + "/statuses/" + st.sha,
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.base, st.creator.id), "created_at": stamp(st.created),
		"updated_at": stamp(st.created), "creator": s.userJSON(st.creator)}
}
