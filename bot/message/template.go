package message

import (
	"regexp"
	"strings"
)

// live matches where GitHub begins to mention somebody, or to refer to an issue, in Markdown.
var live = regexp.MustCompile(`(?i)@(?:[a-z0-9])|#(?:[0-9])|\bgh-(?:[0-9])`)

// Template returns the template of a repository for descriptions so that nothing happens because of it: what skips CI
// or closes issues is taken out, and a space without width is put into mentions and references. All else, check boxes
// and comments above all, remains as it is.
func Template(md string) string {
	return live.ReplaceAllStringFunc(Shown(md), func(found string) string {
		n := len(found) - 1
		return found[:n] + "\u200b" + found[n:]
	})
}

// Templates are where a repository can have its template, in the order in which they count; GitHub ignores case.
func isTemplate(path, folder string) bool {
	name, ok := strings.CutPrefix(strings.ToLower(path), folder)
	return ok && (name == "pull_request_template.md" || name == "pull_request_template.txt")
}

// TemplatePath returns which of the files of a repository is its template for descriptions, empty if none is: in
// .github, at the top or in docs, in any case.
func TemplatePath(files []string) string {
	for _, folder := range []string{".github/", "", "docs/"} {
		for _, path := range files {
			if isTemplate(path, folder) {
				return path
			}
		}
	}
	return ""
}
