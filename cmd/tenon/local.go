package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/localrepo"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// localFlags are the flags of fix and ask.
type localFlags struct {
	model   string
	config  string
	issue   string
	commit  bool
	preview bool
	json    bool
}

// maxTask is the longest task that is read, in bytes: as long as a comment on GitHub.
const maxTask = 64 << 10

func newFixCmd() *cobra.Command {
	var flags localFlags
	cmd := &cobra.Command{
		Use:   "fix [TASK] [FILE…]",
		Short: "Have a model change the git work tree here, and stage the changes",
		Long: `Fix does in your work tree what "/tenon fix" does in a comment on a pull request: it finds the
code that the task is about, asks the language model for edits, applies those that fit
exactly one place, and stages them. What does not fit is listed with the reason.

The files are as they are on your disk, with changes that are not committed and with new
files, but without those that git ignores. FILEs are shown to the model before all others.
Settings are read from .github/tenon.yml, if there is one. No command that the model suggests
is run, and git runs no program that the repository configures.

The task can also come from standard input: give "-" instead of it, or nothing. With --issue, the model also
reads the issue, and without a task it is what the issue asks for. Its text is requested with
the token in GITHUB_TOKEN or GH_TOKEN, or with the one of gh (gh auth login).

The model is that of a server: TENON_MODEL, TENON_MODEL_BASE_URL and TENON_MODEL_API_KEY in the
environment, or the file of tenon setup. Ctrl-C ends it; then nothing was written.
tenon undo reverts the last run.`,
		Example: `  tenon fix "say goodbye instead of hello"
  tenon fix "make the timeout a parameter" server/client.go
  tenon fix --commit "correct the typo in the usage text"
  tenon fix --issue 42
  tenon fix --issue https://github.com/acme/lathe/issues/42 "only the second part"
  tenon fix --preview "rename the flag"    ask about each edit before it is made
  git diff | tenon fix -

Exit code: 0 all edits were made, or those that you chose; 1 some do not fit, or the model did not
answer; 2 usage.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runLocal(cmd, "fix", flags, args) },
	}
	cmd.Flags().BoolVar(&flags.commit, "commit", false,
		"commit the changes, with a message and a trailer that names the run")
	cmd.Flags().BoolVar(&flags.preview, "preview", false,
		"ask about each edit before it is made: y(es), n(o), d(iff), a(ll), q(uit)")
	addLocalFlags(cmd, &flags)
	return cmd
}

func newAskCmd() *cobra.Command {
	var flags localFlags
	cmd := &cobra.Command{
		Use:   "ask [QUESTION] [FILE…]",
		Short: "Ask a model about the git work tree here",
		Long: `Ask finds the code that a question is about, and prints the answer of the language model. It
changes nothing. See tenon fix --help for which files it sees.`,
		Example: `  tenon ask "where is the timeout of requests set?"
  tenon ask "what does this do?" server/client.go`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return runLocal(cmd, "ask", flags, args) },
	}
	addLocalFlags(cmd, &flags)
	return cmd
}

func addLocalFlags(cmd *cobra.Command, flags *localFlags) {
	cmd.Flags().StringVar(&flags.model, "model", "", "ask this `model` of the settings instead of the default one")
	cmd.Flags().StringVar(&flags.issue, "issue", "", "read this `issue`: a number of the remote origin, or a URL")
	cmd.Flags().StringVar(&flags.config, "config", "", "a YAML `file` with settings (default $TENON_CONFIG, else none)")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print one JSON object instead of text")
}

// errNoModel is the error if no model is configured.
var errNoModel = errors.New(`no language model is configured; set one in the environment, for example:
  OpenAI:     export TENON_MODEL=gpt-5 TENON_MODEL_API_KEY=sk-…
  Ollama:     export TENON_MODEL=qwen3-coder TENON_MODEL_BASE_URL=http://127.0.0.1:11434/v1
  llama.cpp:  export TENON_MODEL=default TENON_MODEL_BASE_URL=http://127.0.0.1:8080/v1`)

// gcPercent lets the heap of a command grow to five times of what is used before garbage is collected: the process ends
// soon, and the person waits.
const gcPercent = 400

func runLocal(cmd *cobra.Command, verb string, flags localFlags, args []string) error {
	debug.SetGCPercent(gcPercent)
	ctx, out, errOut := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	if err := flags.check(cmd.InOrStdin(), errOut); err != nil {
		return err
	}
	task, files, err := readTask(args, flags.issue != "", cmd.InOrStdin(), errOut)
	if err != nil {
		return err
	}
	settings, err := config.LoadLocal(config.Source{File: flags.config})
	if err != nil {
		return err
	}
	if err := checkModel(settings.Models, flags.model); err != nil {
		return err
	}
	tree, err := openLocal(ctx, localrepo.Options{Commit: flags.commit, Task: cmp.Or(task, "issue "+flags.issue)})
	if err != nil {
		return err
	}
	defer func() { _ = tree.Close() }()
	if flags.commit {
		if err := tree.MayCommit(ctx); err != nil { // before the model costs anything
			return failed(errOut, fmt.Errorf("--commit: %w", err))
		}
	}
	if flags.issue != "" && task != "" && !strings.ContainsAny(task, " \n") { // fix --issue 42 main.go
		if found, _ := pathsInTree(ctx, tree, []string{task}); len(found) > 0 {
			task, files = "", append([]string{task}, files...)
		}
	}
	if verb == "ask" && task == "" {
		return usageError{errors.New(`there is no question; say what you want to know, as in: ` +
			`tenon ask --issue 42 "what causes this?"`)}
	}
	paths, err := pathsInTree(ctx, tree, files)
	if err != nil {
		return err
	}
	if len(files) == 0 && !strings.ContainsAny(task, " \n") && flags.issue == "" {
		if found, _ := pathsInTree(ctx, tree, []string{task}); len(found) > 0 {
			return usageError{fmt.Errorf(`%s is a file; write what to do before it, as in: tenon %s "say goodbye" %s`,
				terminal.Escape(task), verb, terminal.Escape(task))}
		}
	}
	l := local{tree: tree, models: settings.Models,
		progress: newProgress(verb, cmp.Or(flags.model, settings.Models[0].Name), out, errOut)}
	if flags.issue != "" {
		if l.issue, err = readIssue(ctx, settings, tree.Dir(), flags.issue); err != nil {
			return failedUnlessUsage(errOut, err)
		}
	}
	l.task = task
	if task == "" {
		l.task = l.issue.Title
	}
	if flags.preview {
		verb, l.choose = "preview", chooser{in: cmd.InOrStdin(), out: errOut}.choose
	}
	// The second signal ends the process at once.
	defer context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt, syscall.SIGTERM) })()
	done, err := l.carryOut(ctx, localCommand(verb, task, flags.model, paths))
	l.progress.end()
	switch {
	case errors.Is(err, errInterrupted), errors.Is(err, errNotAsked):
		return failed(errOut, err)
	case err != nil:
		return err
	}
	return done.print(out, errOut, flags.json)
}

