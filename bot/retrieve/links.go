package retrieve

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

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
