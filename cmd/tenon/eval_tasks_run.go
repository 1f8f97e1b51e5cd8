package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/eval/tasks"
	"github.com/tenon-bot/tenon/internal/llm"
)

// tasksFlags are the flags of eval with a folder.
type tasksFlags struct {
	models  []string
	replies []string
	record  string
	file    string
	runs    int
	jobs    int
	out     string
	resume  bool
	checks  string
	engine  string
	compare bool
}

func (t *tasksFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSliceVar(&t.models, "model", nil, "measure the model that has this `NAME` in the settings; may be repeated")
	f.StringSliceVar(&t.replies, "replies", nil, "use the recorded replies of this `NAME` as a model; may be repeated")
	f.StringVar(&t.record, "record", "", "write the replies of the first run to replies/`NAME` of each task")
	f.StringVar(&t.file, "config", "", "read the settings of the models from this `file`")
	f.IntVar(&t.runs, "runs", 1, "run each task `N` times with each model")
	f.IntVar(&t.jobs, "jobs", 4, "run at most `N` tasks at a time")
	f.StringVar(&t.out, "out", "", "write the measurement as JSON to this `file` after each task")
	f.BoolVar(&t.resume, "resume", false, "go on with the measurement in the file of --out")
	f.StringVar(&t.checks, "run-checks", "no", "run the checks of tasks: `WHERE` is no, container or local")
	f.StringVar(&t.engine, "container-program", "", "the `program` that runs containers (default docker, else podman)")
	f.BoolVar(&t.compare, "compare", false, "compare the measurements in the files A.json and B.json")
}

// check returns an error if a flag is wrong.
func (t *tasksFlags) check() error {
	switch {
	case t.runs < 1 || t.runs > 1000:
		return usageError{fmt.Errorf("--runs must be from 1 to 1000, not %d", t.runs)}
	case t.jobs < 1 || t.jobs > 64:
		return usageError{fmt.Errorf("--jobs must be from 1 to 64, not %d", t.jobs)}
	case !slices.Contains([]string{"no", "container", "local"}, t.checks):
		return usageError{fmt.Errorf("--run-checks must be no, container or local, not %q", t.checks)}
	case t.out != "" && !t.resume && exists(t.out):
		return usageError{fmt.Errorf("%s exists; add --resume to go on with it, or name another file", t.out)}
	case t.resume && t.out == "":
		return usageError{errors.New("--resume needs --out: the file to go on with")}
	case t.record != "" && (t.record != filepath.Base(t.record) || strings.HasPrefix(t.record, ".")):
		return usageError{fmt.Errorf("--record takes a name, not a path like %q", t.record)}
	case t.record != "" && len(t.models)+len(t.replies) > 1:
		return usageError{errors.New("--record takes the replies of one model; name only one")}
	}
	return nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// measured returns the models that the flags name.
func (t *tasksFlags) measured(list []tasks.Task) ([]tasks.Model, error) {
	var out []tasks.Model
	for _, name := range t.replies {
		if !slices.ContainsFunc(list, func(task tasks.Task) bool { return len(task.Replies[name]) > 0 }) {
			return nil, fmt.Errorf("no task has recorded replies in replies/%s", name)
		}
		out = append(out, tasks.Model{Info: port.ModelInfo{Name: name}, For: func(task tasks.Task) (port.Model, error) {
			if len(task.Replies[name]) == 0 {
				return nil, fmt.Errorf("it has no recorded replies in replies/%s", name)
			}
			return llm.Script(task.Replies[name]...), nil
		}})
	}
	if len(t.replies) > 0 && len(t.models) == 0 {
		return out, nil
	}
	configured, err := t.configured()
	if err != nil {
		return nil, err
	}
	for _, m := range configured {
		if slices.ContainsFunc(out, func(o tasks.Model) bool { return o.Info.Name == m.Name }) {
			return nil, usageError{fmt.Errorf("%s is named twice", m.Name)}
		}
		m.Fallback = "" // what is measured is this model
		model, err := newModel([]config.Model{m}, newObservation(), slog.New(slog.DiscardHandler))
		if err != nil {
			return nil, err
		}
		out = append(out, tasks.Model{Info: modelInfo(m), For: func(tasks.Task) (port.Model, error) { return model, nil }})
	}
	return out, nil
}

// configured returns the models of the settings that the flags name.
func (t *tasksFlags) configured() ([]config.Model, error) {
	settings, err := config.LoadLocal(config.Source{File: t.file})
	if err != nil {
		return nil, err
	}
	all := settings.Models
	if len(all) == 0 {
		return nil, errNoModel
	}
	if len(t.models) == 0 {
		return all[:1], nil
	}
	var out []config.Model
	for _, name := range t.models {
		i := slices.IndexFunc(all, func(m config.Model) bool { return m.Name == name })
		if i < 0 {
			var names []string
			for _, m := range all {
				names = append(names, m.Name)
			}
			return nil, usageError{fmt.Errorf("no model is named %q; the settings have %s", name, strings.Join(names, ", "))}
		}
		out = append(out, all[i])
	}
	return out, nil
}

// checkPatience is how long a check may take.
const checkPatience = 10 * time.Minute

// checker returns what runs the checks of tasks; nil if none is run.
func (t *tasksFlags) checker() (tasks.Checker, error) {
	if t.checks == "no" {
		return nil, nil //nolint:nilnil // no checker is none
	}
	if t.checks == "local" {
		return checkWith(func(ctx context.Context, j tasks.Judge, dir, _ string) *exec.Cmd {
			cmd := exec.CommandContext(ctx, j.Check[0], j.Check[1:]...) //nolint:gosec // what --run-checks=local asks for
			cmd.Dir = dir
			return cmd
		}, nil), nil
	}
	program := t.engine
	if program == "" {
		for _, name := range []string{"docker", "podman"} {
			if _, err := exec.LookPath(name); err == nil {
				program = name
				break
			}
		}
	}
	if program == "" {
		return nil, errors.New("--run-checks=container needs docker or podman; install one, or leave the flag out")
	}
	return checkWith(func(ctx context.Context, j tasks.Judge, dir, name string) *exec.Cmd {
		args := append(containerArgs(dir, name), "--", j.Image)
		return exec.CommandContext(ctx, program, append(args, j.Check...)...) //nolint:gosec // what the flags ask for
	}, func(name string) {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		_ = exec.CommandContext(ctx, program, "rm", "--force", name).Run() //nolint:gosec // it is most likely gone already
	}), nil
}

// containerArgs returns how a container is run for a check: without network and privileges, within bounds.
func containerArgs(dir, name string) []string {
	return []string{"run", "--rm", "--name", name, "--network", "none", "--cap-drop", "ALL",
		"--security-opt", "no-new-privileges", "--memory", "2g", "--memory-swap", "2g", "--cpus", "2",
		"--pids-limit", "512", "--user", fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid()), "--env", "HOME=/tmp",
		"--tmpfs", "/tmp:exec", "--volume", dir + ":/work", "--workdir", "/work"}
}