// checkModel returns an error if there is no model, or none of a name; empty is that of the first.
func checkModel(models []config.Model, name string) error {
	if len(models) == 0 {
		return errNoModel
	}
	var names []string
	for _, m := range models {
		if names = append(names, m.Name); name == "" || m.Name == name {
			return nil
		}
	}
	return usageError{fmt.Errorf("no model is named %s; the settings have %s", terminal.Escape(name),
		strings.Join(names, ", "))}
}

// check returns an error if the flags cannot be used.
func (f localFlags) check(in io.Reader, errOut io.Writer) error {
	if f.preview && (!terminal.IsTerminal(in) || !terminal.IsTerminal(errOut)) {
		return usageError{errors.New("--preview asks about each edit, and there is no terminal to ask; leave it out and " +
			"look at the changes with git diff --staged, or revert them with tenon undo")}
	}
	return nil
}

// failedUnlessUsage is failed for what is no wrong use.
func failedUnlessUsage(errOut io.Writer, err error) error {
	if errors.As(err, new(usageError)) {
		return err
	}
	return failed(errOut, err)
}

// readTask returns what to do, and the files that are named with it. The task may be empty if there is an issue.
func readTask(args []string, issue bool, in io.Reader, errOut io.Writer) (task string, files []string, err error) {
	switch {
	case len(args) == 0 && issue:
		return "", nil, nil
	case len(args) > 0 && args[0] != "-":
		task, files = args[0], args[1:]
	default:
		files = args[min(1, len(args)):]
		if terminal.IsTerminal(in) {
			_, _ = fmt.Fprintln(errOut, "Reading the task from the terminal; end it with Ctrl-D.")
		}
		data, err := io.ReadAll(io.LimitReader(in, maxTask+1))
		if err != nil {
			return "", nil, fmt.Errorf("reading the task: %w", err)
		}
		task = string(data)
	}
	switch task = strings.TrimSpace(task); {
	case task == "" && !issue:
		return "", nil, usageError{errors.New(`there is no task; say in words what to do, as in: tenon fix "say goodbye"`)}
	case len(task) > maxTask:
		return "", nil, usageError{fmt.Errorf("the task is longer than %d KiB", maxTask>>10)}
	}
	return task, files, nil
}

