package ghtest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// branchTips returns the commits of all branches by name, from git's files: it is needed after every push.
func branchTips(r *repository) (map[string]string, error) {
	tips := map[string]string{}
	packed, err := os.ReadFile(filepath.Join(r.dir, "packed-refs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("reading the branches of %s: %w", r.fullName(), err)
	}
	for line := range strings.Lines(string(packed)) {
		sha, ref, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name, is := strings.CutPrefix(ref, "refs/heads/"); is {
			tips[name] = sha
		}
	}
	root := filepath.Join(r.dir, "refs", "heads")
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // a push came between
			return nil
		}
		if err != nil || entry.IsDir() || strings.HasSuffix(file, ".lock") {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		sha, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		tips[filepath.ToSlash(name)] = strings.TrimSpace(string(sha))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the branches of %s: %w", r.fullName(), err)
	}
	return tips, nil
}

// requestSuites makes the suites of the App on the commits that were pushed: "By default, GitHub creates a check suite
// automatically when code is pushed to the repository", for each App that may write checks, and tells that App alone.
func (s *Server) requestSuites(r *repository, by *user) error {
	before := r.tips
	tips, err := branchTips(r)
	if err != nil {
		return err
	}
	r.tips = tips
	in := s.state.installationFor(r)
	if in == nil || !(&token{permissions: in.permissions}).may("checks", "write") {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(tips)) {
		if sha := tips[name]; before[name] != sha && s.suiteOf(r, sha, nil) == nil {
			suite := s.addSuite(&checkSuite{repo: r, sha: sha, branch: name, by: by})
			if s.hook.url != "" {
				s.emitSuite("requested", suite, by)
			}
		}
	}
	return nil
}
