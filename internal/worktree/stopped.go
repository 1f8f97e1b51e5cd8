package worktree

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tenon-bot/tenon/internal/text"
)

// Stopped is a command of git that stopped because of conflicts.
type Stopped struct {
	// Command is "merge", "rebase", "am", "cherry-pick" or "revert"; empty if none of them is under way.
	Command string
	// Ours is what is checked out, a branch or a short hash. Theirs is the short hash of the commit that is merged into
	// it, with its subject; in a rebase the commit that is moved, in a revert the subject that git gives it.
	Ours, Theirs string
	// OurSubjects and TheirSubjects are those of the commits that only one side has, newest first, at most 31. For all
	// but a merge, theirs is one commit, and of ours none are listed.
	OurSubjects, TheirSubjects []string
}

// Next returns the command with which git goes on; empty if there is none, as after a stash.
func (s Stopped) Next() string {
	if s.Command == "" {
		return ""
	}
	return "git " + s.Command + " --continue"
}

// maxSubjects is how many commits of a side are listed.
const maxSubjects = "31"

// Stopped returns what git stopped at.
func (t *Tree) Stopped(ctx context.Context) (Stopped, error) {
	head, err := t.Head(ctx)
	if err != nil {
		return Stopped{}, err
	}
	s := Stopped{Ours: head.Branch}
	if s.Ours == "" {
		s.Ours = short(head.SHA)
	}
	var sha string
	if s.Command, sha, err = t.underWay(); err != nil || sha == "" {
		return s, err
	}
	theirs := []string{"-1", sha}
	if s.Command == "merge" {
		theirs = []string{"-" + maxSubjects, sha, "^HEAD"}
		if s.OurSubjects, err = t.subjects(ctx, "-"+maxSubjects, "HEAD", "^"+sha); err != nil {
			return Stopped{}, err
		}
	}
	if s.TheirSubjects, err = t.subjects(ctx, theirs...); err != nil {
		return Stopped{}, err
	}
	s.Theirs = short(sha)
	switch {
	case len(s.TheirSubjects) == 0:
	case s.Command == "revert":
		s.TheirSubjects[0] = "Revert " + `"` + s.TheirSubjects[0] + `"`
		s.Theirs = s.TheirSubjects[0]
	default:
		s.Theirs += " " + s.TheirSubjects[0]
	}
	return s, nil
}

// underWay returns the command that git has stopped in, and the commit at which it is; empty if that is not known. It
// reads git's own files: a branch or a tag can have the name of any of them.
func (t *Tree) underWay() (command, sha string, err error) {
	dir, err := t.GitDir()
	if err != nil {
		return "", "", err
	}
	for _, c := range []struct{ sign, command, ref string }{
		{"rebase-apply/applying", "am", ""}, {"rebase-apply", "rebase", "REBASE_HEAD"},
		{"rebase-merge", "rebase", "REBASE_HEAD"}, {"MERGE_HEAD", "merge", "MERGE_HEAD"},
		{"CHERRY_PICK_HEAD", "cherry-pick", "CHERRY_PICK_HEAD"}, {"REVERT_HEAD", "revert", "REVERT_HEAD"},
	} {
		switch _, err := os.Lstat(filepath.Join(dir, c.sign)); {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", "", fmt.Errorf("looking for what git is at: %w", err)
		case c.ref == "":
			return c.command, "", nil
		}
		data, err := os.ReadFile(filepath.Join(dir, c.ref))
		if errors.Is(err, fs.ErrNotExist) {
			return c.command, "", nil
		}
		if err != nil {
			return "", "", fmt.Errorf("looking for what git is at: %w", err)
		}
		first, _, _ := strings.Cut(string(data), "\n") // a merge of several branches has more
		if !isHash(first) {
			return c.command, "", nil
		}
		return c.command, first, nil
	}
	return "", "", nil
}

// isHash reports whether a text is the hash of a commit.
func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

func (t *Tree) subjects(ctx context.Context, revisions ...string) ([]string, error) {
	out, err := t.run(ctx, append([]string{"log", "-z", "--format=%s", "--no-show-signature"}, revisions...)...)
	if err != nil {
		return nil, err
	}
	var subjects []string
	for s := range entries(out) {
		subjects = append(subjects, text.OneLine(s))
	}
	return subjects, nil
}

func short(sha string) string { return sha[:min(len(sha), 7)] }
