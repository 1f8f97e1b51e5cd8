package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/terminal"
)

// plainName matches names that a shell takes as they are.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./+@%=:,-]*$`)

// namesIn returns a function that returns the name of a path below the top of a work tree, from the folder here, as a
// shell takes it and a terminal may show it.
func namesIn(top string) func(path string) string {
	here := "."
	if at, err := pathFromTop(top, "."); err == nil {
		here = at
	}
	return func(path string) string {
		if from, err := filepath.Rel(filepath.FromSlash(here), filepath.FromSlash(path)); err == nil {
			path = from
		}
		return shellName(path)
	}
}

// shellName quotes a name for a shell unless it is plain.
func shellName(name string) string {
	switch {
	case plainName.MatchString(name):
		return name
	case strings.HasPrefix(name, "-"):
		name = "." + string(os.PathSeparator) + name
	}
	if escaped := terminal.Escape(name); escaped != name {
		return "$'" + strings.ReplaceAll(escaped, "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
