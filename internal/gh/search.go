package gh

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxCommentPages bounds the search for a comment: the newest thousand are searched.
const maxCommentPages = 10

// FindComment returns the newest comment of the App at a place that contains marker, among the newest thousand comments
// that were created since the given time (zero: at any time), but for those with one of the ids. A marker in a comment
// of somebody else does not count.
func (c *Client) FindComment(
	ctx context.Context, repo port.RepoRef, at port.Place, marker string, since time.Time, but ...int64,
) (port.Comment, bool, error) {
	if marker == "" {
		return port.Comment{}, false, callerError("looking for a comment: the marker is empty")
	}
	me, err := c.Account(ctx)
	if err != nil {
		return port.Comment{}, false, err
	}
	api, err := c.forThread(repo, reading, at.Number)
	if err != nil {
		return port.Comment{}, false, err
	}
	s := search{
		api: api, repo: repo, at: at, marker: marker, since: since.UTC().Truncate(time.Second), me: me,
		but: but,
	}
	comment, err := s.run(ctx)
	if err != nil {
		return port.Comment{}, false, c.explain(err, "looking for a comment in %s#%d", repo, at.Number)
	}
	if comment == nil {
		return port.Comment{}, false, nil
	}
	return *comment, true, nil
}

// search searches the comments of a place.
type search struct {
	api    *github.Client
	repo   port.RepoRef
	at     port.Place
	marker string
	since  time.Time // in whole seconds, as GitHub's times
	me     port.User // as whom the client acts
	but    []int64   // the ids of comments that do not count
}

// found is a comment, and when it was created.
type found struct {
	port.Comment
	created time.Time
}

// matches reports whether a comment is the one. GitHub's since is the time of the last edit, so the creation is
// compared here.
func (s search) matches(c found) bool {
	return c.Author.Bot == s.me.Bot && strings.EqualFold(c.Author.Login, s.me.Login) &&
		!c.created.Before(s.since) && strings.Contains(c.Body, s.marker) && !slices.Contains(s.but, c.ID)
}

func (s search) run(ctx context.Context) (*port.Comment, error) {
	if s.at.Kind == port.ReviewComment {
		return s.forwards(ctx)
	}
	return s.backwards(ctx)
}

// backwards reads the first page, and then the last ones backwards: GitHub lists conversations and reviews oldest
// first, and has no other order for them.
func (s search) backwards(ctx context.Context) (*port.Comment, error) {
	first, resp, err := s.page(ctx, 1)
	if err != nil {
		return nil, err
	}
	for n := resp.LastPage; n > max(1, resp.LastPage-maxCommentPages+1); n-- {
		page, _, err := s.page(ctx, n)
		if err != nil {
			return nil, err
		}
		if c := s.newestOf(page); c != nil {
			return c, nil
		}
	}
	return s.newestOf(first), nil
}

// forwards reads pages in order, the newest comments first.
func (s search) forwards(ctx context.Context) (*port.Comment, error) {
	for n := 1; n <= maxCommentPages; n++ {
		page, resp, err := s.page(ctx, n)
		if err != nil {
			return nil, err
		}
		if c := s.newestOf(page); c != nil || resp.NextPage == 0 {
			return c, nil
		}
	}
	return nil, nil
}

func (s search) newestOf(page []found) *port.Comment {
	for _, one := range slices.Backward(page) {
		if s.matches(one) {
			return &one.Comment
		}
	}
	return nil
}

// page returns the comments of one page, oldest first. For review comments, page 1 is the newest.
func (s search) page(ctx context.Context, n int) ([]found, *github.Response, error) {
	switch s.at.Kind {
	case port.IssueComment:
		return s.conversation(ctx, n)
	case port.Review:
		return s.reviews(ctx, n)
	case port.ReviewComment:
		return s.thread(ctx, n)
	}
	return nil, nil, callerError(fmt.Sprintf("a %q cannot have comments", s.at.Kind))
}

func (s search) conversation(ctx context.Context, n int) ([]found, *github.Response, error) {
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: n, PerPage: pageSize}}
	if !s.since.IsZero() {
		opts.Since = &s.since
	}
	list, resp, err := s.api.Issues.ListComments(ctx, s.repo.Owner, s.repo.Name, s.at.Number, opts)
	page := make([]found, len(list))
	for i, c := range list {
		page[i] = found{fromIssue(c), c.GetCreatedAt().Time}
	}
	return page, resp, err
}

func (s search) reviews(ctx context.Context, n int) ([]found, *github.Response, error) {
	opts := &github.ListOptions{Page: n, PerPage: pageSize}
	list, resp, err := s.api.PullRequests.ListReviews(ctx, s.repo.Owner, s.repo.Name, s.at.Number, opts)
	page := make([]found, len(list))
	for i, r := range list {
		page[i] = found{fromReview(r), r.GetSubmittedAt().Time}
	}
	return page, resp, err
}

// thread returns the comments of one review thread, out of a page of all review comments: GitHub has no list of a
// thread.
func (s search) thread(ctx context.Context, n int) ([]found, *github.Response, error) {
	opts := &github.PullRequestListCommentsOptions{
		Sort: "created", Direction: "desc", Since: s.since, ListOptions: github.ListOptions{Page: n, PerPage: pageSize},
	}
	list, resp, err := s.api.PullRequests.ListComments(ctx, s.repo.Owner, s.repo.Name, s.at.Number, opts)
	var page []found
	for _, c := range slices.Backward(list) {
		if one := fromReviewComment(c); threadOf(&one) == threadOf(s.at.To) {
			page = append(page, found{one, c.GetCreatedAt().Time})
		}
	}
	return page, resp, err
}
