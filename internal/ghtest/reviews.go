package ghtest

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// review is a review of a pull request.
type review struct {
	id, order int64 // order is that among all that is said
	issue     *issue
	user      *user
	body      string
	state     string // "PENDING" until it is submitted, then one of reviewStates
	commit    string
	submitted time.Time
	pending   []*reviewComment // its comments until then
	reactions []*reaction
}

const reviewPending = "PENDING"

// reviewStates are the states of a review by its event.
var reviewStates = map[string]string{"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED",
	"COMMENT": "COMMENTED"}

// newReview is a review to create. Without an event it is pending.
type newReview struct {
	CommitID string             `json:"commit_id"`
	Body     string             `json:"body"`
	Event    string             `json:"event"`
	Comments []newReviewComment `json:"comments"`
}

// draftReview returns a pending review, or an error if one of its comments has no valid place.
func (s *Server) draftReview(is *issue, by *user, in newReview) (*review, error) {
	if in.CommitID == "" { // "Defaults to the most recent commit in the pull request when you do not specify a value."
		in.CommitID = is.pull.headSHA
	}
	switch {
	case is.lockedFor(by):
		return nil, refuse(http.StatusForbidden, "Unable to create review because issue is locked.")
	case !s.inPull(is, in.CommitID):
		return nil, reviewRefused("commit_id is not part of the pull request")
	case is.pull.pendingOf(by) != nil:
		return nil, reviewRefused(onePending)
	}
	rv := &review{issue: is, user: by, body: in.Body, state: reviewPending, commit: in.CommitID}
	for _, note := range in.Comments {
		note.CommitID = &in.CommitID
		rc, err := s.placeReviewComment(is, by, note)
		if err != nil {
			return nil, asSentence(err)
		}
		rv.pending = append(rv.pending, rc)
	}
	return rv, rv.check(in.Event, in.Body)
}

const onePending = "User can only have one pending review per pull request"

// pendingOf returns a user's pending review, or nil.
func (p *pull) pendingOf(u *user) *review {
	for _, rv := range p.reviews {
		if rv.user == u && rv.state == reviewPending {
			return rv
		}
	}
	return nil
}

// check: "body: Required when using REQUEST_CHANGES or COMMENT for the event parameter."
func (rv *review) check(event, body string) error {
	own := rv.issue.user == rv.user
	switch {
	case event != "" && reviewStates[event] == "":
		return reviewRefused("Variable $event of type PullRequestReviewEvent was provided invalid value")
	case utf8.RuneCountInString(body) > maxText:
		return reviewRefused("Body is too long (maximum is 65536 characters)")
	case event == "APPROVE" && own:
		return reviewRefused("Can not approve your own pull request")
	case event == "REQUEST_CHANGES" && own:
		return reviewRefused("Can not request changes on your own pull request")
	case event == "COMMENT" && isBlank(body):
		return reviewRefused("Could not comment pull request review.")
	case event == "REQUEST_CHANGES" && isBlank(body):
		return reviewRefused("Could not request changes for pull request review.")
	}
	return nil
}

// reviewRefused returns the 422 of reviews, whose errors are strings.
func reviewRefused(why string) *apiError {
	return &apiError{status: http.StatusUnprocessableEntity, message: "Unprocessable Entity", errors: []any{why}}
}

// asSentence returns the error of a comment in the form of a review's.
func asSentence(err error) error {
	var e *apiError
	if !errors.As(err, &e) || len(e.errors) == 0 {
		return err
	}
	entry, _ := e.errors[0].(object)
	if text, has := entry["message"].(string); has {
		return reviewRefused(text)
	}
	return reviewRefused(fmt.Sprintf("%v is %v", entry["field"], entry["code"]))
}

// addReview adds a pending review, with ids for it and its comments.
func (s *Server) addReview(rv *review) *review {
	rv.id, rv.order = s.state.id("review"), s.state.id("order")
	s.state.reviews[rv.id] = rv
	rv.issue.pull.reviews = append(rv.issue.pull.reviews, rv)
	for _, rc := range rv.pending {
		now := s.now()
		rc.id, rc.review, rc.user, rc.viaApp, rc.created, rc.updated = s.state.id("review comment"), rv.id, rv.user,
			rv.user == s.app.bot, now, now
	}
	return rv
}

// submit submits a review. It emits an event for each comment and one for the review, also for a review of one comment.
func (s *Server) submit(rv *review, state string) {
	now, p := s.now(), rv.issue.pull
	rv.state, rv.submitted, rv.issue.updated = state, now, now
	notes := rv.pending
	rv.pending = nil
	for _, rc := range notes {
		rc.created, rc.updated, rc.order = now, now, s.state.id("order")
		p.comments = append(p.comments, rc)
		s.state.reviewComments[rc.id] = rc
	}
	s.emitReview("submitted", rv, rv.user, nil)
	for _, rc := range notes {
		s.emitReviewComment("created", rc, rv.user, nil)
	}
}

// reviewJSON returns "pull-request-review".
func (s *Server) reviewJSON(rv *review) object {
	html := fmt.Sprintf("%s#pullrequestreview-%d", s.threadHTML(rv.issue), rv.id)
	o := object{"id": rv.id, "node_id": nodeID("PRR", rv.id), "user": s.userJSON(rv.user), "body": rv.body,
		"state":    rv.state,
		"html_url": html, "pull_request_url": s.pullURL(rv.issue), "commit_id": rv.commit,
		"author_association": rv.issue.repo.association(rv.user),
		"_links":             object{"html": href(html), "pull_request": href(s.pullURL(rv.issue))}}
	if rv.state != reviewPending { // "pending reviews do not include the submitted_at property"
		o["submitted_at"] = stamp(rv.submitted)
	}
	return o
}

// emitReview emits an event of a review. In payloads, the state is in lower case, and an empty body is null.
func (s *Server) emitReview(action string, rv *review, by *user, changes object) {
	if !s.delivers("pull_request_review", action, rv.issue.repo) {
		return
	}
	o := s.reviewJSON(rv)
	o["state"], o["body"] = strings.ToLower(rv.state), stringOrNull(rv.body)
	p := object{"review": o, "pull_request": s.pullJSON(rv.issue, true)}
	s.emitWith("pull_request_review", action, rv.issue.repo, rv.id, by, p, changes)
}
