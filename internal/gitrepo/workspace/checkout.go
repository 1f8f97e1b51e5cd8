// Package workspace looks for what a job of GitHub Actions has checked out.
package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// Head is the head of a pull request.
type Head struct {
	// Repo is the repository that has it, "owner/name"; empty if it was deleted.
	Repo string
	// SHA is its commit.
	SHA string
}

// maxFolders bounds the folders of a workspace that are looked at.
const maxFolders = 1000

// FindCheckout looks in a workspace, and in the folders in it, for a checkout of the head of a pull request: of its
// commit, of the commit that GitHub makes to merge it, or of the repository that it comes from. It returns the path of
// the first; found is false if there is none. What was not checked out by git cannot be found.
func FindCheckout(workspace string, head Head) (path string, found bool, err error) {
	entries, err := os.ReadDir(workspace)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	folders := []string{workspace}
	for _, e := range entries {
		if e.IsDir() && e.Name() != dotGit && len(folders) < maxFolders {
			folders = append(folders, filepath.Join(workspace, e.Name()))
		}
	}
	for _, folder := range folders {
		dir, ok := gitDir(folder)
		if ok && isOf(dir, head) {
			return folder, true, nil
		}
	}
	return "", false, nil
}

const (
	dotGit = ".git"
	// maxGitFile is how long a file may be that names a folder of git, in bytes.
	maxGitFile = 10 << 10
)

// gitDir returns the folder with the repository of a work tree: .git, or the one that a file .git names.
func gitDir(folder string) (dir string, ok bool) {
	dir = filepath.Join(folder, dotGit)
	info, err := os.Stat(dir)
	if err != nil {
		return "", false
	}
	if info.IsDir() || info.Size() > maxGitFile {
		return dir, true
	}
	data, err := os.ReadFile(dir)
	if err != nil {
		return dir, true
	}
	named, found := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if !found {
		return dir, true
	}
	if !filepath.IsAbs(named) {
		named = filepath.Join(folder, named)
	}
	return named, true
}

// isOf reports whether the work tree of a repository is a checkout of a head. One that cannot be read may be.
func isOf(dir string, head Head) bool {
	s := open(dir)
	defer func() { _ = s.Close() }()
	cfg, err := s.Config()
	if err != nil {
		return true
	}
	for _, remote := range cfg.Remotes {
		for _, url := range remote.URLs {
			if head.Repo != "" && names(url, head.Repo) {
				return true
			}
		}
	}
	at, err := storer.ResolveReference(s, plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		return !isHeadless(s)
	}
	if err != nil || at.Hash().String() == head.SHA {
		return true
	}
	commit, err := object.GetCommit(s, at.Hash())
	if err != nil {
		return true
	}
	return slices.ContainsFunc(commit.ParentHashes, func(h plumbing.Hash) bool { return h.String() == head.SHA })
}

// isHeadless reports whether HEAD is a branch without a commit.
func isHeadless(s storer.ReferenceStorer) bool {
	_, err := s.Reference(plumbing.HEAD)
	return err == nil
}

// open opens a repository, of which a linked work tree has only some files itself.
func open(dir string) *filesystem.Storage {
	own, objects := osfs.New(dir), cache.NewObjectLRU(cache.MiByte)
	common, err := os.ReadFile(filepath.Join(dir, "commondir"))
	if err != nil || len(common) > maxGitFile {
		return filesystem.NewStorage(own, objects)
	}
	path := strings.TrimSpace(string(common))
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filesystem.NewStorage(dotgit.NewRepositoryFilesystem(own, osfs.New(path)), objects)
}

// names reports whether a URL is that of a repository, "owner/name".
func names(url, repo string) bool {
	url = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git"))
	repo = strings.ToLower(repo)
	return strings.HasSuffix(url, "/"+repo) || strings.HasSuffix(url, ":"+repo)
}
