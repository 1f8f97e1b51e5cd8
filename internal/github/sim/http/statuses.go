package simhttp

import (
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// combined returns the state of all: "failure if any of the contexts report as error or failure; pending if there are
// no statuses or a context is pending; success if the latest status for all contexts is success".
func combined(statuses []*entity.CommitStatus) string {
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
	list, header := cut(c, all, c.form.Status)
	for _, o := range list {
		delete(o, "creator")
	}
	api := c.repoURL() + "/commits/" + sha
	return &answer{status: http.StatusOK, header: header, body: entity.Object{"state": combined(all), "sha": sha,
		"total_count": len(all), "statuses": list, "repository": c.form.Repository(c.repo), "commit_url": api,
		"url": api + "/status"}}, nil
}

func listStatuses(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, notFound()
	}
	return paged(c, c.StatusesOf(c.repo, sha), c.form.Status)
}
