package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os/exec"
	"slices"
	"strings"
)

// ErrNoGit says that staging needs the system's git, and there is none.
var ErrNoGit = errors.New("git is not installed")

// Stage adds the named files to git's index, as `git add` does. ErrNoGit when the system has no git.
func (t *Tree) Stage(ctx context.Context, names []string) error {
	if t.git == "" {
		return ErrNoGit
	}
	if len(names) == 0 {
		return nil
	}
	_, err := t.run(ctx, append([]string{"add", "--"}, names...)...)
	return err
}

// run runs git at the top of the tree and returns what it printed.
func (t *Tree) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.git, args...)
	cmd.Dir = t.dir
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), namesARepository), "GIT_LITERAL_PATHSPECS=1", "LC_ALL=C")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w%s", args[0], err, said(errOut.String()))
	}
	return out.String(), nil
}

// namesARepository tells the settings by which a hook or a script that runs us points git at a repository of its own.
func namesARepository(setting string) bool {
	name, _, _ := strings.Cut(setting, "=")
	return slices.Contains([]string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	}, name)
}

// said is git's own words in one line.
func said(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return ""
	}
	return ": " + text
}

// entries are the parts of git's -z output.
func entries(out string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(out, "\x00") {
			if part != "" && !yield(part) {
				return
			}
		}
	}
}
