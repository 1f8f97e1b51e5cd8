package simhttp

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// reviewJSON returns "pull-request-review".
func (s threadForms) reviewJSON(rv *model.Review) model.Object {
	html := fmt.Sprintf("%s#pullrequestreview-%d", sim.Pages(s).ThreadHTML(rv.Issue), rv.ID)
	o := model.Object{"id": rv.ID, "node_id": sim.NodeID("PRR", rv.ID), "user": forms(s).userJSON(rv.User),
		"body":     rv.Body,
		"state":    rv.State,
		"html_url": html, "pull_request_url": sim.Pages(s).PullURL(rv.Issue), "commit_id": rv.Commit,
		"author_association": rv.Issue.Repo.Association(rv.User),
		"_links":             model.Object{"html": href(html), "pull_request": href(sim.Pages(s).PullURL(rv.Issue))}}
	if rv.State != model.ReviewPending { // "pending reviews do not include the submitted_at property"
		o["submitted_at"] = stamp(rv.Submitted)
	}
	return o
}

// emitReview emits an event of a review. In payloads, the state is in lower case, and an empty body is null.
func (s payloads) EmitReview(action string, rv *model.Review, by *model.User, changes model.Object) {
	if !s.delivers("pull_request_review", action, rv.Issue.Repo) {
		return
	}
	o := s.reviewJSON(rv)
	o["state"], o["body"] = strings.ToLower(rv.State), stringOrNull(rv.Body)
	p := model.Object{"review": o, "pull_request": s.pullJSON(rv.Issue, true)}
	s.emitWith("pull_request_review", action, rv.Issue.Repo, rv.ID, by, p, changes)
}
