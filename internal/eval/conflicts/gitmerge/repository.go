package gitmerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/text"
)

// Repository is a bare repository whose merges are made again. Not safe for concurrent use.
type Repository struct {
	folder string
	// made is the folder of the objects that merges make.
	made    string
	objects *objects
}

// ErrNoRepository is returned by Open for a folder without a bare repository.
var ErrNoRepository = errors.New("no bare git repository")

// Open opens the bare repository in a folder. It returns ErrNoRepository if there is none, and an error that says which
// version is needed if git cannot merge without a work tree. Until Close, a git process waits for requests.
func Open(ctx context.Context, folder string) (*Repository, error) {
	info, err := os.Stat(filepath.Join(folder, "objects"))
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return nil, fmt.Errorf("%s: %w", folder, ErrNoRepository)
	}
	if err != nil {
		return nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, err
	}
	r := &Repository{folder: folder}
	if err := r.checkVersion(ctx); err != nil {
		return nil, err
	}
	if r.made, err = os.MkdirTemp("", "tenon-merges-"); err != nil {
		return nil, err
	}
	if r.objects, err = startObjects(r.command(ctx, "cat-file", "--batch")); err != nil {
		return nil, errors.Join(err, os.RemoveAll(r.made))
	}
	return r, nil
}

// Close ends git and removes what the merges made.
func (r *Repository) Close() error {
	return errors.Join(r.objects.close(), os.RemoveAll(r.made))
}

// needed is the version of git that has merge-tree --write-tree.
const needed = "2.38"

func (r *Repository) checkVersion(ctx context.Context) error {
	out, err := r.run(ctx, "version")
	if err != nil {
		return err
	}
	return checkVersion(string(out))
}

// checkVersion reads what git says of its version.
func checkVersion(said string) error {
	version, _ := strings.CutPrefix(strings.TrimSpace(said), "git version ")
	var major, minor int
	if _, err := fmt.Sscanf(version, "%d.%d", &major, &minor); err != nil {
		return fmt.Errorf("%q names no version of git; at least %s is needed", said, needed)
	}
	if major < 2 || major == 2 && minor < 38 {
		return fmt.Errorf("git %s is too old: git merge-tree --write-tree needs at least git %s", version, needed)
	}
	return nil
}

// noSettings are options that keep git from running programs that settings name, and from writing conflicts in
// another form.
var noSettings = []string{
	"--no-pager", "--no-replace-objects", "-c", "merge.conflictStyle=merge", "-c", "merge.renormalize=false",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.alternateRefsCommand=",
	"-c", "core.attributesFile=" + os.DevNull, "-c", "protocol.allow=never", "-c", "safe.directory=*",
}

// command returns git with arguments, in the repository. The environment of the caller counts for nothing but where
// programs and temporary files are.
func (r *Repository) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append(append([]string{}, noSettings...), args...)...)
	cmd.Dir = r.folder
	isOther := func(setting string) bool { return !strings.HasPrefix(setting, "PATH=") }
	cmd.Env = append(slices.DeleteFunc(cmd.Environ(), isOther),
		"TMPDIR="+os.TempDir(), "HOME="+os.DevNull, "XDG_CONFIG_HOME="+os.DevNull,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_DIR="+r.folder,
		"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C",
		"GIT_OBJECT_DIRECTORY="+r.made, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+filepath.Join(r.folder, "objects"),
	)
	return cmd
}

// run returns git's output. The error has what git says, in one line.
func (r *Repository) run(ctx context.Context, args ...string) ([]byte, error) {
	var out, said bytes.Buffer
	cmd := r.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return out.Bytes(), fmt.Errorf("git %s: %w: %s", args[0], err, text.OneLine(said.String()))
	}
	return out.Bytes(), nil
}
