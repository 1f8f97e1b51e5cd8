package edit

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// maxReverted is how many files one undo takes back.
const maxReverted = 2000

// The reasons of an undo, beside the engine's.
const (
	// reasonOverlap says that later commits changed what is to be taken back.
	ReasonOverlap engine.Reason = "overlap"
	// reasonHeld says that nothing is wrong with this file, but with another one.
	ReasonHeld engine.Reason = "held"
)

// revert takes back what one commit did, on top of what others have done since.
type Revert struct {
	// before is the commit's parent, after the commit, tip where the branch stands today.
	Before, After, Tip repo.Checkout
	// protected says that policy forbids a path.
	Protected func(path string) bool
}

// stand is what stands at a path.
type stand struct {
	kind engine.Kind
	data []byte
	// program says that the file has the mode of one.
	program bool
}

func (s stand) is(o stand) bool {
	return s.kind == o.kind && s.program == o.program && bytes.Equal(s.data, o.data)
}

func (s stand) file() bool { return s.kind == engine.File }

// stage puts the paths back to what they were before the commit, on the tip: a file that nobody touched since as a whole, one
// that was changed since by the reverse of the commit's own changes. It is all or nothing, because a commit of which a part is
// undone is worse than one that stands: when one path cannot be taken back, nothing is staged and no result is Applied.
func (r Revert) Stage(ctx context.Context, paths []string) (engine.Outcome, error) {
	if len(paths) > maxReverted {
		return engine.Outcome{}, &port.UserError{Text: fmt.Sprintf("The commit changed %d files, and tenon takes back at most %d at once. Revert it by git.", len(paths), maxReverted)}
	}
	for _, c := range []repo.Checkout{r.Before, r.After, r.Tip} {
		if err := c.Load(ctx, paths...); err != nil {
			return engine.Outcome{}, fmt.Errorf("loading %d files of %s: %w", len(paths), c.SHA(), err)
		}
	}
	var out engine.Outcome
	wanted := make([]stand, len(paths))
	failed := false
	for i, path := range paths {
		res, want, err := r.file(path)
		if err != nil {
			return engine.Outcome{}, err
		}
		wanted[i], failed = want, failed || res.Status == engine.Failed
		out.Results = append(out.Results, res)
	}
	if failed {
		return hold(out), nil
	}
	return r.write(out, wanted)
}

// hold says of what could be taken back that it is not.
func hold(out engine.Outcome) engine.Outcome {
	for i, res := range out.Results {
		if res.Status == engine.Applied {
			out.Results[i] = engine.Result{Path: res.Path, Status: engine.Skipped, Reason: ReasonHeld, Detail: "It could be taken back, but not without the others"}
		}
	}
	return out
}

// file finds what a path is to hold.
func (r Revert) file(path string) (engine.Result, stand, error) {
	res := engine.Result{Path: path, Status: engine.Failed}
	var at [3]stand
	for i, c := range []repo.Checkout{r.Before, r.After, r.Tip} {
		var err error
		if at[i], err = standing(c, path); errors.Is(err, engine.ErrTooLarge) {
			res.Reason, res.Detail = engine.TooLarge, "The file is too large for tenon"
			return res, stand{}, nil
		} else if err != nil {
			return res, stand{}, err
		}
	}
	before, after, now := at[0], at[1], at[2]
	switch {
	case before.is(after):
		res.Status, res.Reason, res.Detail = engine.Skipped, engine.NoChange, "The commit did not change it"
	case now.is(before):
		res.Status, res.Reason, res.Detail = engine.Skipped, engine.AlreadyApplied, "It is as it was before the commit already"
	case r.Protected(path):
		res.Reason, res.Detail = engine.ProtectedPath, "Changes of this path are not allowed"
	case r.blocked(path):
		res.Reason, res.Detail = ReasonOverlap, "A link, a submodule, a folder or a file stands in its way now"
	case now.is(after):
		res.Status = engine.Applied
		tell(&res, now, before)
		return res, before, nil
	default:
		return merge(res, before, after, now)
	}
	return res, stand{}, nil
}

// standing reads what stands at a path. What is below a file or a link is absent.
func standing(c repo.Checkout, path string) (s stand, err error) {
	if s.kind, err = c.Kind(path); err != nil || !s.file() {
		return s, err
	}
	if s.data, err = c.ReadFile(path); err != nil {
		return s, err
	}
	s.program, err = c.Executable(path)
	return s, err
}

// blocked says that no file can stand at the path, at the tip.
func (r Revert) blocked(path string) bool {
	kind, err := r.Tip.Kind(path)
	return err != nil || kind != engine.File && kind != engine.Absent || !inFolders(r.Tip, path)
}

// inFolders says that all above a path are folders, or not there.
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

// write stages what the paths are to hold, removals first: a file may have to stand where a folder was.
func (r Revert) write(out engine.Outcome, wanted []stand) (engine.Outcome, error) {
	for _, files := range []bool{false, true} {
		for i, res := range out.Results {
			if res.Status != engine.Applied || wanted[i].file() != files {
				continue
			}
			if err := r.put(res.Path, wanted[i]); err != nil {
				return engine.Outcome{}, fmt.Errorf("taking back %s: %w", res.Path, err)
			}
		}
	}
	var err error
	out.Changed, err = changedPaths(r.Tip)
	return out, err
}

func (r Revert) put(path string, want stand) error {
	if !want.file() {
		return r.Tip.Remove(path)
	}
	if err := r.Tip.WriteFile(path, want.data); err != nil {
		return err
	}
	return r.Tip.SetExecutable(path, want.program)
}
