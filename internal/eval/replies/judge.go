package replies

import (
	"bytes"
	"slices"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge"
)

// Class is what became of a case.
type Class string

// The classes, in the order in which the first that applies is chosen.
const (
	// Equal: all files are as expected.
	Equal Class = "equal"
	// LineEnds: they are, except for line endings and a line feed at the end of a file that has changed.
	LineEnds Class = "line-ends"
	// Refused: something is missing, but nothing has changed that should not.
	Refused Class = "refused"
	// Other: a wrong result.
	Other Class = "other"
)

// Classes returns all classes, in their order.
func Classes() []Class { return []Class{Equal, LineEnds, Refused, Other} }

// The reasons of refused cases for which the engine has none.
const (
	// NothingRead: neither a block nor a problem was found in the reply.
	NothingRead = "nothing-read"
	// Unnoticed: all blocks were applied, and no problem says that anything is missing.
	Unnoticed = "unnoticed"
)

// Result is the result of one case. Lists are sorted and never null.
type Result struct {
	ID      string `json:"id"`
	Source  string `json:"source,omitempty"`
	Form    string `json:"form"`
	Variant string `json:"variant"`
	Class   Class  `json:"class"`
	// Reason is why something is missing, as a code: that of the first block that failed, or the kind of the first problem
	// with the reply.
	Reason string `json:"reason,omitempty"`
	// Blocks is how many blocks were read, and Formats the formats that they have.
	Blocks  int             `json:"blocks"`
	Formats []engine.Format `json:"formats"`
	// Levels are those at which blocks were applied.
	Levels   []engine.Level       `json:"levels"`
	Problems []engine.ProblemKind `json:"problems"`
	// NoChange is set if nothing may change.
	NoChange bool `json:"no_change,omitempty"`
	// Partial is set if the case is refused, and some of what was expected was done.
	Partial   bool `json:"partial,omitempty"`
	Ambiguous bool `json:"ambiguous,omitempty"`
	// Differ are the paths of the files that are not as expected, if the class is Other.
	Differ []string `json:"differ,omitempty"`
}

// Judge says what became of the case.
func (t Trial) Judge() Result {
	r := Result{
		ID: t.Case.ID, Source: t.Case.Source, Form: t.Case.Form, Variant: t.Case.Variant, Class: t.class(),
		Blocks: len(t.Reply.Blocks), Formats: []engine.Format{}, Levels: []engine.Level{},
		Problems: []engine.ProblemKind{}, NoChange: t.noChange(), Ambiguous: t.Case.Ambiguous,
	}
	for _, b := range t.Reply.Blocks {
		r.Formats = append(r.Formats, b.Format)
	}
	for _, result := range t.Results {
		if result.Status == engine.Applied {
			r.Levels = append(r.Levels, result.Level)
		}
	}
	for _, p := range t.Reply.Problems {
		r.Problems = append(r.Problems, p.Kind)
	}
	r.Formats, r.Levels, r.Problems = distinct(r.Formats), distinct(r.Levels), distinct(r.Problems)
	switch r.Class {
	case Refused:
		r.Reason, r.Partial = t.refusal(), len(differing(t.before, t.got)) > 0
	case Other:
		r.Reason, r.Differ = t.said(), t.differing()
	}
	return r
}

func distinct[T engine.Format | engine.Level | engine.ProblemKind](list []T) []T {
	slices.Sort(list)
	return slices.Compact(list)
}

// noChange reports whether nothing may change.
func (t Trial) noChange() bool { return len(differing(t.before, t.want)) == 0 }

func (t Trial) class() Class {
	names := t.differing()
	asBefore := func(name string) bool { return same(t.before, t.got, name) }
	asExpected := func(name string) bool { return !asBefore(name) && sameLines(t.want, t.got, name) }
	asFar := func(name string) bool { return asBefore(name) || asExpected(name) || t.partly(name) }
	switch {
	case len(names) == 0:
		return Equal
	case t.noChange():
		return Other
	case !slices.ContainsFunc(names, func(name string) bool { return !asExpected(name) }):
		return LineEnds
	case !slices.ContainsFunc(names, func(name string) bool { return !asFar(name) }):
		return Refused
	}
	return Other
}

// partly reports whether all that has changed in a file was expected, and something is known to be missing.
func (t Trial) partly(name string) bool {
	before, existed := t.before[name]
	want, stays := t.want[name]
	got, is := t.got[name]
	if !existed || !stays || !is || t.said() == "" {
		return false
	}
	both := merge.Merge(before, got, want)
	return both.Clean() && bytes.Equal(both.Text, want)
}

// said returns why the engine says that something is missing, as a code; "" if it does not.
func (t Trial) said() string {
	for _, r := range t.Results {
		if r.Status != engine.Applied {
			return string(r.Reason)
		}
	}
	for _, p := range t.Reply.Problems {
		if p.Severity == engine.SeverityError {
			return string(p.Kind)
		}
	}
	return ""
}

// refusal returns why something is missing, as a code.
func (t Trial) refusal() string {
	switch said := t.said(); {
	case said != "":
		return said
	case len(t.Reply.Blocks) > 0:
		return Unnoticed
	case len(t.Reply.Problems) > 0:
		return string(t.Reply.Problems[0].Kind)
	}
	return NothingRead
}

// same reports whether two trees have the same file at a path, or none.
func same(a, b engine.MemTree, name string) bool {
	x, inA := a[name]
	y, inB := b[name]
	return inA == inB && bytes.Equal(x, y)
}

// sameLines reports whether two trees have files at a path with the same lines, whatever those end in.
func sameLines(a, b engine.MemTree, name string) bool {
	x, inA := a[name]
	y, inB := b[name]
	return inA && inB && bytes.Equal(withoutEnds(x), withoutEnds(y))
}

// withoutEnds returns a text with line feeds only, and without the one at its end.
func withoutEnds(data []byte) []byte {
	return bytes.TrimSuffix(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"))
}
