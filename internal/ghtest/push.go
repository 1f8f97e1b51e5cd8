package ghtest

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// File is the change of a path in a commit.
type File struct {
	Content string
	// Mode is git's mode: "100644" (or empty), "100755", or "120000" for a symbolic link to Content.
	Mode    string
	Deleted bool
}

// Push commits files to a branch as a user with push access, and returns the commit. A branch that does not exist is
// created from the default branch. Pull requests are updated, and deliveries are sent. Protections do not apply.
func (s *Server) Push(repo, branch string, files map[string]string, message string) (string, error) {
	changes := map[string]File{}
	for name, content := range files {
		changes[name] = File{Content: content}
	}
	return s.PushFiles(repo, branch, changes, message)
}

// PushFiles is Push with modes and deletions.
func (s *Server) PushFiles(repo, branch string, files map[string]File, message string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return "", err
	}
	if r.archived {
		return "", fmt.Errorf("%s is archived and read-only", repo)
	}
	sha, err := s.commit(r, branch, files, message)
	if err != nil {
		return "", fmt.Errorf("pushing to %s of %s: %w", branch, repo, err)
	}
	return sha, s.refsMoved(r, s.adminOf(r.owner))
}

// commit makes a commit by git fast-import, with one process for any number of files.
func (s *Server) commit(r *repository, branch string, files map[string]File, message string) (string, error) {
	var b bytes.Buffer
	who := fmt.Sprintf("%s <%s> %d +0000", r.owner.login, r.owner.email(), s.now().Unix())
	fmt.Fprintf(&b, "commit refs/heads/%s\nauthor %s\ncommitter %s\ndata %d\n%s\n", branch, who, who, len(message),
		message)
	if parent := orElse(s.branch(r, branch), s.branch(r, r.defaultBranch)); parent != "" {
		fmt.Fprintf(&b, "from %s\n", parent)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		if f.Deleted {
			fmt.Fprintf(&b, "D %s\n", quotePath(name))
			continue
		}
		fmt.Fprintf(&b, "M %s inline %s\ndata %d\n%s\n", orElse(f.Mode, "100644"), quotePath(name), len(f.Content), f.Content)
	}
	b.WriteString("done\n")
	if _, err := s.gitIn(r.dir, &b, nil, "fast-import", "--quiet", "--done", "--force"); err != nil {
		return "", err
	}
	sha := s.branch(r, branch)
	if sha == "" {
		return "", errors.New("git made no commit")
	}
	return sha, nil
}

// quotePath quotes a path as git does, as in C, with bytes beyond ASCII unchanged.
func quotePath(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ':
			b.WriteString(`\` + fmt.Sprintf("%03s", strconv.FormatUint(uint64(c), 8)))
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// refsMoved updates what depends on branches: pull requests and their refs, and the suites of the App. by is the user
// who moved them.
func (s *Server) refsMoved(r *repository, by *user) error {
	r.pushed = s.now()
	if err := s.requestSuites(r, by); err != nil {
		return err
	}
	for _, base := range s.state.repos {
		if base.deleted || base.lag != nil {
			continue
		}
		for _, is := range base.issues {
			if p := is.pull; p != nil && is.open && p.headRepo == r {
				if err := s.followHead(is, by); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// followHead moves a pull request to its branch's tip. Without the branch, it is closed, as on GitHub.
func (s *Server) followHead(is *issue, by *user) error {
	p := is.pull
	sha, before := s.branch(p.headRepo, p.headRef), p.headSHA
	switch sha {
	case before:
		return nil
	case "":
		return s.setOpen(is, by, false, "")
	}
	p.headSHA, p.baseSHA = sha, orElse(s.branch(is.repo, p.baseRef), p.baseSHA)
	if err := s.writePullRef(is); err != nil {
		return err
	}
	is.updated = s.now()
	s.outdate(is)
	s.emitPull("synchronize", is, by, object{"before": before, "after": sha})
	return nil
}

// writePullRef sets refs/pull/N/head of the base repository, with the objects from a fork.
func (s *Server) writePullRef(is *issue) error {
	p, ref := is.pull, fmt.Sprintf("refs/pull/%d/head", is.number)
	if p.headRepo == is.repo {
		_, err := s.git(is.repo.dir, "update-ref", ref, p.headSHA)
		return err
	}
	_, err := s.git(is.repo.dir, "fetch", "--quiet", "--no-tags", p.headRepo.dir, "+refs/heads/"+p.headRef+":"+ref)
	return err
}
