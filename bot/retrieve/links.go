package retrieve

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// maxLinkedCommits bounds the other commits that are opened for the links of one comment.
const maxLinkedCommits = 3

// linkedPlace is a link to lines of a file at some commit.
type linkedPlace struct {
	// path is the file today, name what it was called in the link.
	path, name string
	link       permalink
	lines      Span
}

// ours says that a link leads into this repository, on this GitHub.
func (g *gathering) ours(l permalink) bool {
	here, err := url.Parse(g.Page)
	return err == nil && strings.EqualFold(l.repo, g.Repo.String()) && (here.Host == "" || strings.EqualFold(here.Host, l.host))
}

// settleLinks finds the lines that links mean: as they were at the link's own commit, where they are today.
func (g *gathering) settleLinks(ctx context.Context) error {
	opened := map[string]repo.Checkout{}
	for _, l := range g.linked {
		ref, sha := l.at(g.Branch)
		if sha == g.checkout.SHA() || ref == g.Branch && sha == "" {
			g.anchor(l.path, l.lines)
			continue
		}
		key := ref + " " + sha
		there, seen := opened[key]
		if !seen && len(opened) == maxLinkedCommits {
			g.leave(l.name, "its link leads to one commit too many; the file is shown without the link's lines")
			continue
		}
		if !seen {
			var err error
			if there, err = g.openLinked(ctx, ref, sha); err != nil {
				return err
			}
			opened[key] = there
		}
		if err := g.anchorLinked(ctx, there, l); err != nil {
			return err
		}
	}
	return nil
}

// at is the ref and commit of a link: of a SHA, the head's own ref, which may have held it.
func (l linkedPlace) at(branch string) (ref, sha string) {
	if sha := l.link.sha(); sha != "" {
		return branch, sha
	}
	return l.link.ref(l.name), ""
}

// openLinked opens a link's commit; nil when it cannot be had any more.
func (g *gathering) openLinked(ctx context.Context, ref, sha string) (repo.Checkout, error) {
	var user *port.UserError
	kinds := []string{"refs/heads/", "refs/tags/"}
	if sha != "" {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		there, err := g.Repos.Open(ctx, g.Repo, kind+ref, sha)
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

func (g *gathering) anchorLinked(ctx context.Context, there repo.Checkout, l linkedPlace) error {
	if there == nil {
		g.leave(l.name, "the commit of its link cannot be read; the file is shown as it is now")
		return nil
	}
	if Hides(g.Policy, l.name) != "" {
		return nil
	}
	if err := there.Load(ctx, l.name); err != nil {
		return err
	}
	former, err := there.ReadFile(l.name)
	today, ok := g.read(l.path)
	if err != nil || !ok {
		return nil //nolint:nilerr // there is no such file there; the one of today is shown
	}
	if at := mapLines(linesOf(former), linesOf(today), l.lines); at.From > 0 {
		g.anchor(l.path, at)
		return nil
	}
	g.leave(l.name, "the lines of its link are no longer in it; the file is shown as it is now")
	return nil
}

func (g *gathering) anchor(name string, at Span) {
	if p := g.picks[name]; p != nil {
		g.pick(name, p.kind, p.score, at)
	}
}
