package bot

import (
	"context"
	"errors"
	"strings"
)

// errGone says that there is no place left where anything could be said.
var errGone = errors.New("the issue or pull request is gone")

// unlessGone passes an error on, unless it says that there is nobody to answer.
func (b *Bot) unlessGone(ctx context.Context, ev Event, err error) error {
	if !errors.Is(err, errGone) {
		return err
	}
	b.Log.InfoContext(ctx, "nobody is there to be answered", "delivery", ev.Delivery, "thread", ev.ThreadKey())
	return nil
}

// postBeyond says something where the issue was transferred to, after err told that it is not here. errGone when it is nowhere
// that the app can reach.
func (s *session) postBeyond(ctx context.Context, body string, err error) (Comment, error) {
	repo, number, moved := s.movedTo(ctx)
	switch {
	case moved:
		return s.GitHub.Post(ctx, repo, Place{Number: number, Kind: IssueComment}, body)
	case s.gone(ctx):
		return Comment{}, errGone
	}
	return Comment{}, err
}

// movedTo is where the issue was transferred to, if the app is there.
func (s *session) movedTo(ctx context.Context) (repo RepoRef, number int, ok bool) {
	issue, err := s.GitHub.Issue(ctx, s.ev.Repo, s.ev.Thread.Number)
	owner, name, _ := strings.Cut(issue.Repo, "/")
	if err != nil || !strings.EqualFold(owner, s.ev.Repo.Owner) || strings.EqualFold(name, s.ev.Repo.Name) {
		return RepoRef{}, 0, false // GitHub transfers issues between repositories of one owner
	}
	repo, err = s.GitHub.Sibling(ctx, s.ev.Repo, name)
	return repo, issue.Number, err == nil
}

// gone says that the thread is not there, though the repository is.
func (s *session) gone(ctx context.Context) bool {
	if _, err := s.GitHub.Issue(ctx, s.ev.Repo, s.ev.Thread.Number); !errors.Is(err, ErrNotFound) {
		return false
	}
	_, err := s.GitHub.Repository(ctx, s.ev.Repo)
	return err == nil
}
