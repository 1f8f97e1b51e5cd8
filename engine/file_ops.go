package engine

import (
	"fmt"

	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/engine/tree"
)

// remover is a Tree whose files can be removed and renamed.
type remover interface {
	Remove(name string) error
	Move(from, to string) error
}

// keepsFiles is the refusal to remove or rename files of a Tree that cannot do that.
var keepsFiles = refusal{ProtectedPath, "Files of this tree can be neither removed nor renamed"}

// operate does what a block does with a file as a whole: it removes or renames it. A file whose path was guessed is
// neither.
func (a *applier) operate(f *file, b Block, target resolvedPath, res *Result) error {
	_, can := a.tree.(remover)
	switch {
	case !target.exists || target.guessed || f.removed:
		res.fail(refusal{FileNotFound, a.paths.notFound(target.path)})
	case f.movedTo != "":
		res.fail(refusal{FileNotFound, fmt.Sprintf("%s was renamed to %s by an earlier edit", f.path, f.movedTo)})
	case !can:
		res.fail(keepsFiles)
	case b.Remove:
		a.remove(f, b, res)
	default:
		return a.rename(f, b.MoveTo, res)
	}
	return nil
}

// remove removes a file, if it has no other lines than the block says, or the block does not say.
func (a *applier) remove(f *file, b Block, res *Result) {
	have := f.text.Lines()
	a.work.SpendBytes(f.text.Size())
	if len(b.Find) > 0 && !sameLines(match.WithoutBOM(f.text, b.Find), have) {
		res.fail(refusal{NotFound, "The file has other lines than the diff that removes it"})
		return
	}
	if a.makeEdits(f, []text.Edit{{To: len(have)}}, res); res.Status == Applied {
		f.removed, res.Detail = true, "The file is removed"
	}
}

// sameLines reports whether two lists have the same lines, but for blank ones and trailing whitespace.
func sameLines(a, b []string) bool {
	next := func(lines []string) (string, []string) {
		for len(lines) > 0 && text.IsBlank(lines[0]) {
			lines = lines[1:]
		}
		if len(lines) == 0 {
			return "", nil
		}
		return text.TrimTrailing(lines[0]), lines[1:]
	}
	for len(a) > 0 || len(b) > 0 {
		var x, y string
		x, a = next(a)
		y, b = next(b)
		if x != y {
			return false
		}
	}
	return true
}

// rename renames a file to a name that nothing has.
func (a *applier) rename(f *file, to string, res *Result) error {
	clean, why := tree.Clean(to)
	if why != "" {
		res.fail(*unsafePath(why))
		return nil
	}
	_, refused, err := a.paths.checkParents(resolvedPath{path: clean}, nil)
	if err != nil {
		return err
	}
	kind, err := a.paths.kind(clean)
	if err != nil {
		return err
	}
	if refused == nil && kind == Absent {
		if why, err = a.paths.names().Refuse(clean, f.path); err != nil {
			return err
		}
	}
	switch {
	case refused != nil:
		res.fail(*refused)
	case kind != Absent:
		res.fail(refusal{FileExists, clean + " exists, and no file is overwritten by renaming another"})
	case why != "":
		res.fail(*unsafePath(why))
	case a.opts.Protected != nil && a.opts.Protected(clean):
		res.fail(refusal{ProtectedPath, "Edits of this path are not allowed: " + clean})
	case !a.mayMake(clean, &Edit{Line: 1}, res):
	default:
		f.movedTo, a.oldNames[clean] = clean, f.path
		a.paths.create(clean)
		res.Status, res.Reason, res.Detail = Applied, "", fmt.Sprintf("%s is renamed to %s", f.path, clean)
		res.Line = 1
	}
	return nil
}

// write writes a file as it is after all edits, under its new name if it has one.
func (a *applier) write(f *file, data []byte, edited bool) (err error) {
	switch {
	case f.removed && f.original == nil:
	case f.removed:
		err = a.tree.(remover).Remove(f.path)
	case edited:
		err = a.tree.WriteFile(f.path, data)
	}
	if err == nil && f.movedTo != "" {
		err = a.tree.(remover).Move(f.path, f.movedTo)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// changedNames returns the names under which a file is changed, and sets that of the results of one that is renamed.
func (a *applier) changedNames(f *file, edited bool) (names []string) {
	if edited || f.movedTo != "" {
		names = append(names, f.path)
	}
	if f.movedTo == "" {
		return names
	}
	for _, i := range a.blocksOf[f.path] {
		a.results[i].Path, a.results[i].From = f.movedTo, f.path
	}
	return append(names, f.movedTo)
}

// isFile reports whether there is a file at a path.
func (a *applier) isFile(name string) bool {
	clean, why := tree.Clean(name)
	if why != "" {
		return false
	}
	kind, err := a.paths.kind(clean)
	return err == nil && kind == File
}
