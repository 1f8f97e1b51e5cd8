package edit

import (
	"path"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
)

// rename is one file to move.
type rename struct{ from, to string }

// move does what mv does: into a folder that is there, else to a new name, which must be free.
func (f *FileOps) move(op engine.Op) (engine.Result, error) {
	into, err := f.folder(op.To)
	if err != nil {
		return engine.Result{}, err
	}
	if !into && len(op.Paths) > 1 {
		return failedOp("%s is no folder, so that only one thing can be moved there", op.To), nil
	}
	var all []rename
	for _, from := range op.Paths {
		to := op.To
		if into {
			to = path.Join(op.To, path.Base(from))
		}
		moves, why, err := f.renames(from, to)
		if err != nil || why != "" {
			return failedOp("%s", why), err
		}
		all = append(all, moves...)
	}
	if why := f.refusesMoves(all); why != "" {
		return failedOp("%s", why), nil
	}
	if why, err := f.carry(all); err != nil || why != "" {
		return failedOp("%s", why), err
	}
	f.touched += len(all)
	return appliedOp("Moved %d %s to %s", len(all), markdown.Plural(len(all), "file"), op.To), nil
}

// folder says that a path is a folder, or was made one by mkdir.
func (f *FileOps) folder(name string) (bool, error) {
	kind, err := f.Checkout.Kind(name)
	return kind == engine.Folder || kind == engine.Absent && f.made[name], err
}

// renames are the files to move from one name to another, or why that cannot be.
func (f *FileOps) renames(from, to string) (moves []rename, why string, err error) {
	files, why, err := f.files(from)
	if err != nil || why != "" {
		return nil, why, err
	}
	kind, err := f.Checkout.Kind(to)
	switch {
	case err != nil:
		return nil, "", err
	case from == to:
		return nil, from + " is there already", nil
	case strings.HasPrefix(to, from+"/"):
		return nil, from + " cannot be moved into itself", nil
	case kind != engine.Absent:
		return nil, to + " exists already, and tenon overwrites nothing", nil
	case !inFolders(f.Checkout, to):
		return nil, "Something that is no folder stands above " + to, nil
	}
	for _, name := range files {
		moves = append(moves, rename{name, to + strings.TrimPrefix(name, from)})
	}
	return moves, "", nil
}

func (f *FileOps) refusesMoves(moves []rename) string {
	taken := map[string]bool{}
	var names, targets []string
	for _, m := range moves {
		if taken[m.from] || taken[m.to] {
			return "Two of the files are the same, or would get the same name: " + m.to
		}
		taken[m.from], taken[m.to] = true, true
		names, targets = append(names, m.from), append(targets, m.to)
	}
	if why := f.refuses(names...); why != "" {
		return why
	}
	return f.refuses(targets...)
}

// carry moves the files. When one cannot be, as its new name is too long for the repository, all go back.
func (f *FileOps) carry(moves []rename) (why string, err error) {
	for i, m := range moves {
		no := f.Checkout.Move(m.from, m.to)
		if no == nil {
			continue
		}
		for _, done := range moves[:i] {
			if err := f.Checkout.Move(done.to, done.from); err != nil {
				return "", err
			}
		}
		return no.Error(), nil
	}
	return "", nil
}