// openLocal opens the work tree of the current folder.
func openLocal(ctx context.Context, opts localrepo.Options) (*localrepo.Repo, error) {
	tree, err := localrepo.Open(ctx, ".", opts)
	switch {
	case errors.Is(err, worktree.ErrNoWorkTree):
		return nil, fmt.Errorf("%w; go to a git repository, or make one with: git init", err)
	case errors.Is(err, worktree.ErrNoGit):
		return nil, errors.New("git is not installed; tenon needs it to know which files are ignored")
	}
	return tree, err
}

// pathsInTree returns the paths, from the top of the work tree, of files that were named from the current folder.
func pathsInTree(ctx context.Context, tree *localrepo.Repo, named []string) ([]string, error) {
	if len(named) == 0 {
		return nil, nil
	}
	if len(named) > command.MaxOptionFiles {
		return nil, usageError{fmt.Errorf("at most %d files can be named", command.MaxOptionFiles)}
	}
	known, err := tree.Files(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, name := range named {
		path, err := pathFromTop(tree.Dir(), name)
		if err != nil {
			return nil, usageError{err}
		}
		if _, ok := slices.BinarySearch(known, path); !ok {
			return nil, usageError{unknownFile(tree.Dir(), name, path, known)}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// unknownFile returns the error of a file that is none of the work tree, with the one that may have been meant.
func unknownFile(top, name, path string, known []string) error {
	switch info, err := os.Lstat(filepath.Join(top, filepath.FromSlash(path))); {
	case err != nil:
	case info.IsDir():
		return fmt.Errorf("%s is a folder; name files", terminal.Escape(name))
	case info.Mode().IsRegular():
		return fmt.Errorf("%s is ignored by git, or left out of the checkout, so it is neither read nor changed",
			terminal.Escape(name))
	}
	err := fmt.Errorf("%s is not among the files that git tracks or would add", terminal.Escape(name))
	base, near := filepath.Base(path), ""
	bases := make([]string, len(known))
	for i, k := range known {
		bases[i] = filepath.Base(k)
	}
	if !slices.Contains(bases, base) {
		base = command.Closest(base, bases)
	}
	for i, k := range known {
		if bases[i] == base && (near == "" || len(k) < len(near)) {
			near = k
		}
	}
	if near == "" {
		return err
	}
	if here, wrong := filepath.EvalSymlinks("."); wrong == nil { // as it is named from here
		here, _ = filepath.Abs(here)
		if from, wrong := filepath.Rel(here, filepath.Join(top, filepath.FromSlash(near))); wrong == nil {
			near = from
		}
	}
	return fmt.Errorf("%w; did you mean %s?", err, terminal.Escape(near))
}

// pathFromTop returns the path of a file from the top of the work tree, with slashes.
func pathFromTop(top, name string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return "", err
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return "", err
	}
	at := name
	if !filepath.IsAbs(at) {
		at = filepath.Join(here, at)
	}
	path, err := filepath.Rel(top, at)
	if err != nil || path == ".." || strings.HasPrefix(path, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is outside of the work tree %s", name, top)
	}
	return filepath.ToSlash(path), nil
}

// localCommand returns the comment that gives a command.
func localCommand(verb, task, model string, paths []string) string {
	text := "/tenon " + verb
	if model != "" {
		text += " --model=" + model
	}
	var plain []string
	for _, path := range paths {
		if strings.ContainsAny(path, ", \t\"'`\\") { // an option cannot have it
			task += "\n\nIt is about `" + path + "`."
			continue
		}
		plain = append(plain, path)
	}
	if len(plain) > 0 {
		text += " --files=" + strings.Join(plain, ",")
	}
	return text + " -- " + task
}
