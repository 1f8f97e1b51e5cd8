// Package tasks has the bot carry out commands of which it is known what should come of them, and judges the result.
package tasks

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// The files and folders of a task.
const (
	settingsFile  = "task.yaml"
	commentFile   = "comment.md"
	filesFolder   = "repo"
	wantedFolder  = "expected"
	wantedDiff    = "expected.diff"
	repliesFolder = "replies"
)

// Bounds of a task.
const (
	maxText  = 256 << 10 // bytes of a text
	maxFile  = 16 << 20  // bytes of a file of a repository
	maxFiles = 20_000    // files of a snapshot
	maxAll   = 512 << 20 // bytes of all of these
)

// Task is a command on an issue or pull request, and what should come of it.
type Task struct {
	// Name is the path of its folder.
	Name string
	// Digest identifies its content, but not the recorded replies.
	Digest string
	// Comment is the comment with the command, Title and Body are those of the thread.
	Comment, Title, Body string
	// Pull is true if the thread is a pull request.
	Pull bool
	// Repo and Commit name what the task is about in a mirror; Commit is empty if Files are it.
	Repo   port.RepoRef
	Commit string
	Files  *Snapshot

	Judge Judge
	// Replies are the recorded replies, by the name under which they were recorded.
	Replies map[string][]string
}

// Judge says whether a task is solved. All of what is set must apply.
type Judge struct {
	// Wanted are files as they must be afterwards.
	Wanted map[string][]byte
	// Diff is all that must be changed; nil if that is not given.
	Diff []fileDiff
	// Check is a command that must succeed, in a container of Image; nil for none.
	Check []string
	Image string
	// Gold are the files that the right change edits.
	Gold []string
}

// settings is the form of task.yaml.
type settings struct {
	Title  string `yaml:"title"`
	Body   string `yaml:"body"`
	Thread string `yaml:"thread"`
	Repo   string `yaml:"repo"`
	Judge  struct {
		Gold  []string `yaml:"gold"`
		Check []string `yaml:"check"`
		Image string   `yaml:"image"`
	} `yaml:"judge"`
}

// errNoTasks is the error for a folder without tasks.
var errNoTasks = errors.New("no folder in it has a " + settingsFile)

// Read reads the tasks of a folder: each folder in it, at any depth, that has a task.yaml.
func Read(fsys fs.FS) ([]Task, error) {
	var list []Task
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if _, err := fs.Stat(fsys, path.Join(name, settingsFile)); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			return err
		}
		sub, err := fs.Sub(fsys, name)
		if err != nil {
			return err
		}
		task, err := read(sub)
		if err != nil {
			return fmt.Errorf("task %s: %w", name, err)
		}
		task.Name = name
		list = append(list, task)
		return fs.SkipDir
	})
	if err == nil && len(list) == 0 {
		err = errNoTasks
	}
	return list, err
}

// read reads the task in a folder.
func read(fsys fs.FS) (Task, error) {
	var t Task
	data, err := readFile(fsys, settingsFile, maxText)
	if err != nil {
		return t, err
	}
	var s settings
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return t, fmt.Errorf("%s: %s", settingsFile, inPlainWords(err))
	}
	comment, err := readFile(fsys, commentFile, maxText)
	if errors.Is(err, fs.ErrNotExist) {
		return t, fmt.Errorf("it has no %s; write the comment with the command there, like /tenon fix", commentFile)
	}
	if err != nil {
		return t, err
	}
	t.Title, t.Body, t.Comment = s.Title, s.Body, strings.TrimSpace(string(comment))
	if t.Comment == "" {
		return t, fmt.Errorf("%s is empty; write the comment with the command, like /tenon fix", commentFile)
	}
	switch s.Thread {
	case "pull":
		t.Pull = true
	case "", "issue":
	default:
		return t, fmt.Errorf("%s: thread must be issue or pull, not %q", settingsFile, s.Thread)
	}
	if err := t.checkCommand(); err != nil {
		return t, err
	}
	if err := t.readRepository(fsys, s.Repo); err != nil {
		return t, err
	}
	if err := t.readJudge(fsys, s); err != nil {
		return t, err
	}
	if t.Replies, err = readReplies(fsys); err != nil {
		return t, err
	}
	t.Digest, err = digest(fsys)
	return t, err
}

// slug is what commands are given to.
const slug = "tenon"

// checkCommand returns an error if the comment gives no command, or one that the bot would refuse: that would count
// against the models.
func (t *Task) checkCommand() error {
	thread := port.Thread{Number: 1, Pull: t.Pull}
	inv, ok := command.FromEvent(port.Event{Kind: port.IssueComment, Action: "created", Thread: thread,
		Comment: port.Comment{Kind: port.IssueComment, Body: t.Comment}}, slug, "")
	switch {
	case !ok:
		return fmt.Errorf("%s gives no command; begin a line with one, like /tenon fix", commentFile)
	case inv.Problem != "":
		return fmt.Errorf("%s: %s", commentFile, inv.Problem)
	}
	return nil
}

