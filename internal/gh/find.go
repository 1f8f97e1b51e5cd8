package gh

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot"
)

// maxCommentPages bounds the search for a comment: the newest thousand.
const maxCommentPages = 10

// FindComment looks for a comment of the App's own that holds marker, in the thread of replyTo when that is a review comment,
// else in the conversation: among the newest thousand comments that were made since the given time (zero: ever), newest first.
// A marker that somebody copied into a comment does not count.
func (c *Client) FindComment(ctx context.Context, repo bot.RepoRef, number int, replyTo *bot.Comment, marker string, since time.Time) (bot.Comment, bool, error) {
	if marker == "" {
		return bot.Comment{}, false, callerError("looking for a comment: the marker is empty")
	}
	slug, err := c.Slug(ctx)
	if err != nil {
		return bot.Comment{}, false, err
	}
	api, err := c.inThread(repo, reading, number)
	if err != nil {
		return bot.Comment{}, false, err
	}
	s := search{api: api, repo: repo, number: number, thread: threadOf(replyTo), marker: marker, since: since.UTC().Truncate(time.Second), login: slug + "[bot]"}
	found, err := s.run(ctx)
	if err != nil {
		return bot.Comment{}, false, c.explain(err, "looking for a comment in %s#%d", repo, number)
	}
	if found == nil {
		return bot.Comment{}, false, nil
	}
	return *found, true, nil
}

// search is one look for a comment.
type search struct {
	api    *github.Client
	repo   bot.RepoRef
	number int
	thread int64
	marker string
	since  time.Time // in whole seconds, as GitHub counts
	login  string
}

func (s search) run(ctx context.Context) (*bot.Comment, error) {
	if s.thread != 0 {
		return s.inReview(ctx)
	}
	return s.inConversation(ctx)
}

// is says whether a comment is the one. GitHub's since is the time of the last edit, so the creation is looked at here.
func (s search) is(c bot.Comment, created time.Time) bool {
	return c.Author.Bot && strings.EqualFold(c.Author.Login, s.login) && !created.Before(s.since) && strings.Contains(c.Body, s.marker)
}

// inConversation reads the first page and then, from the last, backwards: GitHub lists a conversation oldest first, and has no
// other order for it.
func (s search) inConversation(ctx context.Context) (*bot.Comment, error) {
	first, resp, err := s.conversationPage(ctx, 1)
	if err != nil {
		return nil, err
	}
	for page := resp.LastPage; page > max(1, resp.LastPage-maxCommentPages+1); page-- {
		comments, _, err := s.conversationPage(ctx, page)
		if err != nil {
			return nil, err
		}
		if c := s.newestOf(comments); c != nil {
			return c, nil
		}
	}
	return s.newestOf(first), nil
}

func (s search) conversationPage(ctx context.Context, page int) ([]*github.IssueComment, *github.Response, error) {
	opts := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{Page: page, PerPage: pageSize}}
	if !s.since.IsZero() {
		opts.Since = &s.since
	}
	return s.api.Issues.ListComments(ctx, s.repo.Owner, s.repo.Name, s.number, opts)
}

func (s search) newestOf(page []*github.IssueComment) *bot.Comment {
	for _, one := range slices.Backward(page) {
		if c := fromIssue(one); s.is(c, one.GetCreatedAt().Time) {
			return &c
		}
	}
	return nil
}

// inReview reads all review comments of the pull request, newest first: GitHub has no list of one thread.
func (s search) inReview(ctx context.Context) (*bot.Comment, error) {
	opts := &github.PullRequestListCommentsOptions{Sort: "created", Direction: "desc", Since: s.since, ListOptions: github.ListOptions{PerPage: pageSize}}
	for opts.Page = 1; opts.Page <= maxCommentPages; opts.Page++ {
		comments, resp, err := s.api.PullRequests.ListComments(ctx, s.repo.Owner, s.repo.Name, s.number, opts)
		if err != nil {
			return nil, err
		}
		for _, one := range comments {
			if c := fromReview(one); threadOf(&c) == s.thread && s.is(c, one.GetCreatedAt().Time) {
				return &c, nil
			}
		}
		if resp.NextPage == 0 {
			break
		}
	}
	return nil, nil
}
