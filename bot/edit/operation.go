package edit

import (
	"fmt"
	"path"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// maxOpFiles is how many files the operations of one command may touch.
const maxOpFiles = 1000

// FileOps carries out file operations as changes of a checkout's tree. No shell is involved.
type FileOps struct {
	Checkout repo.Checkout
	// Protected returns why policy forbids changes of a path, in a sentence without a full stop; empty if it does not.
	Protected func(path string) string
	// folders are those that mkdir made. A tree has no empty folders, but a move can name one as its target.
	folders map[string]bool
	// touched counts the files of all operations.
	touched int
}

// reasonOperation means that a file operation cannot be carried out. The detail says why.
const reasonOperation engine.Reason = "operation"

func appliedOp(format string, args ...any) engine.Result {
	return engine.Result{Status: engine.Applied, Detail: fmt.Sprintf(format, args...)}
}

func failedOp(format string, args ...any) engine.Result {
	return engine.Result{Status: engine.Failed, Reason: reasonOperation, Detail: fmt.Sprintf(format, args...)}
}

// mkdir notes the folders. Git keeps no empty ones, so there is nothing to stage.
func (f *FileOps) mkdir(op engine.Op) (engine.Result, error) {
	for _, name := range op.Paths {
		kind, err := f.Checkout.Kind(name)
		if err != nil {
			return engine.Result{}, err
		}
		if kind != engine.Folder && kind != engine.Absent || !inFolders(f.Checkout, name) {
			return failedOp("%s cannot be a folder: something else is there, or above it", name), nil
		}
	}
	f.AddFolders(op.Paths...)
	return engine.Result{
		Status: engine.Skipped, Reason: engine.NoChange,
		Detail: "Git does not store empty folders; it will exist with its first file",
	}, nil
}

// AddFolders makes folders, and those above them, targets of later moves.
func (f *FileOps) AddFolders(names ...string) {
	if f.folders == nil {
		f.folders = map[string]bool{}
	}
	for _, name := range names {
		for ; name != "."; name = path.Dir(name) {
			f.folders[name] = true
		}
	}
}

func (f *FileOps) remove(op engine.Op) (engine.Result, error) {
	var all []string
	for _, name := range op.Paths {
		files, why, err := f.files(name)
		if err != nil || why != "" {
			return failedOp("%s", why), err
		}
		if op.Kind == engine.OpRemove && !slices.Equal(files, []string{name}) {
			return failedOp("%s is a folder, and the command does not remove folders without -r", name), nil
		}
		all = append(all, files...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if why := f.refuse(all...); why != "" {
		return failedOp("%s", why), nil
	}
	for _, name := range all {
		if err := f.Checkout.Remove(name); err != nil {
			return engine.Result{}, err
		}
	}
	f.touched += len(all)
	return appliedOp("Removed %d %s", len(all), english.PluralWord(len(all), "file", "")), nil
}

// files returns the regular file at a path, or all files below it. why says, in a sentence, why there are none.
func (f *FileOps) files(name string) (files []string, why string, err error) {
	kind, err := f.Checkout.Kind(name)
	if err != nil {
		return nil, "", err
	}
	switch kind {
	case engine.Absent:
		return nil, "There is nothing at " + name, nil
	case engine.Symlink, engine.Submodule:
		return nil, name + " is a link or a submodule, which tenon does not change", nil
	case engine.Ignored:
		return nil, name + " is ignored by git, or left out of the checkout", nil
	case engine.File:
		return []string{name}, "", nil
	}
	links, err := f.Checkout.Links(name)
	if err != nil {
		return nil, "", err
	}
	if len(links) > 0 {
		return nil, links[0] + " is a link or a submodule, which tenon does not change", nil
	}
	all, err := paths.Of(f.Checkout)
	if err != nil {
		return nil, "", err
	}
	return slices.Collect(all.Between(all.Below(name))), "", nil
}

// refuse says why an operation must not touch some paths; empty when it may.
func (f *FileOps) refuse(names ...string) string {
	if f.touched+len(names) > maxOpFiles {
		return fmt.Sprintf("That makes %d files with those before it, and one command may change at most %d",
			f.touched+len(names), maxOpFiles)
	}
	for _, name := range names {
		if why := f.Protected(name); why != "" {
			return "Changes of this path are not allowed: " + name + ". " + why
		}
	}
	return ""
}
