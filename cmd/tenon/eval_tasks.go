package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/eval/scores"
	"github.com/tenon-bot/tenon/internal/eval/tasks"
	"github.com/tenon-bot/tenon/internal/gitrepo/bare"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// tasksHelp explains eval with a folder of tasks.
const tasksHelp = `With a folder, it has the bot carry out the command of each task in it, and judges the result.
A task is a folder with:
  task.yaml      title, body: the issue; thread: issue (default) or pull;
                 repo: owner/name@COMMIT of the --mirror, unless there is a folder repo;
                 judge.check: a command with its arguments, judge.image: the container image to run it in;
                 judge.gold: the files that the right change edits, for the recall, if no other judge says it
  comment.md     the comment with the command, like /tenon fix
  repo/          the files of the repository
  expected/      files as they must be afterwards
  expected.diff  all that must be changed, as a unified diff
  replies/NAME/  recorded replies, one Markdown file each, in the order of their names

A task needs at least one of expected, expected.diff and judge.check; all that it has must apply. A check
runs code that a model wrote. Without --run-checks, none is run, and what only a check can judge is not
judged. --run-checks=container runs them in docker or podman without network; --run-checks=local runs them
on this machine, unprotected.

--model names models of the server's settings; by default, the default one. --replies NAME uses recorded
replies in their place, and --record NAME writes replies to the tasks. Ctrl-C ends it, and what was measured
is printed. With --out, it is in that file too, from which --resume goes on.

--compare A.json B.json compares two measurements, and says of each figure whether the difference is more
than chance.`

// evalTasks measures the tasks of a folder.
func evalTasks(ctx context.Context, dir, mirror string, asJSON bool, flags tasksFlags, stdout, stderr io.Writer) error {
	if err := flags.check(); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("reading the tasks: %w", err)
	}
	defer func() { _ = root.Close() }()
	list, err := tasks.Read(root.FS())
	if err != nil {
		return fmt.Errorf("reading the tasks in %s: %w", dir, err)
	}
	models, err := flags.measured(list)
	if err != nil {
		return err
	}
	m := measurement{flags: flags, root: root, stderr: stderr, total: len(list) * len(models) * flags.runs}
	opts := tasks.Options{Models: models, Runs: flags.runs, Jobs: flags.jobs, Tell: m.tell}
	for _, model := range models {
		m.models = append(m.models, model.Info.Name)
	}
	if mirror != "" {
		opts.Open = func(ref port.RepoRef, commit string) (tasks.Source, error) { return openTask(mirror, ref, commit) }
	}
	if opts.Check, err = flags.checker(); err != nil {
		return err
	}
	if flags.resume {
		if opts.Done, err = readDone(flags.out); err != nil {
			return err
		}
	}
	m.results = kept(opts.Done, list, m.models)
	results, err := tasks.Measure(ctx, list, opts)
	ended := ctx.Err() != nil
	if err != nil && !ended {
		return err
	}
	report := m.report(results)
	report.Complete = len(results) == m.total
	if err := errors.Join(m.save(report), printReport(stdout, report, asJSON)); err != nil {
		return err
	}
	return failedTasks(report)
}

// failedTasks returns errSome if a task was not measured, or could not be finished.
func failedTasks(r scores.Report) error {
	if !r.Complete || r.All.Errors > 0 {
		return errSome
	}
	return nil
}

func printReport(w io.Writer, r scores.Report, asJSON bool) error {
	var err error
	if asJSON {
		err = r.WriteJSON(w)
	} else {
		err = r.WriteMarkdown(w)
	}
	if err != nil {
		return fmt.Errorf("printing the figures: %w", err)
	}
	return nil
}

// kept returns the earlier results of tasks as they are now.
func kept(done []scores.Result, list []tasks.Task, models []string) []scores.Result {
	return slices.DeleteFunc(slices.Clone(done), func(r scores.Result) bool {
		return r.Error != "" || !slices.Contains(models, r.Model) || !slices.ContainsFunc(list, func(t tasks.Task) bool {
			return t.Name == r.Task && t.Digest == r.Digest
		})
	})
}