// checkWith returns a checker that writes the files to a folder and runs a command there. end, if not nil, ends what a
// command that was given up has left.
func checkWith(command func(ctx context.Context, j tasks.Judge, dir, name string) *exec.Cmd,
	end func(name string)) tasks.Checker {
	return func(ctx context.Context, j tasks.Judge, files map[string]tasks.File) (bool, string, error) {
		if end != nil && (j.Image == "" || strings.HasPrefix(j.Image, "-")) {
			return false, "", errors.New("judge.image does not name the container image to run it in")
		}
		dir, err := os.MkdirTemp("", "tenon-eval-")
		if err != nil {
			return false, "", err
		}
		defer func() { _ = os.RemoveAll(dir) }()
		if err := writeFiles(dir, files); err != nil {
			return false, "", err
		}
		ctx, cancel := context.WithTimeout(ctx, checkPatience)
		defer cancel()
		cmd := command(ctx, j, dir, filepath.Base(dir))
		var output bounded
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &output, &output, 10*time.Second
		err = cmd.Run()
		if end != nil && ctx.Err() != nil {
			end(filepath.Base(dir))
		}
		var exit *exec.ExitError
		switch {
		case err == nil:
			return true, string(output), nil
		case ctx.Err() != nil:
			return false, fmt.Sprintf("%s it took longer than %s", output, checkPatience), nil
		case errors.As(err, &exit) && (end == nil || exit.ExitCode() < 125 || exit.ExitCode() > 127):
			return false, string(output), nil
		}
		return false, "", fmt.Errorf("%w: %s", err, output)
	}
}

// bounded keeps the end of what is written to it.
type bounded []byte

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	const most = 16 << 10
	*b = append(*b, p...)
	if len(*b) > most {
		*b = append(bounded(nil), (*b)[len(*b)-most:]...)
	}
	return len(p), nil
}

// writeFiles writes files to a folder, and nothing outside of it.
func writeFiles(dir string, files map[string]tasks.File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for name, f := range files {
		if err := root.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o755); err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if f.Executable {
			mode = 0o755
		}
		if err := root.WriteFile(filepath.FromSlash(name), f.Data, mode); err != nil {
			return err
		}
	}
	return nil
}
