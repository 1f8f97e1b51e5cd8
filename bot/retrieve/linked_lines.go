package retrieve

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// here reports whether a link leads into the repository of the query.
func (s *selector) here(l fileLink) bool {
	page, err := url.Parse(s.Page)
	return err == nil && strings.EqualFold(l.repo, s.Repo.String()) &&
		(page.Host == "" || strings.EqualFold(page.Host, l.host))
}

// maxLinkedCommits is how many other commits are opened for the links of a query.
const maxLinkedCommits = 3

// findLinkedLines finds the lines that links name: what they are at the link's own commit, looked for in the checkout.
func (s *selector) findLinkedLines(ctx context.Context) error {
	opened := map[string]repo.Checkout{}
	for _, l := range s.links {
		ref, sha := l.at(s.Branch)
		if sha == s.checkout.SHA() || ref == s.Branch && sha == "" {
			s.addLines(l.path, l.lines)
			continue
		}
		key := ref + " " + sha
		there, seen := opened[key]
		if !seen && len(opened) == maxLinkedCommits {
			s.leaveOut(l.name, "there are links to too many commits; the file is shown without the lines of its link")
			continue
		}
		if !seen {
			var err error
			if there, err = s.openLinked(ctx, ref, sha); err != nil {
				return err
			}
			opened[key] = there
		}
		if err := s.addLinkedLines(ctx, there, l); err != nil {
			return err
		}
	}
	return nil
}

// openLinked opens the commit of a link, nil if it cannot be had any more.
func (s *selector) openLinked(ctx context.Context, ref, sha string) (repo.Checkout, error) {
	var user *port.UserError
	kinds := []string{"refs/heads/", "refs/tags/"}
	if sha != "" {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		there, err := s.Repos.Open(ctx, s.Repo, kind+ref, sha)
		switch {
		case err == nil:
			return there, nil
		case errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrMoved) || errors.As(err, &user):
		default:
			return nil, err
		}
	}
	return nil, nil
}

func (s *selector) addLinkedLines(ctx context.Context, there repo.Checkout, l linkedLines) error {
	if there == nil {
		s.leaveOut(l.name, "the commit of its link cannot be read; the file is shown as it is now")
		return nil
	}
	if Withheld(s.Policy, l.name) != "" {
		return nil
	}
	if err := there.Load(ctx, l.name); err != nil {
		return err
	}
	former, err := there.ReadFile(l.name)
	now, ok := s.read(l.path)
	if err != nil || !ok {
		return nil //nolint:nilerr // there is no such file there; that of the checkout is shown
	}
	if at := movedLines(linesOf(former), linesOf(now), l.lines); at.From > 0 {
		s.addLines(l.path, at)
		return nil
	}
	s.leaveOut(l.name, "the lines of its link are no longer in it; the file is shown as it is now")
	return nil
}
