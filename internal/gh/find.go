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

// maxCommentPages bounds the search for a comment: the newest thousand.
const maxCommentPages = 10

// FindAnswer looks at a place for a comment of the App's own that holds marker: among the newest thousand comments that were
// made since the given time (zero: ever), newest first. A marker that somebody copied into a comment does not count.
func (c *Client) FindComment(ctx context.Context, repo port.RepoRef, at port.Place, marker string, since time.Time) (port.Comment, bool, error) {
	if marker == "" {
		return port.Comment{}, false, callerError("looking for a comment: the marker is empty")
	}
	slug, err := c.Slug(ctx)
	if err != nil {
		return port.Comment{}, false, err
	}
	api, err := c.inThread(repo, reading, at.Number)
	if err != nil {
		return port.Comment{}, false, err
	}
	s := search{api: api, repo: repo, at: at, marker: marker, since: since.UTC().Truncate(time.Second), login: slug + "[bot]"}
	found, err := s.run(ctx)
	if err != nil {
		return port.Comment{}, false, c.explain(err, "looking for a comment in %s#%d", repo, at.Number)
	}
	if found == nil {
		return port.Comment{}, false, nil
	}
	return *found, true, nil
}

// search is one look for a comment.
type search struct {
	api    *github.Client
	repo   port.RepoRef
	at     port.Place
	marker string
	since  time.Time // in whole seconds, as GitHub counts
	login  string
}

// said is a comment, and when it was made.
type said struct {
	port.Comment
	made time.Time
}

// is says whether a comment is the one. GitHub's since is the time of the last edit, so the creation is looked at here.
func (s search) is(c said) bool {
	return c.Author.Bot && strings.EqualFold(c.Author.Login, s.login) && !c.made.Before(s.since) && strings.Contains(c.Body, s.marker)
}

func (s search) run(ctx context.Context) (*port.Comment, error) {
	if s.at.Kind == port.ReviewComment {
		return s.forwards(ctx)
	}
	return s.backwards(ctx)
}

// backwards reads the first page and then, from the last, backwards: GitHub lists a conversation and reviews oldest first, and
// has no other order for them.
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

// forwards reads pages that have the newest first.
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

func (s search) newestOf(page []said) *port.Comment {
	for _, one := range slices.Backward(page) {
		if s.is(one) {
			return &one.Comment
		}
	}
	return nil
}

// page returns what is said on one page, oldest first. Of the threads on a diff, page 1 is the newest.
func (s search) page(ctx context.Context, n int) ([]said, *github.Response, error) {
	switch s.at.Kind {
	case port.IssueComment:
		return s.conversation(ctx, n)
	case port.Review:
		return s.reviews(ctx, n)
	case port.ReviewComment:
		return s.thread(ctx, n)
	}
	return nil, nil, callerError(fmt.Sprintf("a %q is no place for comments", s.at.Kind))
}

func (s search) conversation(ctx context.Context, n int) ([]said, *github.Response, error) {
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: n, PerPage: pageSize}}
	if !s.since.IsZero() {
		opts.Since = &s.since
	}
	list, resp, err := s.api.Issues.ListComments(ctx, s.repo.Owner, s.repo.Name, s.at.Number, opts)
	page := make([]said, len(list))
	for i, c := range list {
		page[i] = said{fromIssue(c), c.GetCreatedAt().Time}
	}
	return page, resp, err
}

func (s search) reviews(ctx context.Context, n int) ([]said, *github.Response, error) {
	list, resp, err := s.api.PullRequests.ListReviews(ctx, s.repo.Owner, s.repo.Name, s.at.Number, &github.ListOptions{Page: n, PerPage: pageSize})
	page := make([]said, len(list))
	for i, r := range list {
		page[i] = said{fromReview(r), r.GetSubmittedAt().Time}
	}
	return page, resp, err
}

// thread picks the comments of one thread from those of the pull request: GitHub has no list of one.
func (s search) thread(ctx context.Context, n int) ([]said, *github.Response, error) {
	opts := &github.PullRequestListCommentsOptions{Sort: "created", Direction: "desc", Since: s.since, ListOptions: github.ListOptions{Page: n, PerPage: pageSize}}
	list, resp, err := s.api.PullRequests.ListComments(ctx, s.repo.Owner, s.repo.Name, s.at.Number, opts)
	var page []said
	for _, c := range slices.Backward(list) {
		if one := fromReviewComment(c); threadOf(&one) == threadOf(s.at.To) {
			page = append(page, said{one, c.GetCreatedAt().Time})
		}
	}
	return page, resp, err
}
