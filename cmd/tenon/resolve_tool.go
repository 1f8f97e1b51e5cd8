package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/engine/generated"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/unmerged"
	"github.com/tenon-bot/tenon/internal/worktree"
	"github.com/tenon-bot/tenon/meter"
)

// asTool settles one file for git mergetool, which names its three versions and the file to write. As by other tools,
// it is made from the versions, whatever it contains. Unless all of its conflicts are settled, it is not written: git
// would restore it.
func (r resolving) asTool(ctx context.Context, args []string) error {
	if len(args) != 4 {
		return usageError{errors.New(`--tool takes four files, as git mergetool has them: ` +
			`"$BASE" "$LOCAL" "$REMOTE" "$MERGED"`)}
	}
	var versions [3][]byte
	for i := range versions {
		var err error
		if versions[i], err = readVersion(args[i]); err != nil {
			return failed(r.errOut, err)
		}
	}
	path := args[3]
	f, kind := toolFile(path, versions)
	if kind != unmerged.Text {
		return failed(r.errOut, fmt.Errorf("%s: %s", path, kind.Advice(path)))
	}
	s := &stoppedMerge{Stopped: worktree.Stopped{Ours: "ours", Theirs: "theirs"}, files: []*stoppedFile{{File: f}},
		settled: resolution.Settled{}, name: shellName}
	if len(f.Open) > 0 {
		if err := r.askAbout(ctx, s); err != nil {
			return err
		}
	}
	text, open := f.Text(s.settled.Lines())
	ok := len(open) == 0
	if broken := f.Check(meter.Within(ctx, meter.Default), text).Problems; ok && len(broken) > 0 {
		ok = false
		s.files[0].why = fmt.Sprintf("line %d: %s", broken[0].Line, broken[0].Message)
	}
	if ok && r.flags.new == showNew && len(s.result.Settled.New(f.File.File)) > 0 {
		ok = r.confirmNew(s)
	}
	if !ok {
		if err := s.print(r.out); err != nil {
			return err
		}
		return errSome
	}
	if err := overwrite(path, text); err != nil {
		return failed(r.errOut, err)
	}
	s.files[0].staged = true // by git
	p := page{Palette: terminal.PaletteFor(r.out)}
	s.printBecame(&p)
	return p.write(r.out)
}

// toolFile returns a text with all of its conflicts, or says of what other kind they are.
func toolFile(path string, versions [3][]byte) (unmerged.File, unmerged.Kind) {
	if _, ok := generated.Command(filepath.ToSlash(path)); ok {
		return unmerged.File{}, unmerged.Generated
	}
	if unmerged.IsNested(versions[1]) || unmerged.IsNested(versions[2]) {
		return unmerged.File{}, unmerged.Nested
	}
	f, refusal := unmerged.Unsettled(path, versions[0], versions[1], versions[2], 1)
	if refusal != "" {
		return unmerged.File{}, unmerged.KindOfRefusal(refusal)
	}
	return f, unmerged.Text
}

// readVersion returns a version of a file, empty if there is none. It is at most one byte larger than what is merged.
func readVersion(name string) ([]byte, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, merge.MaxBytes+1))
}

// confirmNew shows the new lines to the person at the terminal, and reports whether they are to be taken.
func (r resolving) confirmNew(s *stoppedMerge) bool {
	p := page{Palette: terminal.PaletteFor(r.errOut)}
	s.printNew(&p)
	_, _ = io.WriteString(r.errOut, p.b.String()+"Take them? [y/N] ")
	answer, _ := bufio.NewReader(r.in).ReadString('\n')
	return strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
}

// overwrite writes a file that exists, and keeps its mode.
func overwrite(path string, text []byte) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", path)
	}
	return os.WriteFile(path, text, info.Mode().Perm())
}
