package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/text"
)

// ErrNoGit is returned by Stage if git is not installed.
var ErrNoGit = errors.New("git is not installed")

// Stage adds the named files to git's index, as `git add` does, but runs no filter: files that git would send through
// one are left out, and a FilterError names them. It returns ErrNoGit if git is not installed.
//
// Names of files that were removed are removed from the index.
func (t *Tree) Stage(ctx context.Context, names []string) error {
	if t.git == "" {
		return ErrNoGit
	}
	if len(names) == 0 {
		return nil
	}
	names, err := t.unstageRemoved(ctx, names)
	if err != nil || len(names) == 0 {
		return err
	}
	f, err := t.readFilters(ctx)
	if err != nil {
		return err
	}
	filtered, err := f.of(ctx, names)
	if err != nil {
		return err
	}
	plain := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return filtered[name] != "" })
	if len(plain) > 0 {
		if _, err := t.run(ctx, slices.Concat(f.off(), []string{"add", "--"}, plain)...); err != nil {
			return err
		}
	}
	if len(filtered) > 0 {
		return &FilterError{Filters: filtered}
	}
	return nil
}

// unstageRemoved removes those files from the index that are no longer there, and returns the others.
func (t *Tree) unstageRemoved(ctx context.Context, names []string) (left []string, err error) {
	var gone []string
	for _, name := range names {
		if _, err := t.Stat(name); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, name)
		} else {
			left = append(left, name)
		}
	}
	if len(gone) > 0 {
		_, err = t.runWith(ctx, strings.Join(gone, "\x00")+"\x00", nil, "update-index", "--force-remove", "-z", "--stdin")
	}
	return left, err
}

// run runs git at the top of the tree and returns its output. Git runs no other program: no hook, no monitor of the
// file system, no pager or editor, and nothing that would fetch what a partial clone lacks.
func (t *Tree) run(ctx context.Context, args ...string) (string, error) {
	return t.runWith(ctx, "", nil, args...)
}

// runWith is run with standard input and more environment.
func (t *Tree) runWith(ctx context.Context, input string, env []string, args ...string) (string, error) {
	cmd := t.command(ctx, args)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin = strings.NewReader(input)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		return "", failed(args, err, errOut.String())
	}
	return out.String(), nil
}

// runBounded is run for an output of at most so many bytes; of more, it returns errTooMuch.
func (t *Tree) runBounded(ctx context.Context, most int, args ...string) (string, error) {
	cmd := t.command(ctx, args)
	out, errOut := bounded{left: most}, bounded{left: 1 << 20}
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	switch {
	case out.full:
		return "", errTooMuch
	case err != nil:
		return "", failed(args, err, errOut.String())
	}
	return out.String(), nil
}

func (t *Tree) command(ctx context.Context, args []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, t.git, slices.Concat(noPrograms, args)...)
	cmd.Dir = t.dir
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), isRepositorySetting), "GIT_LITERAL_PATHSPECS=1", "LC_ALL=C",
		"GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(t.dir)) // a broken repository is not the one around it
	return cmd
}

func failed(args []string, err error, said string) error {
	return fmt.Errorf("git %s: %w%s", subcommand(args), err, oneLine(said))
}

// noPrograms are options that keep git from running what the settings of a repository name. Settings on the command
// line win over all others. Filters are treated apart: see filters.
var noPrograms = []string{
	"--no-pager",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.sshCommand=false",
	"-c", "core.askPass=", "-c", "core.editor=false", "-c", "core.pager=cat", "-c", "core.alternateRefsCommand=",
	"-c", "credential.helper=", "-c", "diff.external=", "-c", "gpg.program=false", "-c", "protocol.allow=never",
	"-c", "safe.bareRepository=explicit", "-c", "submodule.recurse=false",
}

// GitDir returns the folder in which git keeps what belongs to this work tree alone; of a linked work tree, that is not
// the folder of the repository.
func (t *Tree) GitDir() (string, error) {
	dotGit := filepath.Join(t.dir, ".git")
	if t.dotGit.IsDir() {
		return dotGit, nil
	}
	data, err := os.ReadFile(dotGit)
	if err != nil {
		return "", fmt.Errorf("looking for the git folder: %w", err)
	}
	dir, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), "gitdir: ")
	if !ok {
		return "", fmt.Errorf("looking for the git folder: %s names none", dotGit)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(t.dir, dir)
	}
	return dir, nil
}

// HasGit reports whether git is installed.
func (t *Tree) HasGit() bool { return t.git != "" }

// subcommand returns the subcommand in git's arguments, behind options with a value.
func subcommand(args []string) string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}

// isRepositorySetting reports whether an environment variable, such as a hook has, directs git to another repository,
// to other settings than git's own, or to files that git would write.
func isRepositorySetting(setting string) bool {
	name, _, _ := strings.Cut(setting, "=")
	return strings.HasPrefix(name, "GIT_TRACE") || slices.Contains([]string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CEILING_DIRECTORIES",
		"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_EXTERNAL_DIFF", "GIT_ATTR_SOURCE",
	}, name)
}

// oneLine returns git's error output in one line, after a colon.
func oneLine(output string) string {
	if output = text.OneLine(output); output == "" {
		return ""
	}
	return ": " + output
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
