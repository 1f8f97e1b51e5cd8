package replies

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/text"
)

// Trial is a case whose reply was read and applied.
type Trial struct {
	Case    Case
	Reply   engine.Reply
	Results []engine.Result
	// before, want and got are the files before the reply, as they must be after it, and as they are.
	before, want, got engine.MemTree
}

// Try reads and applies the reply of a case.
func Try(c Case, opts engine.Options) (Trial, error) {
	t := Trial{
		Case: c, Reply: engine.Parse(c.Reply, engine.ParseOptions{}),
		before: c.Before(), want: c.After(), got: c.Before(),
	}
	out, err := engine.Apply(t.got, t.Reply.Blocks, opts)
	if err != nil {
		return t, fmt.Errorf("applying the reply of %s: %w", c.ID, err)
	}
	t.Results = out.Results
	return t, nil
}

// Difference is how a file differs from what was expected.
type Difference struct {
	Path string
	// Missing reports that the file does not exist, and Unexpected that it should not.
	Missing, Unexpected bool
	// Diff has the hunks of a unified diff from the file that was expected to the one that there is.
	Diff string
}

// Differences returns how the files differ from what was expected, by their paths.
func (t Trial) Differences() []Difference {
	var all []Difference
	for _, name := range t.differing() {
		_, wanted := t.want[name]
		_, got := t.got[name]
		all = append(all, Difference{
			Path: name, Missing: !got, Unexpected: !wanted,
			Diff: text.Unified(nil, string(t.want[name]), string(t.got[name])),
		})
	}
	return all
}

// differing returns the paths of the files that are not as expected, sorted.
func (t Trial) differing() []string { return differing(t.want, t.got) }

// differing returns the paths of the files in which two trees differ, sorted.
func differing(a, b engine.MemTree) []string {
	names := maps.Clone(a)
	maps.Copy(names, b)
	maps.DeleteFunc(names, func(name string, _ []byte) bool { return same(a, b, name) })
	return slices.Sorted(maps.Keys(names))
}
