package bottest

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// File is a file of a commit. Mode is git's, empty for an ordinary file; "120000" makes a link to what Data says,
// "160000" a submodule at the commit that Data names. Gone removes the file.
type File struct {
	Mode string
	Data string
	Gone bool
}

// Files returns ordinary files by path.
func Files(pairs map[string]string) map[string]File {
	files := map[string]File{}
	for name, data := range pairs {
		files[name] = File{Data: data}
	}
	return files
}

// tree is what a checkout contains, by path.
type tree map[string]git.Entry

// changedPaths lists the paths in which two trees differ, sorted.
func changedPaths(before, after tree) []string {
	changed := maps.Clone(before)
	maps.Copy(changed, after)
	maps.DeleteFunc(changed, func(name string, _ git.Entry) bool {
		return before[name].Mode == after[name].Mode && before[name].SHA == after[name].SHA
	})
	return slices.Sorted(maps.Keys(changed))
}

// Commit is a commit as everybody sees it.
type Commit struct {
	SHA, Message, Author string
	Parents              []string
	// Verified reports whether GitHub signed it.
	Verified bool
}
