package retrieve

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// permalink is a link to a file at a commit.
type permalink struct {
	// host and repo ("owner/name") are whose file it is.
	host, repo string
	// rest is the ref and the path: where one ends and the other begins, only the repository knows, unless the ref is a SHA.
	rest string
}

var (
	linkShape = regexp.MustCompile(`^https?://([A-Za-z0-9.-]+(?::\d+)?)/([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+)/(?:blob|blame|raw|tree)/([^\s<>"'` + "`" + `)\]#?]+)(?:\?[^\s<>"')\]#]*)?(?:#L(\d+)(?:C\d+)?(?:-L?(\d+)(?:C\d+)?)?)?`)
	anyLink   = regexp.MustCompile(`https?://[^\s<>"'` + "`" + `)\]]+`)
	fullSHA   = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// links reads the links of a line and returns where they stand: their text names nothing else.
func (f *finder) links(from int, line string) (taken markdown.Ranges) {
	if !strings.Contains(line, "://") {
		return nil
	}
	for _, at := range anyLink.FindAllStringIndex(line, maxReferences) {
		taken = append(taken, [2]int{from + at[0], from + at[1]})
		m := linkShape.FindStringSubmatch(line[at[0]:])
		if m == nil || len(m[3]) > maxNameBytes {
			continue
		}
		link := &permalink{host: m[1], repo: m[2], rest: strings.TrimRight(unescaped(m[3]), ".,;:!")}
		if names := link.paths(); len(names) > 0 {
			f.add(from+at[0], reference{kind: byLink, Names: names, lines: spanOf(m[4], m[5]), link: link})
		}
	}
	return taken
}

func unescaped(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// sha is the commit that the link names, empty for a branch or a tag.
func (l permalink) sha() string {
	if ref, _, _ := strings.Cut(l.rest, "/"); fullSHA.MatchString(ref) {
		return ref
	}
	return ""
}

// maxRefParts is how many slashes the name of a branch in a link can have.
const maxRefParts = 4

// paths are what may be the path of the link, likeliest first.
func (l permalink) paths() []string {
	rest := strings.Trim(path.Clean("/"+l.rest), "/")
	var out []string
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

// ref is the branch or tag of the link, given the path that the link turned out to mean.
func (l permalink) ref(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(l.rest, name), "/")
}
