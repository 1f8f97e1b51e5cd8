package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// cautionWords say of each kind what of the edits deserves a look.
var cautionWords = map[caution.Kind]string{
	caution.Obfuscated:   "hides what it does",
	caution.Runs:         "runs in CI or on people's machines",
	caution.Executable:   "becomes executable",
	caution.Obeyed:       "programs obey it without being asked",
	caution.Instructions: "AI tools obey it",
	caution.LoweredCheck: "lowers a check",
	caution.DeletedTest:  "deletes or skips a test",
	caution.Source:       "packages from another place",
	caution.Dependency:   "new dependency",
	caution.Host:         "new host",
	caution.Unexamined:   "too large to be examined",
}

// maxCautions is how many cautions of a kind are named, maxCautionName bounds each name, in characters.
const maxCautions, maxCautionName = 3, 120

// caution says in one line what of the edits deserves a look; empty if nothing does.
func (r Summary) caution() string { return cautionLine(r.Cautions) }

// caution says it of the commits that are on the branch.
func (d Description) caution() string {
	var all []record.Caution
	for _, k := range caution.Kinds() {
		for _, m := range d.Made {
			for _, c := range m.Cautions {
				if m.stays() && c.Kind == k {
					all = append(all, c)
				}
			}
		}
	}
	return cautionLine(all)
}

// cautionLine is one line about cautions. It is in bounds whatever they are.
func cautionLine(all []record.Caution) string {
	text := Cautions(all, markdown.Code, func(words string) string { return markdown.Plain(words, "") })
	if text == "" {
		return ""
	}
	return "⚠️ **caution:** " + text
}

// Cautions says in one line what of edits deserves a look; empty if nothing does. The cautions are sorted by kind. name
// writes a name, which may be anybody's, and plain a clause of package caution, for those who read the line.
func Cautions(all []record.Caution, name, plain func(string) string) string {
	var parts []string
	for len(all) > 0 {
		kind, n := all[0].Kind, 0
		for n < len(all) && all[n].Kind == kind {
			n++
		}
		if words := cautionWords[kind]; words != "" {
			parts = append(parts, words+": "+namedCautions(all[:n], name, plain))
		}
		all = all[n:]
	}
	return strings.Join(parts, "; ")
}

// namedCautions names the first cautions of a kind, and counts the others.
func namedCautions(all []record.Caution, name, plain func(string) string) string {
	var names []string
	more := 0
	for i, c := range all {
		more += c.More
		if i >= maxCautions {
			more++
			continue
		}
		path, what := name(markdown.Clip(c.Path, maxCautionName)), markdown.Clip(c.What, maxCautionName)
		switch {
		case what == "":
			names = append(names, path)
		case c.Kind == caution.Dependency, c.Kind == caution.Source, c.Kind == caution.Host:
			names = append(names, name(what)+" in "+path)
		case c.Kind == caution.Obeyed, c.Kind == caution.Obfuscated:
			names = append(names, path+" ("+plain(what)+")")
		default:
			names = append(names, path+" ("+name(what)+")")
		}
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