// measurement is a measurement that goes on.
type measurement struct {
	flags   tasksFlags
	root    *os.Root
	stderr  io.Writer
	models  []string
	total   int
	results []scores.Result
}

// tell says and saves a result.
func (m *measurement) tell(r scores.Result, replies []string) error {
	m.results = append(m.results, r)
	state := "solved"
	switch {
	case r.Error != "":
		state = "error: " + r.Error
	case !r.Judged:
		state = "not judged: " + r.Why
	case !r.Solved:
		state = "not solved: " + r.Why
	}
	if _, err := fmt.Fprintln(m.stderr, terminal.Escape(fmt.Sprintf("%d/%d %s, %s: %s", len(m.results), m.total, r.Task,
		r.Model, state))); err != nil {
		return err
	}
	if m.flags.record != "" && r.Run == 1 && r.Error == "" {
		if err := m.write(r.Task, replies); err != nil {
			return fmt.Errorf("recording the replies of %s: %w", r.Task, err)
		}
	}
	return m.save(m.report(m.results))
}

// write writes replies to a task.
func (m *measurement) write(task string, replies []string) error {
	folder := filepath.Join(filepath.FromSlash(task), "replies", m.flags.record)
	if err := m.root.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	old, err := fs.Glob(m.root.FS(), filepath.ToSlash(folder)+"/*.md")
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := m.root.Remove(name); err != nil {
			return err
		}
	}
	for i, text := range replies {
		if err := m.root.WriteFile(filepath.Join(folder, fmt.Sprintf("%02d.md", i+1)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (m *measurement) report(results []scores.Result) scores.Report {
	r := scores.New(m.models, results)
	r.Tenon, r.Made = shortVersion(), time.Now().UTC().Truncate(time.Second)
	return r
}

// save writes the report to the file of --out, if there is one: as a whole or not at all.
func (m *measurement) save(r scores.Report) error {
	if m.flags.out == "" {
		return nil
	}
	temp, err := os.CreateTemp(filepath.Dir(m.flags.out), ".tenon-eval-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", m.flags.out, err)
	}
	err = r.WriteJSON(temp)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Close()); err == nil {
		err = os.Rename(temp.Name(), m.flags.out)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", m.flags.out, errors.Join(err, os.Remove(temp.Name())))
	}
	return nil
}

// readDone returns the results in a file; none if it does not exist.
func readDone(name string) ([]scores.Result, error) {
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	r, err := readReport(name)
	return r.Results, err
}

func readReport(name string) (scores.Report, error) {
	f, err := os.Open(name)
	if err != nil {
		return scores.Report{}, fmt.Errorf("reading a measurement: %w", err)
	}
	defer func() { _ = f.Close() }()
	r, err := scores.Read(f)
	if err != nil {
		return r, fmt.Errorf("reading a measurement: %s: %w", name, err)
	}
	return r, nil
}

// openedTask is a commit of the mirror, of which nothing else is open.
type openedTask struct {
	*bare.Checkout
	mirror *bare.Mirror
}

func (o openedTask) Close() error { return o.mirror.Close() }

func openTask(folder string, ref port.RepoRef, commit string) (tasks.Source, error) {
	mirror := bare.NewMirror(folder)
	checkout, err := mirror.Checkout(ref, commit)
	if err != nil {
		return nil, errors.Join(err, mirror.Close())
	}
	return openedTask{checkout, mirror}, nil
}

// evalCompare compares the measurements in two files.
func evalCompare(files []string, asJSON bool, w io.Writer) error {
	if len(files) != 2 {
		return usageError{errors.New("--compare takes two files that eval --out or --json wrote, like A.json B.json")}
	}
	a, err := readReport(files[0])
	if err != nil {
		return err
	}
	b, err := readReport(files[1])
	if err != nil {
		return err
	}
	all, err := scores.Compare(a, b)
	if err != nil {
		return fmt.Errorf("comparing %s and %s: %w", files[0], files[1], err)
	}
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(all)
	}
	for i, c := range all {
		if i > 0 {
			_, _ = fmt.Fprintln(w)
		}
		if err := c.WriteMarkdown(w); err != nil {
			return fmt.Errorf("printing the comparison: %w", err)
		}
	}
	return nil
}
