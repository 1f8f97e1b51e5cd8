package worktree

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
)

// A FilterError says which files were not staged because git would run a program on them, as Git LFS does.
type FilterError struct {
	// Filters has the name of each file's filter.
	Filters map[string]string
}

func (e *FilterError) Error() string {
	names := slices.Sorted(maps.Keys(e.Filters))
	return fmt.Sprintf("git would run the filter %q, and tenon runs no programs of a repository; stage it by git add: %s",
		e.Filters[names[0]], strings.Join(names, ", "))
}

// filters are programs that git runs on the contents of files, by the settings and attributes of a repository.
type filters struct {
	tree *Tree
	// setUp are the names of those in the settings.
	setUp []string
}

// readFilters reads which filters the settings have.
func (t *Tree) readFilters(ctx context.Context) (filters, error) {
	out, err := t.run(ctx, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 { // none
		return filters{tree: t}, nil
	}
	if err != nil {
		return filters{}, err
	}
	f := filters{tree: t}
	for key := range entries(out) { // filter.NAME.clean
		name := strings.TrimPrefix(key, "filter.")
		if dot := strings.LastIndexByte(name, '.'); dot >= 0 && !slices.Contains(f.setUp, name[:dot]) {
			f.setUp = append(f.setUp, name[:dot])
		}
	}
	return f, nil
}

// of returns the filters that git would run on some files, by the files' names.
func (f filters) of(ctx context.Context, names []string) (map[string]string, error) {
	if len(f.setUp) == 0 {
		return nil, nil
	}
	out, err := f.tree.run(ctx, append([]string{"check-attr", "-z", "filter", "--"}, names...)...)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	fields := strings.Split(out, "\x00") // name, "filter", value
	for ; len(fields) >= 3; fields = fields[3:] {
		if slices.Contains(f.setUp, fields[2]) {
			found[fields[0]] = fields[2]
		}
	}
	return found, nil
}

// off returns options that switch the filters off, in case the attributes change after they were read.
func (f filters) off() (options []string) {
	for _, name := range f.setUp {
		if strings.Contains(name, "=") { // git would take the rest for the value
			continue
		}
		for _, setting := range []string{"clean=", "smudge=", "process=", "required=false"} {
			options = append(options, "-c", "filter."+name+"."+setting)
		}
	}
	return options
}
