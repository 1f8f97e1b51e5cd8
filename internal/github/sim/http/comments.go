package simhttp

import (
	"net/http"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// thread returns the issue or pull request in the path, or 410 for a deleted one.
func (c named) thread() (*model.Issue, error) {
	n, err := c.number("issue_number")
	if err != nil {
		return nil, err
	}
	is := c.repo.Issues[int(n)]
	switch {
	case is == nil:
		return nil, notFound()
	case is.TransferredTo != nil:
		return nil, c.issueTransferred(is)
	case is.Gone:
		return nil, model.Refuse(http.StatusGone, "This issue was deleted")
	case is.Pull == nil && c.repo.NoIssues:
		return nil, model.Refuse(http.StatusGone, "Issues are disabled for this repo")
	}
	return is, nil
}

// comment returns the issue comment in the path, of the repository in the path.
func (c named) comment() (*model.Comment, error) {
	id, err := c.number("comment_id")
	if err != nil {
		return nil, err
	}
	if co := c.State.Comments[id]; co != nil && co.Issue.Repo == c.repo && !co.Issue.Gone {
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
	o["closed_by"] = c.userJSON(is.ClosedBy)
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
	list := slices.DeleteFunc(slices.Clone(is.Comments), func(co *model.Comment) bool { return co.Updated.Before(since) })
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
		return t, model.Unprocessable("Invalid request.\n\n%q is not a valid date-time for %s.", text, name)
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
		return "", model.NotSupplied("body")
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
	if err := sim.CheckNewComment(is, c.sender(), body); err != nil {
		return nil, err
	}
	return created(c.commentJSON(c.AddComment(is, c.sender(), body)))
}

func updateComment(c *call) (*answer, error) {
	co, err := c.comment()
	if err != nil {
		return nil, err
	}
	if co.User != c.sender() { // what an App may do to others' comments is not documented, so it may not
		return nil, notAccessible()
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := sim.CheckText("IssueComment", body); err != nil {
		return nil, err
	}
	c.RewriteComment(co, c.sender(), body)
	return ok(c.commentJSON(co))
}

func deleteComment(c *call) (*answer, error) {
	co, err := c.comment()
	if err != nil {
		return nil, err
	}
	if co.User != c.sender() {
		return nil, notAccessible()
	}
	c.DropComment(co, c.sender())
	return noContent()
}
