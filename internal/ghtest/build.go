package ghtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// AddUser adds a person, unless there is one with this login.
func (s *Server) AddUser(login string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addAccount(login, userPerson)
}

// AddOrg adds an organisation; its owners are admins of all its repositories.
func (s *Server) AddOrg(login string, owners ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.addAccount(login, userOrg); err != nil {
		return err
	}
	for _, o := range owners {
		if err := s.addAccount(o, userPerson); err != nil {
			return err
		}
		s.state.users[strings.ToLower(login)].owners[strings.ToLower(o)] = true
	}
	return nil
}

// AddBot adds the bot account of another App; its login ends in "[bot]".
func (s *Server) AddBot(login string) error {
	if !strings.HasSuffix(login, "[bot]") {
		return fmt.Errorf("a bot's login ends in [bot], not %q", login)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.state.user(login); err != nil {
		s.state.newUser(login, userBot, s.now())
	}
	return nil
}

// loginRule is GitHub's rule for logins: letters, digits and single hyphens, not at the ends, at most 39.
var loginRule = regexp.MustCompile(`^[A-Za-z0-9](-?[A-Za-z0-9]){0,38}$`)

func (s *Server) addAccount(login string, kind userType) error {
	if !loginRule.MatchString(login) {
		return fmt.Errorf("GitHub allows no login %q", login)
	}
	u, err := s.state.user(login)
	if err != nil {
		s.state.newUser(login, kind, s.now())
		return nil
	}
	if u.kind != kind {
		return fmt.Errorf("%s is a %s already", login, u.kind)
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
func (s *Server) AddRepo(in Repo) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.newRepo(in.Name, in.Public)
	if err != nil {
		return err
	}
	r.noIssues, r.noDrafts, r.defaultBranch = in.NoIssues, in.NoDrafts, orElse(in.DefaultBranch, "main")
	dir, err := s.folder(r)
	if err != nil {
		return err
	}
	if err := s.fill(r, in, dir); err != nil {
		return errors.Join(fmt.Errorf("making %s: %w", in.Name, err), os.RemoveAll(dir))
	}
	s.state.repos[r.id] = r
	r.tips, err = r.git.Branches()
	return err
}

func (s *Server) newRepo(fullName string, public bool) (*repository, error) {
	u, err := s.freeName(fullName)
	if err != nil {
		return nil, err
	}
	_, name, _ := strings.Cut(fullName, "/")
	now := s.now()
	r := &repository{id: s.state.id("repository"), owner: u, name: name, public: public, roles: map[string]Role{},
		protected: map[string]*protection{}, issues: map[int]*issue{}, diffs: map[string][]*git.FileDiff{}, created: now,
		pushed: now}
	return r, nil
}

// folder returns the folder of a new repository, or "" in memory.
func (s *Server) folder(r *repository) (string, error) {
	if s.opts.Memory {
		return "", nil
	}
	dir := filepath.Join(s.dir, r.owner.login, r.name+".git")
	if _, err := os.Stat(dir); err == nil { // left by one that was deleted or renamed
		dir = filepath.Join(s.dir, r.owner.login, fmt.Sprintf("%s.%d.git", r.name, r.id))
	}
	return dir, os.MkdirAll(filepath.Dir(dir), 0o755)
}

// freeName returns the owner in a name, or an error if GitHub does not allow the name or a repository has it.
func (s *Server) freeName(fullName string) (*user, error) {
	owner, name, _ := strings.Cut(fullName, "/")
	u, err := s.state.user(owner)
	if err != nil {
		return nil, err
	}
	if !repoRule.MatchString(name) || strings.HasSuffix(name, ".git") || strings.Trim(name, ".") == "" {
		return nil, fmt.Errorf("GitHub allows no repository %q", fullName)
	}
	if _, err := s.state.repo(fullName); err == nil {
		return nil, fmt.Errorf("%s exists already", fullName)
	}
	return u, nil
}

// fill makes the git repository in a folder, or in memory.
func (s *Server) fill(r *repository, in Repo, dir string) (err error) {
	switch {
	case in.From != "":
		return s.copyRepo(r, in, dir)
	case dir == "":
		r.git = git.New(r.defaultBranch)
	default:
		if r.git, err = git.Init(dir, r.defaultBranch); err != nil {
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
	_, err = s.commit(r, r.defaultBranch, files, "Initial commit\n")
	return err
}

// copyRepo clones a local repository; git shares its object files by hard links where it can, and never writes to them.
func (s *Server) copyRepo(r *repository, in Repo, dir string) (err error) {
	if dir == "" {
		return errors.New("a repository in memory is no copy of a folder")
	}
	if err := s.clone(in.From, dir); err != nil {
		return err
	}
	if r.git, err = git.Open(dir); err != nil {
		return err
	}
	head := r.git.Resolve("HEAD")
	if head == "" {
		return fmt.Errorf("%s has no commit at HEAD", in.From)
	}
	r.defaultBranch = orElse(in.DefaultBranch, orElse(r.git.Head(), "main"))
	return errors.Join(r.git.SetBranch(r.defaultBranch, head), r.git.SetHead(r.defaultBranch))
}

// Fork forks a repository for owner, with all its branches, and returns the fork's full name.
func (s *Server) Fork(repo, owner string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	parent, err := s.state.repo(repo)
	if err != nil {
		return "", err
	}
	r, err := s.newRepo(owner+"/"+parent.name, parent.public)
	if err != nil {
		return "", err
	}
	r.parent, r.defaultBranch = parent, parent.defaultBranch
	dir, err := s.folder(r)
	if err != nil {
		return "", err
	}
	if r.git, err = parent.git.Fork(dir); err != nil {
		return "", err
	}
	s.state.repos[r.id] = r
	r.tips, err = r.git.Branches()
	return r.fullName(), err
}

// RepoDir returns the folder of the bare repository, to inspect it with git. In memory there is none.
func (s *Server) RepoDir(repo string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return "", err
	}
	if s.opts.Memory {
		return "", fmt.Errorf("%s is in memory", repo)
	}
	return r.git.Dir(), nil
}
