package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tenon-bot/tenon/internal/worktree"
	"github.com/tenon-bot/tenon/meter"
)

// write writes the files in which conflicts were settled, and stages those that have no open ones, unless a person
// should look at them first. What cannot be written or staged is noted with the file.
func (s *stoppedMerge) write(ctx context.Context, tree *worktree.Tree, n newLines) {
	var settled []*stoppedFile
	for _, f := range s.files {
		text, open := f.Text(s.settled.Lines())
		if len(open) == len(f.Open) {
			continue
		}
		if f.unwritten = f.write(tree, text); f.unwritten != "" || len(open) > 0 {
			continue
		}
		switch broken := f.Check(meter.Within(ctx, meter.Default), text).Problems; {
		case len(broken) > 0:
			f.why = fmt.Sprintf("line %d: %s", broken[0].Line, broken[0].Message)
		case n == showNew && len(s.result.Settled.New(f.File.File.File)) > 0:
			f.why = "it has new lines"
		default:
			settled = append(settled, f)
		}
	}
	stageSettled(ctx, tree, settled)
}

// write writes a file, and returns why it does not.
func (f *stoppedFile) write(tree *worktree.Tree, text []byte) string {
	now, err := tree.ReadFile(f.Path)
	if f.absent && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil || !bytes.Equal(now, f.now) {
		return "it changed meanwhile"
	}
	if err := tree.WriteFile(f.Path, text); err != nil {
		return err.Error()
	}
	return ""
}

// stageSettled stages files, and notes why it does not.
func stageSettled(ctx context.Context, tree *worktree.Tree, files []*stoppedFile) {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	err := tree.Stage(ctx, paths)
	var filtered *worktree.FilterError
	isFiltered := errors.As(err, &filtered)
	for _, f := range files {
		switch {
		case isFiltered && filtered.Filters[f.Path] != "":
			f.why = "git would run the filter " + filtered.Filters[f.Path]
		case err != nil && !isFiltered:
			f.why = err.Error()
		default:
			f.staged = true
		}
	}
}
