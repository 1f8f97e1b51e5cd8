package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gh/ghtest"
)

// Who and where, in a demo.
const (
	demoOwner  = "acme"
	demoPerson = "maria"
	demoBranch = "tenon-demo"
)

// world is a stand-in for GitHub with one repository and one open pull request, and tenon's server beside it.
type world struct {
	github  *ghtest.Server
	repo    string
	repoDir string
	pull    int
	temp    string
	keep    string
	elapsed time.Duration
}

// newWorld makes the world; close ends it.
func newWorld(ctx context.Context, opts demoOptions) (*world, error) {
	w := &world{keep: opts.keep}
	if err := w.build(ctx, opts); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) build(ctx context.Context, opts demoOptions) (err error) {
	if w.temp, err = os.MkdirTemp("", "tenon-demo-"); err != nil {
		return fmt.Errorf("making a temporary folder: %w", err)
	}
	repos := filepath.Join(w.temp, "repositories")
	if w.keep != "" {
		if repos, err = emptyFolder(w.keep); err != nil {
			return err
		}
	}
	if w.github, err = ghtest.New(ghtest.Options{Dir: repos}); err != nil {
		return err
	}
	if err := w.github.Start(); err != nil {
		return err
	}
	repo, err := demoRepository(ctx, opts.repo)
	if err != nil {
		return err
	}
	return w.populate(repo)
}

// emptyFolder makes sure that what is kept overwrites nothing.
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

// demoRepository is the story's own, or one that is copied from a local repository.
func demoRepository(ctx context.Context, from string) (ghtest.Repo, error) {
	if from == "" {
		files := map[string]string{}
		for _, f := range txtar.Parse(demoProject).Files {
			files[f.Name] = string(f.Data)
		}
		return ghtest.Repo{Name: demoOwner + "/greet", Files: files}, nil
	}
	top, err := exec.CommandContext(ctx, "git", "-C", from, "rev-parse", "--show-toplevel").Output()
	if err != nil {
		// A bare repository has no work tree, and can be copied all the same.
		if top, err = exec.CommandContext(ctx, "git", "-C", from, "rev-parse", "--absolute-git-dir").Output(); err != nil {
			return ghtest.Repo{}, fmt.Errorf("--repo %s: git finds no repository there", from)
		}
	}
	dir := strings.TrimSuffix(string(top), "\n")
	if err := exec.CommandContext(ctx, "git", "-C", dir, "rev-parse", "--verify", "--quiet", "HEAD^{commit}").Run(); err != nil {
		return ghtest.Repo{}, fmt.Errorf("--repo %s: the repository has no commit yet; commit something first", from)
	}
	return ghtest.Repo{Name: demoOwner + "/" + repoName(dir), From: dir}, nil
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// repoName makes a name that GitHub allows from a folder's.
func repoName(dir string) string {
	name := strings.Trim(notInName.ReplaceAllString(strings.TrimSuffix(filepath.Base(dir), ".git"), "-"), "-.")
	if name == "" {
		return "project"
	}
	return name[:min(len(name), 100)]
}

func (w *world) populate(repo ghtest.Repo) error {
	w.repo = repo.Name
	steps := []func() error{
		func() error { return w.github.AddUser(demoPerson) },
		func() error { return w.github.AddOrg(demoOwner, demoPerson) },
		func() error { return w.github.AddRepo(repo) },
		func() error { _, err := w.github.Install(ghtest.Installation{Owner: demoOwner}); return err },
		func() error { return w.github.Branch(repo.Name, demoBranch, "") },
		// GitHub opens no pull request of a branch that has no commit of its own.
		func() error {
			_, err := w.github.Push(repo.Name, demoBranch, nil, "Begin the demo's branch\n")
			return err
		},
		func() (err error) {
			w.pull, err = w.github.OpenPull(ghtest.Pull{As: demoPerson, Repo: repo.Name, Title: "Try tenon", Head: demoBranch})
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

func (w *world) close() {
	if w.github != nil {
		_ = w.github.Close()
	}
	_ = os.RemoveAll(w.temp)
}

// settings are those with which an operator would run the server for this world.
func (w *world) settings() config.Server {
	return config.Server{
		AppID:         w.github.AppID(),
		PrivateKey:    config.NewSecret(string(w.github.PrivateKeyPEM())),
		WebhookSecret: config.NewSecret(w.github.WebhookSecret()),
		GitHubAPI:     w.github.APIURL(),
		GitHubGit:     w.github.GitURL(),
		DataDir:       filepath.Join(w.temp, "data"),
	}
}

// serve runs the server on a free port until stop is called, which returns how it ended. idle says that there is nothing left to do.
func (w *world) serve(ctx context.Context, model bot.Model, watch func(bot.Runs) bot.Runs, log *slog.Logger) (idle func(context.Context) (bool, error), stop func() error, err error) {
	a, err := newApp(ctx, w.settings(), model, watch, log)
	if err != nil {
		return nil, nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, errors.Join(err, a.store.Close())
	}
	w.github.SetHookURL("http://" + l.Addr().String() + "/webhook")
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- a.run(ctx, l) }()
	idle = func(ctx context.Context) (bool, error) {
		line, err := a.store.Stats(ctx)
		return line.Ready+line.Working == 0, err
	}
	return idle, func() error {
		cancel()
		return errors.Join(<-ended, a.store.Close())
	}, nil
}

// show is git show of a commit.
func (w *world) show(ctx context.Context, sha string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", "-C", w.repoDir, "show", "--stat", "--patch", "--no-color", "--no-ext-diff", "--no-textconv", sha, "--").Output()
	if err != nil {
		return "", fmt.Errorf("running git show: %w", err)
	}
	return string(out), nil
}

func (w *world) took() string { return fmt.Sprintf("%.2f s", w.elapsed.Seconds()) }

func (w *world) kept() string {
	if w.keep == "" {
		return ""
	}
	return " The repository is kept: git -C " + w.repoDir + " log " + demoBranch
}
