package retrieve

import (
	"regexp"
	"strings"
)

// The folders into which runners of GitHub Actions check a repository out, and the name of the repository, twice.
var (
	// hostedCheckout is where GitHub's own runners do: /home/runner/work/NAME/NAME, /__w/NAME/NAME, D:\a\NAME\NAME.
	hostedCheckout = regexp.MustCompile(`^(?:/home/runner/work|/Users/runner/work|/__w|[A-Za-z]:/a)/([^/]+)/([^/]+)/(.+)$`)
	// ownCheckout is where runners of others do: …/_work/NAME/NAME.
	ownCheckout = regexp.MustCompile(`^(?:/|[A-Za-z]:/)(?:.*/)?_work/([^/]+)/([^/]+)/(.+)$`)
)

// inRepository returns a path as it is in a repository, if it begins with the folder into which a runner checks it out,
// and else the path. It reports false for a path of what GitHub's runners check out besides: another repository, which
// built a tool that prints its own paths. If the repository's name is not known, it is any.
func inRepository(name, repository string) (relative string, ok bool) {
	slashes := strings.ReplaceAll(name, `\`, "/")
	if rest, ok := strings.CutPrefix(slashes, "/github/workspace/"); ok {
		return rest, true
	}
	this := func(m []string) bool { return repository == "" || strings.EqualFold(m[1], repository) }
	if m := hostedCheckout.FindStringSubmatch(slashes); m != nil && m[1] == m[2] {
		return m[3], this(m)
	}
	if m := ownCheckout.FindStringSubmatch(slashes); m != nil && m[1] == m[2] && this(m) {
		return m[3], true
	}
	return name, true
}
