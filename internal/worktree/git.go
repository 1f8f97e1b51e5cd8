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

// ErrNoGit is returned by Stage if git is not installed.
var ErrNoGit = errors.New("git is not installed")

// Stage adds the named files to git's index, as `git add` does. It returns ErrNoGit if git is not installed.
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

// run runs git at the top of the tree and returns its output.
func (t *Tree) run(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.git, args...)
	cmd.Dir = t.dir
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), isRepositorySetting), "GIT_LITERAL_PATHSPECS=1", "LC_ALL=C")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w%s", args[0], err, oneLine(errOut.String()))
	}
	return out.String(), nil
}

// isRepositorySetting reports whether an environment variable, such as a hook has, directs git to another repository.
func isRepositorySetting(setting string) bool {
	name, _, _ := strings.Cut(setting, "=")
	return slices.Contains([]string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
	}, name)
}

// oneLine returns git's error output in one line, after a colon.
func oneLine(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return ""
	}
	return ": " + text
}

// entries returns the entries of git's -z output.
func entries(out string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(out, "\x00") {
			if part != "" && !yield(part) {
				return
			}
		}
	}
}
