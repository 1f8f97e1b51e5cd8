package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// script is the gittest.T of a program; close does the cleanups.
type script struct {
	folders  []string
	cleanups []func()
}

func (s *script) Helper() {}

func (s *script) Fatalf(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

func (s *script) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *script) TempDir() string {
	folder, err := os.MkdirTemp("", "gitbench")
	if err != nil {
		s.Fatalf("%w", err)
	}
	s.folders = append(s.folders, folder)
	return folder
}

func (s *script) close() {
	for _, f := range slices.Backward(s.cleanups) {
		f()
	}
	for _, folder := range s.folders {
		_ = os.RemoveAll(folder)
	}
}

// fill commits Go's sources and generated folders to main, packs the repository, and returns its text files.
func fill(s *script, repo *gittest.Repo) []string {
	out := &bytes.Buffer{}
	out.WriteString("commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 5\nfirst\n")
	files := addSources(s, out)
	for i := range 12_000 {
		name := fmt.Sprintf("service/s%02d/pkg%02d/part%02d/file%d.go", i%20, i/20%20, i/400%10, i)
		addFile(out, name, []byte(fmt.Sprintf("package part\n\n// Value%d is one of many.\nconst Value%d = %d\n", i, i, i)))
		files = append(files, name)
	}
	repo.GitIn(out.Bytes(), "fast-import", "--quiet")
	repo.Git("repack", "-adbq", "--window=3")
	return files
}

// addSources adds the smaller files of GOROOT/src, and returns the Go files among them.
func addSources(s *script, out *bytes.Buffer) (files []string) {
	root := os.DirFS(goroot(s))
	err := fs.WalkDir(root, "src", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil || len(data) > 200<<10 {
			return err
		}
		addFile(out, name, data)
		if filepath.Ext(name) == ".go" {
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		s.Fatalf("reading Go's sources: %w", err)
	}
	return files
}

func goroot(s *script) string {
	out, err := exec.Command("go", "env", "GOROOT").Output() //nolint:noctx // a few milliseconds, once
	if err != nil {
		s.Fatalf("go env GOROOT (%s): %w", runtime.Version(), err)
	}
	return strings.TrimSpace(string(out))
}

func addFile(out *bytes.Buffer, name string, data []byte) {
	fmt.Fprintf(out, "M 100644 inline %s\ndata %d\n", name, len(data))
	out.Write(data)
	out.WriteByte('\n')
}
