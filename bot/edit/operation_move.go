package edit

import (
	"fmt"
	"path"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/engine"
)

// rename is one file to move.
type rename struct{ from, to string }

// move does what mv does: it moves into a folder that exists, else to a new name, which must be free.
func (f *FileOps) move(op engine.Op) (engine.Result, error) {
	into, err := f.isFolder(op.To)
	if err != nil {
		return engine.Result{}, err
	}
	if !into && len(op.Paths) > 1 {
		return failedOp("%s is not a folder, so only one thing can be moved there", op.To), nil
	}
	var all []rename
	for _, from := range op.Paths {
		to := op.To
		if into {
			to = path.Join(op.To, path.Base(from))
		}
		renames, why, err := f.renames(from, to)
		if err != nil || why != "" {
			return failedOp("%s", why), err
		}
		all = append(all, renames...)
	}
	if why := f.refuseRenames(all); why != "" {
		return failedOp("%s", why), nil
	}
	if why, err := f.refuseNames(all); err != nil || why != "" {
		return failedOp("%s", why), err
	}
	if why, err := f.renameAll(all); err != nil || why != "" {
		return failedOp("%s", why), err
	}
	f.touched += len(all)
	return appliedOp("Moved %d %s to %s", len(all), english.PluralWord(len(all), "file", ""), op.To), nil
}

// refuseNames says why files must not get the names that they would be moved to; empty when they may.
func (f *FileOps) refuseNames(all []rename) (why string, err error) {
	names := engine.NewNames(f.Checkout) // as the operations until now left the tree
	from := make([]string, len(all))
	for i, r := range all {
		from[i] = r.from
	}
	for _, r := range all {
		if why, err := names.Refuse(r.to, from...); err != nil || why != "" {
			return fmt.Sprintf("%s cannot be the name of a file: %s", r.to, why), err
		}
		if found := unusual.NewFile("").Find([]string{r.from}, []string{r.to}, false); len(found) > 0 {
			return fmt.Sprintf("%s cannot be the name of a file: it has %s", r.to, found[0].What), nil
		}
		names.Add(r.to)
	}
	return "", nil
}

// isFolder reports whether a path is a folder, or was made one by mkdir.
func (f *FileOps) isFolder(name string) (bool, error) {
	kind, err := f.Checkout.Kind(name)
	return kind == engine.Folder || kind == engine.Absent && f.folders[name], err
}

// renames returns the files to move, each file of a folder on its own. why says, in a sentence, why that is
// impossible.
func (f *FileOps) renames(from, to string) (all []rename, why string, err error) {
	files, why, err := f.files(from)
	if err != nil || why != "" {
		return nil, why, err
	}
	kind, err := f.Checkout.Kind(to)
	switch {
	case err != nil:
		return nil, "", err
	case from == to:
		return nil, from + " already exists", nil
	case strings.HasPrefix(to, from+"/"):
		return nil, from + " cannot be moved into itself", nil
	case kind != engine.Absent:
		return nil, to + " already exists, and tenon does not overwrite files", nil
	case !inFolders(f.Checkout, to):
		return nil, "Something that is not a folder is above " + to, nil
	}
	for _, name := range files {
		all = append(all, rename{name, to + strings.TrimPrefix(name, from)})
	}
	return all, "", nil
}

// refuseRenames says why files must not be moved; empty when they may.
func (f *FileOps) refuseRenames(all []rename) string {
	taken := map[string]bool{}
	var sources, targets []string
	for _, r := range all {
		if taken[r.from] || taken[r.to] {
			return "Two of the files are the same, or would get the same name: " + r.to
		}
		taken[r.from], taken[r.to] = true, true
		sources, targets = append(sources, r.from), append(targets, r.to)
	}
	if why := f.refuse(sources...); why != "" {
		return why
	}
	return f.refuse(targets...)
}

// renameAll moves the files. If the checkout refuses one, for a name that is too long, all are moved back.
func (f *FileOps) renameAll(all []rename) (why string, err error) {
	for i, r := range all {
		refused := f.Checkout.Move(r.from, r.to)
		if refused == nil {
			continue
		}
		for _, done := range all[:i] {
			if err := f.Checkout.Move(done.to, done.from); err != nil {
				return "", err
			}
		}
		return refused.Error(), nil
	}
	return "", nil
}
