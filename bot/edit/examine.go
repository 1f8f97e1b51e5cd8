package edit

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/engine"
)

// Examine returns a function that looks for what a reader of an edit does not see, or takes for something else, and
// refuses the edit, or marks it where the policy says so. It is for the edits of one application, and not safe for
// concurrent use.
func (g Guard) Examine() func(path string, e *engine.Edit) engine.Verdict {
	finder := unusual.NewFinder()
	return func(path string, e *engine.Edit) engine.Verdict { return g.examine(finder, path, e) }
}

func (g Guard) examine(finder *unusual.Finder, path string, e *engine.Edit) engine.Verdict {
	var found []string
	isNew := !g.exists(path)
	file := finder.File(path, func() []byte {
		data, err := g.Tree.ReadFile(path)
		if isNew || err != nil {
			return nil
		}
		return data
	})
	if isNew {
		for _, f := range unusual.NewFile("").Find(nil, []string{path}, false) {
			found = append(found, "the path has "+f.What)
		}
	}
	for _, f := range file.Find(e.Removed, e.Added, e.Line == 1 && len(e.ContextBefore) == 0) {
		found = append(found, fmt.Sprintf("line %d has %s", e.Line+f.Line-1, f.What))
	}
	switch {
	case len(found) == 0:
		return engine.Verdict{}
	case g.Policy.MarkUnusual:
		return engine.Verdict{Marks: found}
	}
	return engine.Verdict{Reason: engine.Unusual,
		Detail: "The edit adds text that readers cannot see or may misread: " + strings.Join(found, "; ")}
}
