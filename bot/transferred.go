package bot

import (
	"context"
	"errors"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// errGone says that there is no place left where anything could be said.
var errNoThread = errors.New("the issue or pull request is gone")

// unlessGone passes an error on, unless it says that there is nobody to answer.
func (b *Bot) unlessNoThread(ctx context.Context, ev port.Event, err error) error {
	if !errors.Is(err, errNoThread) {
		return err
	}
	b.Log.InfoContext(ctx, "nobody is there to be answered", "delivery", ev.Delivery, "thread", ev.ThreadKey())
	return nil
}

// postBeyond says something where the issue was transferred to, after err told that it is not here. errGone when it is nowhere
// that the app can reach.
func (s *session) postTransferred(ctx context.Context, body string, err error) (port.Comment, error) {
	repo, number, moved := s.transferredTo(ctx)
	switch {
	case moved:
		return s.GitHub.Post(ctx, repo, port.Place{Number: number, Kind: port.IssueComment}, body)
	case s.deleted(ctx):
		return port.Comment{}, errNoThread
	}
	return port.Comment{}, err
}

// movedTo is where the issue was transferred to, if the app is there.
func (s *session) transferredTo(ctx context.Context) (repo port.RepoRef, number int, ok bool) {
	issue, err := s.GitHub.Issue(ctx, s.ev.Repo, s.ev.Thread.Number)
	owner, name, _ := strings.Cut(issue.Repo, "/")
	if err != nil || !strings.EqualFold(owner, s.ev.Repo.Owner) || strings.EqualFold(name, s.ev.Repo.Name) {
		return port.RepoRef{}, 0, false // GitHub transfers issues between repositories of one owner
	}
	repo, err = s.GitHub.Sibling(ctx, s.ev.Repo, name)
	return repo, issue.Number, err == nil
}

// gone says that the thread is not there, though the repository is.
func (s *session) deleted(ctx context.Context) bool {
	if _, err := s.GitHub.Issue(ctx, s.ev.Repo, s.ev.Thread.Number); !errors.Is(err, port.ErrNotFound) {
		return false
	}
	_, err := s.GitHub.Repository(ctx, s.ev.Repo)
	return err == nil
}
