package sim

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// AddUser adds a person, unless there is one with this login.
func (s people) AddUser(login string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.addAccount(login, userPerson)
}

// AddOrg adds an organisation; its owners are admins of all its repositories.
func (s people) AddOrg(login string, owners ...string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if err := s.addAccount(login, UserOrg); err != nil {
		return err
	}
	for _, o := range owners {
		if err := s.addAccount(o, userPerson); err != nil {
			return err
		}
		s.State.Users[strings.ToLower(login)].Owners[strings.ToLower(o)] = true
	}
	return nil
}

// AddBot adds the bot account of another App; its login ends in "[bot]".
func (s people) AddBot(login string) error {
	if !strings.HasSuffix(login, "[bot]") {
		return fmt.Errorf("a bot's login ends in [bot], not %q", login)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if _, err := s.State.User(login); err != nil {
		s.State.NewUser(login, UserBot, s.Now())
	}
	return nil
}

// loginRule is GitHub's rule for logins: letters, digits and single hyphens, not at the ends, at most 39.
var loginRule = regexp.MustCompile(`^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}$`)

func (s people) addAccount(login string, kind model.UserType) error {
	if !loginRule.MatchString(login) {
		return fmt.Errorf("GitHub allows no login %q", login)
	}
	u, err := s.State.User(login)
	if err != nil {
		s.State.NewUser(login, kind, s.Now())
		return nil
	}
	if u.Kind != kind {
		return fmt.Errorf("%s is a %s already", login, u.Kind)
	}
	return nil
}

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
	r.NoIssues, r.NoDrafts, r.DefaultBranch = in.NoIssues, in.NoDrafts, model.OrElse(in.DefaultBranch, "main")
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

func (s repositories) newRepo(fullName string, public bool) (*model.Repository, error) {
	u, err := s.freeName(fullName)
	if err != nil {
		return nil, err
	}
	_, name, _ := strings.Cut(fullName, "/")
	now := s.Now()
	r := &model.Repository{ID: s.State.ID("repository"), Owner: u, Name: name, Public: public,
		Roles:     map[string]model.Role{},
		Protected: map[string]*model.Protection{}, Issues: map[int]*model.Issue{}, Diffs: map[string][]*git.FileDiff{},
		Created: now,
		Pushed:  now}
	return r, nil
}

// folder returns the folder of a new repository, or "" in memory.
func (s repositories) folder(r *model.Repository) (string, error) {
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
func (s repositories) freeName(fullName string) (*model.User, error) {
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
func (s repositories) fill(r *model.Repository, in Repo, dir string) (err error) {
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
func (s repositories) copyRepo(r *model.Repository, in Repo, dir string) (err error) {
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
	r.DefaultBranch = model.OrElse(in.DefaultBranch, model.OrElse(r.Git.Head(), "main"))
	return errors.Join(r.Git.SetBranch(r.DefaultBranch, head), r.Git.SetHead(r.DefaultBranch))
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

// RepoDir returns the folder of the bare repository, to inspect it with git. In memory there is none.
func (s repositories) RepoDir(repo string) (string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return "", err
	}
	if s.Memory {
		return "", fmt.Errorf("%s is in memory", repo)
	}
	return r.Git.Dir(), nil
}
