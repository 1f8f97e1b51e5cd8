package edit

import (
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

func changedPaths(c repo.Checkout) (names []string, err error) {
	changes, err := c.Changes()
	for _, change := range changes {
		names = append(names, change.Path)
	}
	return names, err
}

// inFolders reports whether everything above a path is a folder or absent.
func inFolders(tree engine.Tree, path string) bool {
	for i, c := range path {
		if c != '/' {
			continue
		}
		if kind, err := tree.Kind(path[:i]); err != nil || kind != engine.Folder && kind != engine.Absent {
			return false
		}
	}
	return true
}
