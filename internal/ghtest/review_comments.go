package ghtest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"
)

// reviewComment is a comment on the diff of a pull request.
type reviewComment struct {
	id, review       int64
	order            int64 // among all that is said
	issue            *issue
	user             *user
	viaApp           bool
	body             string
	replyTo          int64 // the thread's first comment, 0 for the first itself
	thread           *reviewThread
	path, hunk       string
	commit, original string // the commit that line counts in, and the one that originalLine does
	side, startSide  string
	line, start      int // 0 when outdated, or for a whole file
	originalLine     int
	originalStart    int
	wholeFile        bool
	created, updated time.Time
	reactions        []*reaction
}

// newReviewComment is a review comment to create.
type newReviewComment struct {
	Body        *string `json:"body"`
	CommitID    *string `json:"commit_id"`
	Path        *string `json:"path"`
	Line        *int    `json:"line"`
	Side        string  `json:"side"`
	StartLine   *int    `json:"start_line"`
	StartSide   string  `json:"start_side"`
	Position    *int    `json:"position"`
	InReplyTo   *int64  `json:"in_reply_to"`
	SubjectType string  `json:"subject_type"`
}

const noteResource = "PullRequestReviewComment"

func (s *Server) reviewCommentURL(rc *reviewComment) string {
	return fmt.Sprintf("%s/pulls/comments/%d", s.apiRepoURL(rc.issue.repo), rc.id)
}

func (s *Server) reviewCommentJSON(rc *reviewComment) object {
	api := s.reviewCommentURL(rc)
	html := fmt.Sprintf("%s#discussion_r%d", s.threadHTML(rc.issue), rc.id)
	o := object{
		"id": rc.id, "node_id": nodeID("PRRC", rc.id), "url": api, "pull_request_review_id": rc.review, "diff_hunk": rc.hunk,
		"path": rc.path, "commit_id": rc.commit, "original_commit_id": rc.original, "user": s.userJSON(rc.user),
		"body": rc.body, "created_at": stamp(rc.created), "updated_at": stamp(rc.updated), "html_url": html,
		"pull_request_url": s.pullURL(rc.issue), "author_association": rc.issue.repo.association(rc.user),
		"_links":    object{"self": href(api), "html": href(html), "pull_request": href(s.pullURL(rc.issue))},
		"reactions": s.rollup(rc.reactions, api), "subject_type": "line", "line": orNull(rc.line),
		"original_line": orNull(rc.originalLine), "start_line": orNull(rc.start),
		"original_start_line": orNull(rc.originalStart),
		"side":                rc.side, "start_side": stringOrNull(rc.startSide), "position": orNull(rc.position()),
		"original_position": max(rc.position(), 1),
	}
	if rc.wholeFile {
		o["subject_type"] = "file"
	}
	if rc.replyTo != 0 {
		o["in_reply_to_id"] = rc.replyTo
	}
	return o
}

// position returns the line's position in the comment's hunk, or 0 if the comment is outdated.
func (rc *reviewComment) position() int {
	if rc.line == 0 {
		return 0
	}
	n := 0
	for _, c := range rc.hunk {
		if c == '\n' {
			n++
		}
	}
	return n
}

func orNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func (c *call) reviewComment() (*reviewComment, error) {
	id, err := c.number("comment_id")
	if err != nil {
		return nil, err
	}
	if rc := c.state.reviewComments[id]; rc != nil && rc.issue.repo == c.repo {
		return rc, nil
	}
	return nil, notFound()
}

func getReviewComment(c *call) (*answer, error) {
	rc, err := c.reviewComment()
	if err != nil {
		return nil, err
	}
	return ok(c.reviewCommentJSON(rc))
}

