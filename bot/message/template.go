package message

import (
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
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

// templates are the base names that a template can have, in lower case: GitHub ignores case.
var templates = []string{"pull_request_template.md", "pull_request_template.txt"}

// TemplatePath returns which file of a repository is its template for descriptions, empty if none is: in .github, at
// the top or in docs, in any case. named returns the files that have a base name in lower case, in order.
func TemplatePath(named func(lower string) iter.Seq[string]) string {
	var found []string
	for _, name := range templates {
		found = slices.AppendSeq(found, named(name))
	}
	slices.Sort(found)
	for _, folder := range []string{port.ForgeFolder + "/", "", "docs/"} {
		for _, name := range found {
			if above, _ := path.Split(name); strings.ToLower(above) == folder {
				return name
			}
		}
	}
	return ""
}
