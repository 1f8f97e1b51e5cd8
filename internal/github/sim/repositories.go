package sim

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// repositories adds repositories, shows them and changes their settings.
type repositories struct{ *entity.Core }

// Repo is a repository to add. Its owner must exist.
type Repo struct {
	// Name is "owner/name".
	Name string
	// Files are those of its first commit. Without files and From, the repository is empty.
	Files map[string]string
	// From is the folder of a local git repository to copy, with its branches. It is not changed. Its HEAD becomes the
	// default branch. It needs a folder of the server.
	From string
	// DefaultBranch is the default branch; empty means "main", or HEAD's of From.
	DefaultBranch string
	// Public repositories can be read by everybody.
	Public bool
	// NoIssues disables issues; NoDrafts means a plan without draft pull requests.
	NoIssues, NoDrafts bool
}

// repoRule is GitHub's rule for names of repositories.
var repoRule = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)

// AddRepo adds a repository.
func (s repositories) AddRepo(in Repo) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.newRepo(in.Name, in.Public)
	if err != nil {
		return err
	}
	r.NoIssues, r.NoDrafts, r.DefaultBranch = in.NoIssues, in.NoDrafts, entity.OrElse(in.DefaultBranch, "main")
	dir, err := s.folder(r)
	if err != nil {
		return err
	}
	if err := s.fill(r, in, dir); err != nil {
		return errors.Join(fmt.Errorf("making %s: %w", in.Name, err), os.RemoveAll(dir))
	}
	s.State.Repos[r.ID] = r
	r.Tips, err = r.Git.Branches()
	return err
}

// newRepo returns a repository of a free name, which has no git repository yet.
func (s repositories) newRepo(fullName string, public bool) (*entity.Repository, error) {
	u, err := s.freeName(fullName)
	if err != nil {
		return nil, err
	}
	_, name, _ := strings.Cut(fullName, "/")
	now := s.Now()
	r := &entity.Repository{ID: s.State.ID("repository"), Owner: u, Name: name, Public: public,
		Roles:     map[string]entity.Role{},
		Protected: map[string]*entity.Protection{}, Issues: map[int]*entity.Issue{}, Diffs: map[string][]*git.FileDiff{},
		Created: now,
		Pushed:  now}
	return r, nil
}

// folder returns the folder of a new repository, or "" in memory.
func (s repositories) folder(r *entity.Repository) (string, error) {
	if s.Memory {
		return "", nil
	}
	dir := filepath.Join(s.Dir, r.Owner.Login, r.Name+".git")
	if _, err := os.Stat(dir); err == nil { // left by one that was deleted or renamed
		dir = filepath.Join(s.Dir, r.Owner.Login, fmt.Sprintf("%s.%d.git", r.Name, r.ID))
	}
	return dir, os.MkdirAll(filepath.Dir(dir), 0o755)
}

// freeName returns the owner in a name, or an error if GitHub does not allow the name or a repository has it.
func (s repositories) freeName(fullName string) (*entity.User, error) {
	owner, name, _ := strings.Cut(fullName, "/")
	u, err := s.State.User(owner)
	if err != nil {
		return nil, err
	}
	if !repoRule.MatchString(name) || strings.HasSuffix(name, ".git") || strings.Trim(name, ".") == "" {
		return nil, fmt.Errorf("GitHub allows no repository %q", fullName)
	}
	if _, err := s.State.Repo(fullName); err == nil {
		return nil, fmt.Errorf("%s exists already", fullName)
	}
	return u, nil
}

// fill makes the git repository in a folder, or in memory.
func (s repositories) fill(r *entity.Repository, in Repo, dir string) (err error) {
	switch {
	case in.From != "":
		return s.copyRepo(r, in, dir)
	case dir == "":
		r.Git = git.New(r.DefaultBranch)
	default:
		if r.Git, err = git.Init(dir, r.DefaultBranch); err != nil {
			return err
		}
	}
	if len(in.Files) == 0 {
		return nil
	}
	files := map[string]File{}
	for name, content := range in.Files {
		files[name] = File{Content: content}
	}
	_, err = s.commit(r, r.DefaultBranch, files, "Initial commit\n")
	return err
}

// copyRepo clones a local repository; git shares its object files by hard links where it can, and never writes to them.
func (s repositories) copyRepo(r *entity.Repository, in Repo, dir string) (err error) {
	if dir == "" {
		return errors.New("a repository in memory is no copy of a folder")
	}
	if err := s.clone(in.From, dir); err != nil {
		return err
	}
	if r.Git, err = git.Open(dir); err != nil {
		return err
	}
	head := r.Git.Resolve("HEAD")
	if head == "" {
		return fmt.Errorf("%s has no commit at HEAD", in.From)
	}
	r.DefaultBranch = entity.OrElse(in.DefaultBranch, entity.OrElse(r.Git.Head(), "main"))
	return errors.Join(r.Git.SetBranch(r.DefaultBranch, head), r.Git.SetHead(r.DefaultBranch))
}

// clone copies a local repository into a bare one, with its branches.
func (s repositories) clone(from, dir string) error {
	cmd := exec.CommandContext(s.Ctx, s.Programs.Git, "clone", "--quiet", "--bare", "--template=", "--", from, dir)
	cmd.Dir, cmd.Env = s.Dir, s.GitEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}

// Fork forks a repository for owner, with all its branches, and returns the fork's full name.
func (s repositories) Fork(repo, owner string) (string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	parent, err := s.State.Repo(repo)
	if err != nil {
		return "", err
	}
	r, err := s.newRepo(owner+"/"+parent.Name, parent.Public)
	if err != nil {
		return "", err
	}
	r.Parent, r.DefaultBranch = parent, parent.DefaultBranch
	dir, err := s.folder(r)
	if err != nil {
		return "", err
	}
	if r.Git, err = parent.Git.Fork(dir); err != nil {
		return "", err
	}
	s.State.Repos[r.ID] = r
	r.Tips, err = r.Git.Branches()
	return r.FullName(), err
}

// File is the change of a path in a commit.
type File = git.File

// commit commits files to a branch, as the owner.
func (s repositories) commit(r *entity.Repository, branch string, files map[string]File, message string) (string,
	error) {
	author := git.Signature{Name: r.Owner.Login, Email: r.Owner.Email(), When: s.Now()}
	c := git.Commit{Author: author, Committer: author, Message: message}
	parent := entity.OrElse(r.Git.Branch(branch), r.Git.Branch(r.DefaultBranch))
	if parent != "" {
		c.Parents = []string{parent}
	}
	var err error
	if c.Tree, err = r.Git.WriteFiles(parent, files); err != nil {
		return "", err
	}
	sha, err := r.Git.WriteCommit(c)
	if err != nil {
		return "", err
	}
	return sha, r.Git.SetBranch(branch, sha)
}
