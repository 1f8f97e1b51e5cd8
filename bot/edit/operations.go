package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// maxOpFiles is how many files the operations of one command may touch.
const maxOpFiles = 1000

// fileOps carries out file operations on a checkout, as changes of its tree: nothing is ever given to a shell.
type FileOps struct {
	Checkout repo.Checkout
	// protected says that policy forbids a path.
	Protected func(path string) bool
	// made are folders that mkdir made. A tree holds no empty folder, but what is moved to one goes into it.
	made map[string]bool
	// touched counts files.
	touched int
}

// reasonOp says that a file operation cannot be carried out; the detail has the reason.
const reasonOp engine.Reason = "operation"

// run carries the operations out in order, and says what became of each. One that fails changes nothing; those behind it go on.
// An error is the checkout's.
func (f *FileOps) Run(ops []engine.Op) (out engine.Outcome, err error) {
	for _, op := range ops {
		res, err := f.one(op)
		if err != nil {
			return engine.Outcome{}, fmt.Errorf("%s %s: %w", op.Kind, strings.Join(op.Paths, " "), err)
		}
		res.Path = op.Paths[0]
		out.Results = append(out.Results, res)
	}
	out.Changed, err = changedPaths(f.Checkout)
	return out, err
}

func changedPaths(c repo.Checkout) (names []string, err error) {
	changes, err := c.Changes()
	for _, change := range changes {
		names = append(names, change.Path)
	}
	return names, err
}

func (f *FileOps) one(op engine.Op) (engine.Result, error) {
	switch op.Kind {
	case engine.OpMkdir:
		return f.mkdir(op)
	case engine.OpMove:
		return f.move(op)
	case engine.OpRemove:
		return f.remove(op)
	}
	return failedOp("tenon does not carry out such commands"), nil
}

func appliedOp(format string, args ...any) engine.Result {
	return engine.Result{Status: engine.Applied, Detail: fmt.Sprintf(format, args...)}
}

func failedOp(format string, args ...any) engine.Result {
	return engine.Result{Status: engine.Failed, Reason: reasonOp, Detail: fmt.Sprintf(format, args...)}
}

// mkdir remembers folders. Git keeps no empty ones, so there is nothing to stage.
func (f *FileOps) mkdir(op engine.Op) (engine.Result, error) {
	for _, name := range op.Paths {
		kind, err := f.Checkout.Kind(name)
		if err != nil {
			return engine.Result{}, err
		}
		if kind != engine.Folder && kind != engine.Absent || !inFolders(f.Checkout, name) {
			return failedOp("%s cannot be a folder: something else stands there, or above it", name), nil
		}
	}
	f.Remember(op.Paths...)
	return engine.Result{Status: engine.Skipped, Reason: engine.NoChange, Detail: "Git keeps no empty folders; it will be there with its first file"}, nil
}

// remember takes note of folders that were made, and those above them.
func (f *FileOps) Remember(names ...string) {
	if f.made == nil {
		f.made = map[string]bool{}
	}
	for _, name := range names {
		for ; name != "."; name = path.Dir(name) {
			f.made[name] = true
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
		all = append(all, files...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if why := f.refuses(all...); why != "" {
		return failedOp("%s", why), nil
	}
	for _, name := range all {
		if err := f.Checkout.Remove(name); err != nil {
			return engine.Result{}, err
		}
	}
	f.touched += len(all)
	return appliedOp("Removed %d %s", len(all), markdown.Plural(len(all), "file")), nil
}

// files are the regular files that a path stands for: itself, or all below it. Anything else is refused, in a sentence.
func (f *FileOps) files(name string) (files []string, why string, err error) {
	kind, err := f.Checkout.Kind(name)
	if err != nil {
		return nil, "", err
	}
	switch kind {
	case engine.Absent:
		return nil, "There is nothing at " + name, nil
	case engine.Symlink, engine.Submodule:
		return nil, name + " is a link or a submodule, which tenon leaves alone", nil
	case engine.File:
		return []string{name}, "", nil
	}
	odd, err := f.Checkout.Links(name)
	if err != nil || len(odd) > 0 {
		return nil, strings.Join(odd[:min(len(odd), 1)], "") + " is a link or a submodule, which tenon leaves alone", err
	}
	all, err := f.Checkout.Files()
	first, _ := slices.BinarySearch(all, name+"/")
	last := first
	for last < len(all) && strings.HasPrefix(all[last], name+"/") {
		last++
	}
	return slices.Clone(all[first:last]), "", err
}

// refuses says why paths may not be touched; empty when they may.
func (f *FileOps) refuses(names ...string) string {
	if f.touched+len(names) > maxOpFiles {
		return fmt.Sprintf("That makes %d files with those before it, and tenon touches at most %d for one command", f.touched+len(names), maxOpFiles)
	}
	if i := slices.IndexFunc(names, f.Protected); i >= 0 {
		return "Changes of this path are not allowed: " + names[i]
	}
	return ""
}
