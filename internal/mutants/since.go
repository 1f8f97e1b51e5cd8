package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// touched returns the mutations that the changes in the work tree since a revision touch: those of a changed file,
// those that tests of a package with changed files should find, and those that the list does not have at the revision.
func touched(ctx context.Context, root, revision, list string, all []mutation) ([]mutation, error) {
	changed, err := git(ctx, root, "diff", "--name-only", "--no-renames", "--relative", revision, "--")
	if err != nil {
		return nil, err
	}
	added, err := git(ctx, root, "ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	files, folders := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(changed + added) {
		name := strings.TrimSuffix(line, "\n")
		files[name] = true
		folder, _, _ := strings.Cut(path.Dir(name)+"/", "/testdata/")
		folders[path.Clean(folder)] = true
	}
	before, err := listAt(ctx, root, revision, list)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(m mutation) bool {
		return !slices.ContainsFunc(m.changes, func(c change) bool { return files[c.file] }) &&
			!slices.ContainsFunc(m.test.packages, func(p string) bool { return folders[path.Clean(p)] }) &&
			slices.ContainsFunc(before, func(b mutation) bool { return reflect.DeepEqual(b, m) })
	}), nil
}

// listAt returns the mutations that the list has at a revision; none if it is not there.
func listAt(ctx context.Context, root, revision, list string) ([]mutation, error) {
	list, err := filepath.Abs(list)
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(root, list)
	if err != nil {
		return nil, err
	}
	name = filepath.ToSlash(name)
	if there, err := git(ctx, root, "ls-tree", "--name-only", revision, "--", name); err != nil || there == "" {
		return nil, err
	}
	text, err := git(ctx, root, "show", revision+":./"+name)
	if err != nil {
		return nil, err
	}
	return parse(text)
}

// git returns what git prints in a folder.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return string(out), nil
}
