package retrieve

import (
	"context"
	"errors"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

// fileLink is a link to a file at a commit, a branch or a tag.
type fileLink struct {
	// host and repo ("owner/name") are where the file is.
	host, repo string
	// rest is the ref and the path: where one ends and the other begins, only the repository knows, unless the ref is
	// the id of a commit.
	rest string
}

var (
	anyLink     = regexp.MustCompile(`https?://[^\s<>"'` + "`" + `)\]]+`)
	linkPattern = regexp.MustCompile(
		`^https?://([A-Za-z0-9.-]+(?::\d+)?)/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)/(?:blob|blame|raw|tree)/` +
			`([^\s<>"'` + "`" + `)\]#?]+)(?:\?[^\s<>"')\]#]*)?(?:#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?)?`)
	fullSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// parseLink parses the link to a file that a text begins with, and its lines.
func parseLink(text string) (link *fileLink, lines Span, ok bool) {
	m := linkPattern.FindStringSubmatch(text)
	if m == nil || len(m[3]) > maxNameBytes {
		return nil, Span{}, false
	}
	link = &fileLink{host: m[1], repo: m[2], rest: strings.TrimRight(unescaped(m[3]), ".,;:!")}
	return link, spanOf(m[4], m[5]), len(link.paths()) > 0
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// sha returns the commit that the link names, empty for a branch or a tag.
func (l fileLink) sha() string {
	if ref, _, _ := strings.Cut(l.rest, "/"); fullSHA.MatchString(ref) {
		return ref
	}
	return ""
}

// maxRefParts is how many parts the name of a branch in a link can have.
const maxRefParts = 4

// paths returns what may be the path of the file, the likeliest first.
func (l fileLink) paths() (out []string) {
	rest := strings.Trim(path.Clean("/"+l.rest), "/")
	for range maxRefParts {
		_, name, ok := strings.Cut(rest, "/")
		if !ok {
			break
		}
		out, rest = append(out, name), name
		if l.sha() != "" {
			break
		}
	}
	return out
}

// ref returns the branch or tag of the link, given the path that it turned out to mean.
func (l fileLink) ref(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(l.rest, name), "/")
}

// linkedLines are lines of a file that a link names, as they are at the link's commit.
type linkedLines struct {
	// path is the file of the checkout, name what the link calls it.
	path, name string
	link       fileLink
	lines      Span
}

// at returns the ref and the commit of the link; with a commit, the ref is branch, which may have had it.
func (l linkedLines) at(branch string) (ref, sha string) {
	if sha := l.link.sha(); sha != "" {
		return branch, sha
	}
	return l.link.ref(l.name), ""
}

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