// unknownField and wrongType match what the YAML library says of a file.
var (
	unknownField = regexp.MustCompile(`line ([0-9]+): field (\S+) not found in type .*`)
	wrongType    = regexp.MustCompile("line ([0-9]+): cannot unmarshal !!\\S+ (?:`[^`]*` )?into \\[\\]string")
	anyType      = regexp.MustCompile("line ([0-9]+): cannot unmarshal !!\\S+ (?:`[^`]*` )?into .*")
)

// inPlainWords returns what is wrong with a file of settings without the words of a Go program.
func inPlainWords(err error) string {
	text := strings.TrimPrefix(err.Error(), "yaml: unmarshal errors:\n")
	text = unknownField.ReplaceAllStringFunc(text, func(found string) string {
		m := unknownField.FindStringSubmatch(found)
		said := fmt.Sprintf("line %s: there is no field %s", m[1], m[2])
		if near := command.Closest(m[2], fields); near != "" {
			said += "; did you mean " + near + "?"
		}
		return said
	})
	text = wrongType.ReplaceAllString(text, "line $1: it must be a list, like [a, b]")
	text = anyType.ReplaceAllString(text, "line $1: it is of the wrong kind")
	return strings.Join(strings.Fields(strings.TrimPrefix(text, "yaml: ")), " ")
}

// fields are those of settings.
var fields = []string{"title", "body", "thread", "repo", "judge", "gold", "check", "image"}

var inMirror = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)@([0-9a-f]{40})$`)

// readRepository reads which files the task is about.
func (t *Task) readRepository(fsys fs.FS, named string) error {
	if named == "" {
		files, err := readSnapshot(fsys, filesFolder)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("it has neither a folder %s with the files, nor a line like repo: owner/name@COMMIT", filesFolder)
		}
		t.Files, t.Repo = files, port.RepoRef{Owner: "eval", Name: "task"}
		return err
	}
	parts := inMirror.FindStringSubmatch(named)
	if parts == nil || parts[2] == "." || parts[2] == ".." {
		return fmt.Errorf("%s: repo must be owner/name@COMMIT with a full commit id, not %q", settingsFile, named)
	}
	t.Repo, t.Commit = port.RepoRef{Owner: parts[1], Name: parts[2]}, parts[3]
	return nil
}

func (t *Task) readJudge(fsys fs.FS, s settings) error {
	t.Judge = Judge{Check: s.Judge.Check, Image: s.Judge.Image, Gold: s.Judge.Gold}
	wanted, err := readSnapshot(fsys, wantedFolder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if wanted != nil {
		t.Judge.Wanted = wanted.files
	}
	diff, err := readFile(fsys, wantedDiff, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil {
		if t.Judge.Diff, err = parseDiff(string(diff)); err != nil {
			return fmt.Errorf("%s: %w", wantedDiff, err)
		}
	}
	if len(t.Judge.Gold) == 0 {
		for name := range t.Judge.Wanted {
			t.Judge.Gold = append(t.Judge.Gold, name)
		}
		for _, d := range t.Judge.Diff {
			t.Judge.Gold = append(t.Judge.Gold, d.path)
		}
		slices.Sort(t.Judge.Gold)
		t.Judge.Gold = slices.Compact(t.Judge.Gold)
	}
	if t.Judge.Wanted == nil && t.Judge.Diff == nil && t.Judge.Check == nil {
		return fmt.Errorf("nothing says when it is solved; add a folder %s, a file %s, or judge.check to %s", wantedFolder,
			wantedDiff, settingsFile)
	}
	return nil
}

// readReplies reads recorded replies: replies/NAME/*.md, in the order of their names.
func readReplies(fsys fs.FS) (map[string][]string, error) {
	names, err := fs.ReadDir(fsys, repliesFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // a task needs none
	}
	if err != nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, name := range names {
		if !name.IsDir() {
			continue
		}
		files, err := fs.ReadDir(fsys, path.Join(repliesFolder, name.Name()))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if path.Ext(file.Name()) != ".md" {
				continue
			}
			text, err := readFile(fsys, path.Join(repliesFolder, name.Name(), file.Name()), maxFile)
			if err != nil {
				return nil, err
			}
			out[name.Name()] = append(out[name.Name()], string(text))
		}
	}
	return out, nil
}

// digest returns the SHA-256 of the names and contents of a task's files, in hexadecimal.
func digest(fsys fs.FS) (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name == repliesFolder:
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := readFile(fsys, name, maxFile)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(sum, "%q %d\n", name, len(data)) // a hash accepts everything
		_, _ = sum.Write(data)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// readFile reads a file of at most so many bytes.
func readFile(fsys fs.FS, name string, most int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s is longer than %d bytes", name, most)
	}
	return data, err
}

// kindOf returns the kind of an entry.
func kindOf(d fs.DirEntry) engine.Kind {
	switch {
	case d.IsDir():
		return engine.Folder
	case d.Type().IsRegular():
		return engine.File
	case d.Type()&fs.ModeSymlink != 0:
		return engine.Symlink
	}
	return engine.Submodule
}
