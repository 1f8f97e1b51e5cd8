package main

import (
	"encoding/json"
	"fmt"

	"github.com/tenon-bot/tenon/internal/gitrepo/workspace"
)

// eventOrigin is where the pull request of an event comes from.
type eventOrigin struct {
	// pull is true for an event whose payload has a pull request, which does not apply to comments in its conversation.
	pull bool
	// fork is true if its head is in another repository.
	fork bool
	head workspace.Head
}

// originOf reads where the pull request of an event comes from.
func originOf(payload []byte) eventOrigin {
	var p struct {
		Repository struct {
			ID int64 `json:"id"`
		} `json:"repository"`
		PullRequest *struct {
			Head struct {
				SHA  string `json:"sha"`
				Repo *struct {
					ID       int64  `json:"id"`
					FullName string `json:"full_name"`
				} `json:"repo"`
			} `json:"head"`
		} `json:"pull_request"`
	}
	if json.Unmarshal(payload, &p) != nil || p.PullRequest == nil {
		return eventOrigin{} // whoever decodes it says what is wrong
	}
	head := p.PullRequest.Head
	o := eventOrigin{pull: true, fork: true, head: workspace.Head{SHA: head.SHA}}
	if head.Repo != nil {
		o.head.Repo, o.fork = head.Repo.FullName, head.Repo.ID != p.Repository.ID
	}
	return o
}

// targetEvent is the event by which a workflow of the base branch runs for a pull request, with its secrets and a token
// that can write, whoever opened it.
const targetEvent = "pull_request_target"

// dangerous returns why the job must not go on, "" if it may.
func (j *jobRun) dangerous(from eventOrigin) string {
	if j.job.Event != targetEvent || !from.fork || j.job.Workspace == "" {
		return ""
	}
	path, found, err := workspace.FindCheckout(j.job.Workspace, from.head)
	switch {
	case err != nil:
		return fmt.Sprintf("Refused: whether the code of a fork is checked out could not be found out (%v), and "+
			"%s gives its job a token that can write.", err, targetEvent)
	case found:
		return fmt.Sprintf("Refused: the job of %s has checked out the code of a fork (%s). Such a job has your secrets and "+
			"a token that can write, and any step that builds, tests or installs that code hands them to whoever wrote it. "+
			"tenon needs no checkout: remove that step from the job, or put it into a workflow of pull_request.",
			targetEvent, path)
	}
	return ""
}
