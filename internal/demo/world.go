package demo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// The names in a demo.
const (
	owner  = "acme"
	person = "maria"
	branch = "tenon-demo"

	pullTitle = "Try tenon"
)

// world is a simulated GitHub with one repository and one open pull request.
type world struct {
	github  *simhttp.Server
	repo    string
	repoDir string
	pull    int
	temp    string
	keep    string
	elapsed time.Duration
}

// newWorld returns a world with the repository of opts. The caller closes it.
func newWorld(ctx context.Context, opts Options) (*world, error) {
	w := &world{keep: opts.Keep}
	if err := w.build(ctx, opts); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) build(ctx context.Context, opts Options) (err error) {
	if w.temp, err = os.MkdirTemp("", "tenon-demo-"); err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	repos := filepath.Join(w.temp, "repositories")
	if w.keep != "" {
		if repos, err = emptyFolder(w.keep); err != nil {
			return err
		}
	}
	if w.github, err = simhttp.New(simhttp.Options{Dir: repos}); err != nil {
		return err
	}
	if err := w.github.Start(); err != nil {
		return err
	}
	repo, err := repository(ctx, opts.Repo)
	if err != nil {
		return err
	}
	return w.populate(repo)
}

// emptyFolder makes a folder, or makes sure that it is empty, and returns its absolute path.
func emptyFolder(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making the folder to keep: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("looking into the folder to keep: %w", err)
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("%s is not empty: --keep wants a new or an empty folder", dir)
	}
	return filepath.Abs(dir)
}

// repository returns the repository of the built-in story, or a copy of a local one.
func repository(ctx context.Context, from string) (sim.Repo, error) {
	if from == "" {
		files := map[string]string{}
		for _, f := range txtar.Parse(storyProject).Files {
			files[f.Name] = string(f.Data)
		}
		return sim.Repo{Name: owner + "/greet", Files: files}, nil
	}
	top, err := exec.CommandContext(ctx, "git", "-C", from, "rev-parse", "--show-toplevel").Output()
	if err != nil {
		// A bare repository has no work tree, and can be copied anyway.
		if top, err = exec.CommandContext(ctx, "git", "-C", from, "rev-parse", "--absolute-git-dir").Output(); err != nil {
			return sim.Repo{}, fmt.Errorf("--repo %s: git finds no repository there", from)
		}
	}
	dir := strings.TrimSuffix(string(top), "\n")
	verify := exec.CommandContext(ctx, "git", "-C", dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err := verify.Run(); err != nil {
		return sim.Repo{}, fmt.Errorf("--repo %s: the repository has no commit yet; commit something first", from)
	}
	return sim.Repo{Name: owner + "/" + repoName(dir), From: dir}, nil
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// repoName returns a name that GitHub allows, made from a folder's.
func repoName(dir string) string {
	name := strings.Trim(notInName.ReplaceAllString(strings.TrimSuffix(filepath.Base(dir), ".git"), "-"), "-.")
	if name == "" {
		return "project"
	}
	return name[:min(len(name), 100)]
}

func (w *world) populate(repo sim.Repo) error {
	w.repo = repo.Name
	steps := []func() error{
		func() error { return w.github.AddUser(person) },
		func() error { return w.github.AddOrg(owner, person) },
		func() error { return w.github.AddRepo(repo) },
		func() error { _, err := w.github.Install(sim.Installation{Owner: owner}); return err },
		func() error { return w.github.Branch(repo.Name, branch, "") },
		// GitHub opens no pull request of a branch that has no commit of its own.
		func() error {
			_, err := w.github.Push(repo.Name, branch, nil, "Begin the demo's branch\n")
			return err
		},
		func() (err error) {
			w.pull, err = w.github.OpenPull(sim.Pull{As: person, Repo: repo.Name, Title: pullTitle, Head: branch})
			return err
		},
		func() (err error) { w.repoDir, err = w.github.RepoDir(repo.Name); return err },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("setting the stage: %w", err)
		}
	}
	return nil
}

// address is that of the simulated GitHub, which ends with the demo.
func (w *world) address() string { return w.github.GitURL() }

// withoutAddress leaves the simulated GitHub's address out of a text: it would look like a link that leads somewhere.
func (w *world) withoutAddress(text string) string { return strings.ReplaceAll(text, w.address(), "") }

func (w *world) close() {
	if w.github != nil {
		_ = w.github.Close()
	}
	_ = os.RemoveAll(w.temp)
}

// serverConfig returns the settings of a server for this world.
func (w *world) serverConfig() config.Server {
	return config.Server{
		AppID:         w.github.AppID(),
		PrivateKey:    config.NewSecret(string(w.github.PrivateKeyPEM())),
		WebhookSecret: config.NewSecret(w.github.WebhookSecret()),
		GitHubAPI:     w.github.APIURL(),
		GitHubGit:     w.github.GitURL(),
		Database:      config.Database{DataDir: filepath.Join(w.temp, "data")},
	}
}

// gitShow returns the output of git show for a commit.
func (w *world) gitShow(ctx context.Context, sha string) (string, error) {
	show := exec.CommandContext(ctx, "git", "-C", w.repoDir, "show",
		"--stat", "--patch", "--no-color", "--no-ext-diff", "--no-textconv", sha, "--")
	out, err := show.Output()
	if err != nil {
		return "", fmt.Errorf("running git show: %w", err)
	}
	return string(out), nil
}

// kept returns the sentence that says where the repository remains, if it does.
func (w *world) kept() string {
	if w.keep == "" {
		return ""
	}
	return " The repository is kept: git -C " + w.repoDir + " log " + branch
}
