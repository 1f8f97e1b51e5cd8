// Package links has the addresses of GitHub's pages. Pure.
package links

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// repository is the page of a repository, without a slash at its end.
type repository string

// Of returns the links of the repository of a thread, as its page tells them.
func Of(t port.Thread) port.Links {
	page := t.URL
	for _, part := range []string{"/pull/", "/issues/"} {
		if i := strings.LastIndex(page, part); i >= 0 {
			page = page[:i]
		}
	}
	return repository(page)
}

// On returns the links of a repository, "owner/name", on a GitHub whose address ends with a slash.
func On(site, repo string) port.Links { return repository(site + repo) }

func (r repository) Of(repo string) port.Links {
	site := string(r)
	for range 2 {
		site = site[:max(0, strings.LastIndexByte(site, '/'))]
	}
	return On(site+"/", repo)
}

func (r repository) Repository() string { return string(r) }

func (r repository) Thread(number int, pull bool) string {
	if pull {
		return fmt.Sprintf("%s/pull/%d", r, number)
	}
	return fmt.Sprintf("%s/issues/%d", r, number)
}

func (r repository) Checks(pull string) string { return pull + "/checks" }

func (r repository) Commit(sha string) string { return fmt.Sprintf("%s/commit/%s", r, sha) }

func (r repository) Compare(from, to string) string {
	return fmt.Sprintf("%s/compare/%s...%s", r, from, to)
}

func (r repository) NewPull(base, branch string) string {
	return r.Compare(escapePath(base), escapePath(branch)) + "?expand=1"
}

func (r repository) File(sha, path string, from, to int) string {
	link := fmt.Sprintf("%s/blob/%s/%s", r, sha, escapePath(path))
	if from > 0 {
		link += fmt.Sprintf("#L%d", from)
	}
	if to > from {
		link += fmt.Sprintf("-L%d", to)
	}
	return link
}

func (r repository) WorkflowRun(id int64) string { return fmt.Sprintf("%s/actions/runs/%d", r, id) }

// escapePath escapes a path so that it ends no link in Markdown either.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}
