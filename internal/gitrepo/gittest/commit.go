package gittest

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// File is a file of a commit. The zero Mode is "100644"; "120000" makes a link to what Data says, "160000" a submodule at it.
type File struct {
	Mode string
	Data string
}

// Files are plain files by path.
func Files(pairs map[string]string) map[string]File {
	files := map[string]File{}
	for path, data := range pairs {
		files[path] = File{Data: data}
	}
	return files
}

// Commit adds a commit with these files, on top of what branch holds, and moves the branch to it. It returns the commit's id.
func (r *Repo) Commit(branch string, files map[string]File) string {
	r.tb.Helper()
	ref := "refs/heads/" + branch
	var in bytes.Buffer
	fmt.Fprintf(&in, "commit %s\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 7\nchange\n", ref)
	if r.Ref(ref) != "" {
		fmt.Fprintf(&in, "from %s^0\n", ref)
	}
	for _, path := range sortedKeys(files) {
		f := files[path]
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

// Ref returns where a ref stands; empty when there is none.
func (r *Repo) Ref(ref string) string {
	r.tb.Helper()
	return r.Git("for-each-ref", "--format=%(objectname)", ref)
}

// Read returns a file's bytes as a commit has them.
func (r *Repo) Read(commit, path string) string {
	r.tb.Helper()
	return r.GitIn([]byte(commit+":"+path+"\n"), "cat-file", "--batch=%(objecttype)")
}

// Fsck fails the test unless git finds nothing wrong with the whole repository.
func (r *Repo) Fsck() {
	r.tb.Helper()
	if out := r.Git("fsck", "--strict", "--full", "--no-dangling"); out != "" {
		r.tb.Fatalf("git fsck: %s", out)
	}
}

func quote(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(path) + `"`
}

func sortedKeys(files map[string]File) []string {
	var paths []string
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}
