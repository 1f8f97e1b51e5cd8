package ghtest

import (
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// maxText is GitHub's limit for the body of a comment, review, issue or pull request, in characters.
const maxText = 65536

// thread returns the issue or pull request in the path, or 410 for a deleted one.
func (c *call) thread() (*issue, error) {
	n, err := c.number("issue_number")
	if err != nil {
		return nil, err
	}
	is := c.repo.issues[int(n)]
	switch {
	case is == nil:
		return nil, notFound()
	case is.transferredTo != nil:
		return nil, c.issueTransferred(is)
	case is.gone:
		return nil, refuse(http.StatusGone, "This issue was deleted")
	case is.pull == nil && c.repo.noIssues:
		return nil, refuse(http.StatusGone, "Issues are disabled for this repo")
	}
	return is, nil
}

// comment returns the issue comment in the path, of the repository in the path.
func (c *call) comment() (*comment, error) {
	id, err := c.number("comment_id")
	if err != nil {
		return nil, err
	}
	if co := c.state.comments[id]; co != nil && co.issue.repo == c.repo && !co.issue.gone {
		return co, nil
	}
	return nil, notFound()
}

func getIssue(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	o := c.issueJSON(is)
	o["closed_by"] = c.userJSON(is.closedBy)
	return ok(o)
}

func getComment(c *call) (*answer, error) {
	co, err := c.comment()
	if err != nil {
		return nil, err
	}
	return ok(c.commentJSON(co))
}

// listComments: "Issue comments are ordered by ascending ID." since is compared with the time of the last update.
func listComments(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(is.comments), func(co *comment) bool { return co.updated.Before(since) })
	return paged(c, list, c.commentJSON)
}

func (c *call) since() (time.Time, error) { return c.time("since") }

// time returns a time in the query, or the zero time.
func (c *call) time(name string) (time.Time, error) {
	text := c.query.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, unprocessable("Invalid request.\n\n%q is not a valid date-time for %s.", text, name)
	}
	return t, nil
}

// bodyOf returns the body in {"body": …}.
func (c *call) bodyOf() (string, error) {
	var in struct {
		Body *string `json:"body"`
	}
	if err := c.decode(&in); err != nil {
		return "", err
	}
	if in.Body == nil {
		return "", notSupplied("body")
	}
	return *in.Body, nil
}

func createComment(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := checkNewComment(is, c.sender(), body); err != nil {
		return nil, err
	}
	return created(c.commentJSON(c.addComment(is, c.sender(), body)))
}

// checkNewComment checks the rules for new comments.
func checkNewComment(is *issue, by *user, body string) error {
	switch {
	case is.lockedFor(by):
		return refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	case isBlank(body):
		return invalid("IssueComment", "data", "unprocessable", "Body cannot be blank")
	case utf8.RuneCountInString(body) > maxText:
		return invalid("IssueComment", "data", "unprocessable", "Body is too long (maximum is 65536 characters)")
	}
	return nil
}

// lockedFor reports whether a user cannot comment in a locked conversation: "only people with write access can add
// comments". It is not documented whether an App's write permission counts; here it does not.
func (is *issue) lockedFor(u *user) bool { return is.locked && !is.repo.roleOf(u).atLeast(RoleWrite) }

func (s *Server) addComment(is *issue, by *user, body string) *comment {
	return s.addCommentVia(is, by, "", body)
}

// addCommentVia is addComment for what another App writes on behalf of a user; "" is none.
func (s *Server) addCommentVia(is *issue, by *user, app, body string) *comment {
	now := s.now()
	co := &comment{id: s.state.id("comment"), order: s.state.id("order"), issue: is, user: by, viaApp: by == s.app.bot,
		otherApp: orElse(app, s.appOf(by)), body: body,
		created: now, updated: now}
	is.comments, is.updated = append(is.comments, co), now
	s.state.comments[co.id] = co
	s.emitComment("created", co, by, nil)
	return co
}

func updateComment(c *call) (*answer, error) {
	co, err := c.comment()
	if err != nil {
		return nil, err
	}
	if co.user != c.sender() { // what an App may do to others' comments is not documented, so it may not
		return nil, notAccessible()
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := checkText("IssueComment", body); err != nil {
		return nil, err
	}
	c.editComment(co, c.sender(), body)
	return ok(c.commentJSON(co))
}

// checkText checks the rules for an edited text.
func checkText(resource, body string) error {
	switch {
	case isBlank(body):
		return invalid(resource, "body", "custom", "body cannot be blank")
	case utf8.RuneCountInString(body) > maxText:
		return invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

func (s *Server) editComment(co *comment, by *user, body string) {
	from := co.body
	co.body, co.updated = body, s.now()
	s.emitComment("edited", co, by, object{"body": object{"from": from}})
}

func deleteComment(c *call) (*answer, error) {
	co, err := c.comment()
	if err != nil {
		return nil, err
	}
	if co.user != c.sender() {
		return nil, notAccessible()
	}
	c.dropComment(co, c.sender())
	return noContent()
}

func (s *Server) dropComment(co *comment, by *user) {
	delete(s.state.comments, co.id)
	co.issue.comments = slices.DeleteFunc(co.issue.comments, func(o *comment) bool { return o == co })
	s.emitComment("deleted", co, by, nil)
}