// listReviewComments: "By default, review comments are in ascending order by ID."
func listReviewComments(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(is.pull.comments),
		func(rc *reviewComment) bool { return rc.updated.Before(since) })
	if sort := c.query.Get("sort"); sort == "created" || sort == "updated" {
		slices.SortStableFunc(list, func(a, b *reviewComment) int {
			if sort == "updated" {
				return cmp.Or(a.updated.Compare(b.updated), cmp.Compare(a.id, b.id))
			}
			return cmp.Or(a.created.Compare(b.created), cmp.Compare(a.id, b.id))
		})
		if c.query.Get("direction") != "asc" { // "Can be asc or desc. Ignored without sort."
			slices.Reverse(list)
		}
	}
	return paged(c, list, c.reviewCommentJSON)
}

func createReviewComment(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	var in newReviewComment
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.InReplyTo != nil { // "When specified, all parameters other than body in the request body are ignored."
		return c.reply(is, *in.InReplyTo, in.Body)
	}
	rc, err := c.placeReviewComment(is, c.sender(), in)
	if err != nil {
		return nil, err
	}
	return created(c.reviewCommentJSON(c.addReviewComment(rc, c.sender())))
}

func createReply(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	id, err := c.number("comment_id")
	if err != nil {
		return nil, err
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	return c.reply(is, id, &body)
}

// reply: "The ID of the review comment to reply to. This must be the ID of a top-level review comment, not a reply to
// that comment. Replies to replies are not supported."
func (c *call) reply(is *issue, to int64, body *string) (*answer, error) {
	first := c.state.reviewComments[to]
	if first == nil || first.issue != is || first.replyTo != 0 {
		return nil, notFound()
	}
	if body == nil {
		return nil, notSupplied("body")
	}
	if err := checkReviewComment(is, c.sender(), *body); err != nil {
		return nil, err
	}
	return created(c.reviewCommentJSON(c.addReviewComment(first.replyWith(*body), c.sender())))
}

func (rc *reviewComment) replyWith(body string) *reviewComment {
	reply := *rc
	reply.body, reply.replyTo, reply.reactions = body, rc.id, nil
	return &reply
}

func checkReviewComment(is *issue, by *user, body string) error {
	switch {
	case is.lockedFor(by):
		return refuse(http.StatusForbidden, "Unable to create comment because issue is locked.")
	case is.pull.pendingOf(by) != nil:
		return invalid(noteResource, "pull_request_review", "custom", onePending)
	case isBlank(body):
		return invalid(noteResource, "body", "missing_field", "")
	case utf8.RuneCountInString(body) > maxText:
		return invalid(noteResource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// addReviewComment adds a comment with an id and an author, in a new review, as GitHub does.
func (s *Server) addReviewComment(rc *reviewComment, by *user) *reviewComment {
	s.submit(s.addReview(&review{issue: rc.issue, user: by, commit: rc.commit, pending: []*reviewComment{rc}}),
		reviewStates["COMMENT"])
	return rc
}

func updateReviewComment(c *call) (*answer, error) {
	rc, err := c.reviewComment()
	if err != nil {
		return nil, err
	}
	if rc.user != c.sender() {
		return nil, notAccessible()
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := checkText(noteResource, body); err != nil {
		return nil, err
	}
	from := rc.body
	rc.body, rc.updated = body, c.now()
	c.emitReviewComment("edited", rc, c.sender(), object{"body": object{"from": from}})
	return ok(c.reviewCommentJSON(rc))
}

func deleteReviewComment(c *call) (*answer, error) {
	rc, err := c.reviewComment()
	if err != nil {
		return nil, err
	}
	if rc.user != c.sender() {
		return nil, notAccessible()
	}
	c.dropReviewComment(rc, c.sender())
	return noContent()
}

func (s *Server) dropReviewComment(rc *reviewComment, by *user) {
	delete(s.state.reviewComments, rc.id)
	p := rc.issue.pull
	p.comments = slices.DeleteFunc(p.comments, func(o *reviewComment) bool { return o == rc })
	s.emitReviewComment("deleted", rc, by, nil)
}
