package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"

	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// script is the gittest.T of a program. What it makes is in one folder.
type script struct {
	folder   string
	cleanups []func()
}

func (s *script) Helper() {}

func (s *script) Fatalf(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	s.close()
	os.Exit(1)
}

func (s *script) Cleanup(f func()) { s.cleanups = append(s.cleanups, f) }

func (s *script) TempDir() string { return s.folder }

func (s *script) close() {
	for _, f := range s.cleanups {
		f()
	}
	_ = os.RemoveAll(s.folder)
}

// serve makes a repository and serves it until its standard input ends. It prints the URL, the tip of the branch main,
// and, for each line that it reads, the tip after a commit: "change" changes a file, "add" adds one.
func serve(count int) {
	folder, err := os.MkdirTemp("", "viewbench")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s := &script{folder: folder}
	defer s.close()
	server := gittest.New(s)
	repo := server.Create(s, "acme/anvil")
	fill(repo, count)
	fmt.Println(server.URL, repo.Ref("refs/heads/main"))
	orders := bufio.NewScanner(os.Stdin)
	for n := 1; orders.Scan(); n++ {
		name := nameOf(n * 7919 % count)
		if orders.Text() == "add" {
			name = fmt.Sprintf("%s_%d.go", name, n)
		}
		fmt.Println(repo.Commit("main", gittest.Files(map[string]string{name: fmt.Sprintf("package x // %d\n", n)})))
	}
}

// words are what names are made of.
var words = []string{"reader", "writer", "buffer", "request", "answer", "token", "parse", "encode", "cache", "index",
	"server", "client", "header", "stream", "session", "policy", "record", "branch", "commit", "merge"}

// nameOf returns the path of a file: 16 in a folder, 400 folders in one, as in large repositories of many projects.
func nameOf(i int) string {
	word := func(n int) string { return words[n%len(words)] }
	return fmt.Sprintf("services/%s%d/%s/%s_%d/%s_%s%d.go", word(i/6400), i/6400, word(i/320), word(i/16), i/16%400,
		word(i*7), word(i/3), i)
}

// fill commits so many files to main, each with a content of its own, so that no id of a blob is there twice.
func fill(repo *gittest.Repo, count int) {
	in := &bytes.Buffer{}
	in.WriteString("commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 5\nfirst\n")
	for i := range count {
		text := fmt.Sprintf("package x\n\n// Value%d is one of many.\nconst Value%d = %d\n", i, i, i)
		fmt.Fprintf(in, "M 100644 inline %s\ndata %d\n%s\n", nameOf(i), len(text), text)
	}
	repo.GitIn(in.Bytes(), "fast-import", "--quiet")
}
