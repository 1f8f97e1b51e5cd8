package gittest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// File is a file of a commit. An empty Mode means "100644"; with "120000" it is a link to the path in Data,
// with "160000" a submodule at the commit in Data. One that is Gone is removed.
type File struct {
	Mode string
	Data string
	Gone bool
}

// Files returns regular files with these contents, by path.
func Files(pairs map[string]string) map[string]File {
	files := map[string]File{}
	for path, data := range pairs {
		files[path] = File{Data: data}
	}
	return files
}

// Commit adds a commit with these files to a branch, and returns its id.
func (r *Repo) Commit(branch string, files map[string]File) string {
	r.tb.Helper()
	ref := "refs/heads/" + branch
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit %s\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 7\nchange\n", ref)
	if r.Ref(ref) != "" {
		fmt.Fprintf(&in, "from %s^0\n", ref)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		f := files[path]
		if f.Gone {
			fmt.Fprintf(&in, "D %s\n", quote(path))
			continue
		}
		switch f.Mode {
		case "":
			f.Mode = "100644"
		case "160000":
			fmt.Fprintf(&in, "M 160000 %s %s\n", f.Data, quote(path))
			continue
		}
		fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", f.Mode, quote(path), len(f.Data), f.Data)
	}
	r.GitIn(in.Bytes(), "fast-import", "--quiet")
	return r.Ref(ref)
}

// Ref returns the commit that a ref points to, or "" if there is no such ref.
func (r *Repo) Ref(ref string) string {
	r.tb.Helper()
	if id, err := os.ReadFile(filepath.Join(r.Dir, filepath.FromSlash(ref))); err == nil {
		return strings.TrimSpace(string(id))
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "packed-refs")); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return r.Git("for-each-ref", "--format=%(objectname)", ref)
}

// Take gives the repository a ref of another one, and all of its objects.
func (r *Repo) Take(from *Repo, ref, as string) {
	r.tb.Helper()
	objects, into := filepath.Join(from.Dir, "objects"), filepath.Join(r.Dir, "objects")
	err := filepath.WalkDir(objects, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err = filepath.Rel(objects, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(into, path), 0o700)
		}
		if err = os.Link(filepath.Join(objects, path), filepath.Join(into, path)); errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	})
	if err != nil {
		r.tb.Fatalf("taking the objects of %s: %v", from.Name, err)
	}
	r.Git("update-ref", as, from.Ref(ref))
}

// Read returns a file's bytes in a commit.
func (r *Repo) Read(commit, path string) string {
	r.tb.Helper()
	return r.GitIn([]byte(commit+":"+path+"\n"), "cat-file", "--batch=%(objecttype)")
}

// Fsck fails the test if git fsck finds an error.
func (r *Repo) Fsck() {
	r.tb.Helper()
	if out := r.Git("fsck", "--strict", "--full", "--no-dangling"); out != "" {
		r.tb.Fatalf("git fsck: %s", out)
	}
}

func quote(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}
