package simhttp

import (
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s payloads) EmitReviewThread(action string, rc *model.ReviewComment, by *model.User) {
	if !s.delivers("pull_request_review_thread", action, rc.Issue.Repo) {
		return
	}
	comments := []model.Object{}
	for _, c := range rc.Issue.Pull.Comments {
		if c.Thread == rc.Thread {
			comments = append(comments, s.reviewCommentJSON(c))
		}
	}
	p := model.Object{"pull_request": s.pullJSON(rc.Issue, true), "thread": model.Object{"node_id": sim.NodeID("PRRT",
		rc.Thread.ID),
		"comments": comments}}
	s.Emit("pull_request_review_thread", action, rc.Issue.Repo, rc.Thread.ID, by, p)
}
