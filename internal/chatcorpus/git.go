package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
)

// A repo reads the objects of a bare git directory. It is not safe for concurrent use.
type repo struct {
	ctx context.Context
	dir string
	cat *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func openRepo(ctx context.Context, dir string) (*repo, error) {
	r := &repo{ctx: ctx, dir: dir}
	r.cat = r.command("cat-file", "--batch")
	in, err := r.cat.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("opening a pipe to git: %w", err)
	}
	out, err := r.cat.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("opening a pipe from git: %w", err)
	}
	if err := r.cat.Start(); err != nil {
		return nil, fmt.Errorf("starting git cat-file: %w", err)
	}
	r.in, r.out = in, bufio.NewReader(out)
	return r, nil
}

func (r *repo) close() error {
	if err := r.in.Close(); err != nil {
		return fmt.Errorf("ending git cat-file: %w", err)
	}
	return r.cat.Wait()
}

func (r *repo) command(args ...string) *exec.Cmd {
	return exec.CommandContext(r.ctx, "git", append([]string{"-c", "safe.directory=*", "-C", r.dir}, args...)...)
}

// run returns what a git command prints, split at NUL bytes.
func (r *repo) run(args ...string) ([]string, error) {
	out, err := r.command(args...).Output()
	if err != nil {
		return nil, fmt.Errorf("running git %s: %w", args[0], err)
	}
	out = bytes.TrimSuffix(out, []byte{0})
	if len(out) == 0 {
		return nil, nil
	}
	return strings.Split(string(out), "\x00"), nil
}

// object returns the full name and the content of an object. An object that does not exist has no name.
func (r *repo) object(rev string) (name string, content []byte, err error) {
	if _, err := fmt.Fprintln(r.in, rev); err != nil {
		return "", nil, fmt.Errorf("asking git for %s: %w", rev, err)
	}
	line, err := r.out.ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("reading %s from git: %w", rev, err)
	}
	f := strings.Fields(line)
	if len(f) != 3 {
		return "", nil, nil // "missing" or "ambiguous"
	}
	size, err := strconv.Atoi(f[2])
	if err != nil {
		return "", nil, fmt.Errorf("reading the size of %s from git: %w", rev, err)
	}
	content = make([]byte, size+1)
	if _, err := io.ReadFull(r.out, content); err != nil {
		return "", nil, fmt.Errorf("reading %s from git: %w", rev, err)
	}
	return f[0], content[:size], nil
}

// tree returns the blobs of the regular files of a commit by their paths.
func (r *repo) tree(commit string) (map[string]string, error) {
	lines, err := r.run("ls-tree", "-r", "-z", commit)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, line := range lines {
		meta, path, _ := strings.Cut(line, "\t")
		if f := strings.Fields(meta); len(f) == 3 && strings.HasPrefix(f[0], "100") {
			files[path] = f[2]
		}
	}
	return files, nil
}

// changes returns the paths of the files that differ between two commits.
func (r *repo) changes(from, to string) ([]string, error) {
	return r.run("diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to)
}

// A history is a version of a chat history, with the commit that holds it.
type history struct {
	commit, text string
}

// histories returns those versions of the chat histories that are larger than the ones before and after: in between, a
// history only grows. It looks for them in the past of head and of all refs.
func (r *repo) histories(head string) ([]history, error) {
	out, err := r.command("log", "--full-history", "--reverse", "--raw", "--no-abbrev", "--no-renames",
		"--format=%H", head, "--all", "--", "*aider.chat.history.md").Output()
	if err != nil {
		return nil, fmt.Errorf("running git log: %w", err)
	}
	var paths []string
	var found []history
	last, commit := map[string]history{}, ""
	for line := range strings.Lines(string(out)) {
		meta, path, changed := strings.Cut(strings.TrimSpace(line), "\t")
		if f := strings.Fields(meta); !changed && len(f) == 1 {
			commit = f[0]
		} else if changed && f[4] != "D" {
			_, content, err := r.object(f[3])
			if err != nil {
				return nil, err
			}
			old, exists := last[path]
			if !exists {
				paths = append(paths, path)
			} else if len(content) < len(old.text) {
				found = append(found, old)
			}
			last[path] = history{commit, string(content)}
		}
	}
	for _, path := range paths {
		found = append(found, last[path])
	}
	return found, nil
}
