package ghtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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
	// default branch.
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
	if err := s.fill(r, in); err != nil {
		return errors.Join(fmt.Errorf("making %s: %w", in.Name, err), os.RemoveAll(r.dir))
	}
	s.state.repos[r.id] = r
	r.tips, err = branchTips(r)
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
		protected: map[string]*protection{}, issues: map[int]*issue{}, diffs: map[string][]*fileDiff{}, created: now,
		pushed: now}
	r.dir = filepath.Join(s.dir, u.login, fmt.Sprintf("%s.git", name))
	if _, err := os.Stat(r.dir); err == nil { // left by one that was deleted or renamed
		r.dir = filepath.Join(s.dir, u.login, fmt.Sprintf("%s.%d.git", name, r.id))
	}
	return r, os.MkdirAll(filepath.Dir(r.dir), 0o755)
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

// fill creates the bare repository.
func (s *Server) fill(r *repository, in Repo) error {
	if in.From != "" {
		return s.copyRepo(r, in)
	}
	if _, err := s.git(s.dir, "init", "--quiet", "--bare", "--template=", "--initial-branch="+r.defaultBranch, "--",
		r.dir); err != nil {
		return err
	}
	if len(in.Files) == 0 {
		return nil
	}
	files := map[string]File{}
	for name, content := range in.Files {
		files[name] = File{Content: content}
	}
	_, err := s.commit(r, r.defaultBranch, files, "Initial commit\n")
	return err
}

// copyRepo clones a local repository; git shares its object files by hard links where it can, and never writes to them.
func (s *Server) copyRepo(r *repository, in Repo) error {
	if _, err := s.git(s.dir, "clone", "--quiet", "--bare", "--template=", "--", in.From, r.dir); err != nil {
		return err
	}
	head, err := s.git(r.dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err != nil {
		return fmt.Errorf("%s has no commit at HEAD", in.From)
	}
	name, err := s.git(r.dir, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil { // detached
		name = ""
	}
	r.defaultBranch = orElse(in.DefaultBranch, orElse(name, "main"))
	if _, err := s.git(r.dir, "update-ref", "refs/heads/"+r.defaultBranch, head); err != nil {
		return err
	}
	_, err = s.git(r.dir, "symbolic-ref", "HEAD", "refs/heads/"+r.defaultBranch)
	return err
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
	if _, err := s.git(s.dir, "clone", "--quiet", "--bare", "--template=", "--", parent.dir, r.dir); err != nil {
		return "", err
	}
	s.state.repos[r.id] = r
	r.tips, err = branchTips(r)
	return r.fullName(), err
}

// RepoDir returns the folder of the bare repository, to inspect it with git.
func (s *Server) RepoDir(repo string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return "", err
	}
	return r.dir, nil
}
