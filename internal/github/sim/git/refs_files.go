package git

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// fileRefs are the refs in the folder of a bare repository, which git reads and writes too. See
// gitrepository-layout(5).
type fileRefs struct{ dir string }

func (f fileRefs) file(name string) string { return filepath.Join(f.dir, filepath.FromSlash(name)) }

func (f fileRefs) ref(name string) string {
	if data, err := os.ReadFile(f.file(name)); err == nil {
		return f.target(data)
	}
	packed, err := f.packed()
	if err != nil {
		return ""
	}
	return packed[name]
}

// target returns the object in the file of a ref, which may be a symbolic one.
func (f fileRefs) target(data []byte) string {
	text := strings.TrimSpace(string(data))
	if to, is := strings.CutPrefix(text, symbolic); is {
		return f.ref(to)
	}
	return text
}

// packed returns the refs of the file "packed-refs".
func (f fileRefs) packed() (map[string]string, error) {
	data, err := os.ReadFile(f.file("packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	refs := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if sha, name, _ := strings.Cut(strings.TrimSpace(line), " "); wholeID.MatchString(sha) {
			refs[name] = sha
		}
	}
	return refs, nil
}

func (f fileRefs) refs() (map[string]string, error) {
	refs, err := f.packed()
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(f.file("refs"), func(file string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // git deleted one meanwhile
			return nil
		}
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".lock") {
			return err
		}
		name, err := filepath.Rel(f.dir, file)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		refs[filepath.ToSlash(name)] = f.target(data)
		return err
	})
	maps.DeleteFunc(refs, func(_, sha string) bool { return sha == "" })
	return refs, err
}

// update moves refs as git does: each one has a lock file, which becomes the ref.
func (f fileRefs) update(updates []Update) (err error) {
	var locked []string
	defer func() {
		for _, lock := range locked { // those that were not renamed
			_ = os.Remove(lock)
		}
	}()
	for _, u := range updates {
		if err := f.lock(u.Name, u.To); err != nil {
			return fmt.Errorf("moving %s: %w", u.Name, err)
		}
		locked = append(locked, f.file(u.Name)+".lock")
	}
	refs, err := f.refs()
	if err != nil {
		return err
	}
	if err := checkUpdates(refs, updates); err != nil {
		return err
	}
	for _, u := range updates {
		if u.To == "" {
			err = f.remove(u.Name)
		} else {
			err = os.Rename(f.file(u.Name)+".lock", f.file(u.Name))
		}
		if err != nil {
			return fmt.Errorf("moving %s: %w", u.Name, err)
		}
	}
	return nil
}

// lockTries is how often a lock is tried to get, a millisecond apart. git keeps it for moments.
const lockTries = 5000

// lock writes the lock file of a ref, or of "packed-refs".
func (f fileRefs) lock(name, content string) error {
	lock := f.file(name) + ".lock"
	for try := 1; ; try++ {
		if err := os.MkdirAll(filepath.Dir(lock), 0o755); err != nil {
			return err
		}
		file, err := os.OpenFile(lock, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) && try < lockTries {
			time.Sleep(time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		_, err = file.WriteString(content + "\n")
		return errors.Join(err, file.Close())
	}
}

func (f fileRefs) remove(name string) error {
	packed, err := f.packed()
	if err != nil {
		return err
	}
	if packed[name] != "" {
		delete(packed, name)
		if err := f.writePacked(packed); err != nil {
			return err
		}
	}
	if err := os.Remove(f.file(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(f.file(name) + ".lock")
	for folder := filepath.Dir(f.file(name)); filepath.Dir(folder) != f.file("refs"); folder = filepath.Dir(folder) {
		if os.Remove(folder) != nil { // there are others
			break
		}
	}
	return nil
}

// writePacked writes packed-refs, without what tags refer to.
func (f fileRefs) writePacked(refs map[string]string) error {
	var b strings.Builder
	b.WriteString("# pack-refs with: sorted")
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		b.WriteString("\n" + refs[name] + " " + name)
	}
	if err := f.lock("packed-refs", b.String()); err != nil {
		return err
	}
	return os.Rename(f.file("packed-refs.lock"), f.file("packed-refs"))
}

func (f fileRefs) head() string {
	data, _ := os.ReadFile(f.file("HEAD"))
	return strings.TrimPrefix(strings.TrimSpace(string(data)), symbolic+headsPrefix)
}

func (f fileRefs) setHead(branch string) error {
	if err := f.lock("HEAD", symbolic+headsPrefix+branch); err != nil {
		return fmt.Errorf("moving HEAD: %w", err)
	}
	return os.Rename(f.file("HEAD.lock"), f.file("HEAD"))
}
