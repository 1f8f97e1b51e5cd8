package gh

import (
	"context"
	"errors"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxOwnPages bounds the pages that are read of each kind of comment: the first, which says how many there are, and the
// newest ones.
const maxOwnPages = 5

// OwnComments returns the newest comments, reviews and comments on the diff of an issue or pull request that are the
// App's own and contain a text, oldest first of each kind. pull reports whether it is a pull request. It returns
// port.ErrNotFound if there is no such issue or pull request.
func (c *Client) OwnComments(ctx context.Context, repo port.RepoRef, number int, pull bool, text string) (
	[]port.Comment, error,
) {
	me, err := c.Account(ctx)
	if err != nil {
		return nil, err
	}
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	kinds := []port.EventKind{port.IssueComment}
	if pull {
		kinds = append(kinds, port.Review, port.ReviewComment)
	}
	lists, errs := make([][]port.Comment, len(kinds)), make([]error, len(kinds))
	searches := make([]<-chan struct{}, len(kinds))
	for i, kind := range kinds {
		s := search{api: api, repo: repo, at: port.Place{Number: number, Kind: kind}, marker: text, me: me}
		searches[i] = port.Go(ctx, func() { lists[i], errs[i] = s.all(ctx) })
	}
	port.Waiting(ctx, func() {
		for _, ended := range searches {
			<-ended
		}
	})
	if err := errors.Join(errs...); err != nil {
		return nil, c.explain(err, "reading the answers in %s#%d", repo, number)
	}
	var out []port.Comment
	for _, list := range lists {
		out = append(out, list...)
	}
	return out, nil
}

// all returns the comments of the place that are looked for, oldest first: those of all review threads for a
// ReviewComment.
func (s search) all(ctx context.Context) (list []port.Comment, err error) {
	first, resp, err := s.pageOfAll(ctx, 1)
	if err != nil {
		return nil, err
	}
	pages := [][]found{first}
	for n := max(2, resp.LastPage-maxOwnPages+2); n <= resp.LastPage; n++ {
		page, _, err := s.pageOfAll(ctx, n)
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	for _, page := range pages {
		for _, one := range page {
			if s.matches(one) {
				list = append(list, one.Comment)
			}
		}
	}
	return list, nil
}

// pageOfAll is page with comments of all review threads, oldest first.
func (s search) pageOfAll(ctx context.Context, n int) ([]found, *github.Response, error) {
	if s.at.Kind != port.ReviewComment {
		return s.page(ctx, n)
	}
	opts := &github.PullRequestListCommentsOptions{ListOptions: github.ListOptions{Page: n, PerPage: pageSize}}
	list, resp, err := s.api.PullRequests.ListComments(ctx, s.repo.Owner, s.repo.Name, s.at.Number, opts)
	page := make([]found, len(list))
	for i, c := range list {
		page[i] = found{fromReviewComment(c), c.GetCreatedAt().Time}
	}
	return page, resp, err
}
