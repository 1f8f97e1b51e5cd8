package ghtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// gitConfig is the whole configuration of git here, as similar to that of GitHub's servers as possible.
const gitConfig = `[user]
	name = GitHub
	email = noreply@github.com
[init]
	defaultBranch = main
[core]
	hooksPath = %s
[safe]
	directory = *
[gc]
	auto = 0
[receive]
	autogc = false
	fsckObjects = true
	hideRefs = refs/pull
	unpackLimit = 1000
	advertisePushOptions = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[http]
	receivepack = true
	uploadpack = true
[fastimport]
	unpackLimit = 1000
`

// updateHook decides about each ref of a push, before its objects are stored. The client gets its standard error. The
// reason beside the ref is passed to the handler in a file, because git's own would be "hook declined".
const updateHook = `#!/bin/sh
ref=$1 new=$3
decline() { echo "$ref $1" >>"$GHTEST_REASONS"; exit 1; }
if [ -n "$GHTEST_LENT" ]; then
	printf '%s\n' "$GHTEST_LENT" | grep -qxF -- "$ref" || decline "permission denied"
fi
sep=$(printf '\037')
while IFS=$sep read -r protected beside text; do
	[ "$protected" = "$ref" ] || continue
	printf '%s\n' "$text" | tr '\037' '\n' >&2
	decline "$beside"
done <<END
$GHTEST_PROTECTED
END
name=${ref#refs/*/}
case $name in *[!0-9a-f]*) ;; ????????????????????????????????????????)
	echo "error: GH002: Sorry, branch or tag names consisting of 40 hex characters are not allowed." >&2
	echo "error: Invalid branch or tag name \"$name\"" >&2
	decline "pre-receive hook declined"
esac
[ "$GHTEST_WORKFLOWS" = write ] && exit 0
case $new in *[!0]*) ;; *) exit 0 ;; esac
file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
tick=$(printf '\140')
[ -z "$file" ] || decline "refusing to allow a GitHub App to create or update workflow \
$tick$file$tick without ${tick}workflows$tick permission"
`

func (s *Server) writeGitConfig() error {
	hooks := filepath.Join(s.dir, ".hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		return fmt.Errorf("making the folder of the hooks: %w", err)
	}
	if err := os.WriteFile(filepath.Join(hooks, "update"), []byte(updateHook), 0o755); err != nil {
		return fmt.Errorf("writing git's hook: %w", err)
	}
	if err := os.WriteFile(s.gitConfigFile(), fmt.Appendf(nil, gitConfig, hooks), 0o644); err != nil {
		return fmt.Errorf("writing git's settings: %w", err)
	}
	return nil
}

func (s *Server) gitConfigFile() string { return filepath.Join(s.dir, ".gitconfig") }

// gitEnv returns git's whole environment, without any settings of the user.
func (s *Server) gitEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + s.gitConfigFile(), "GIT_TERMINAL_PROMPT=0"}
}

// git runs a git command in a repository and returns its output, without the last newline.
func (s *Server) git(dir string, args ...string) (string, error) {
	return s.gitIn(dir, nil, nil, args...)
}

func (s *Server) gitIn(dir string, in io.Reader, env []string, args ...string) (string, error) {
	out, err := s.gitBytes(dir, in, env, args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

func (s *Server) gitBytes(dir string, in io.Reader, env []string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.programs.git, args...)
	cmd.Dir, cmd.Stdin, cmd.Env = dir, in, append(s.gitEnv(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return out, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}

// known is git for a question whose answer never changes, because all objects in it are named by their SHAs. It is
// asked once.
func (s *Server) known(dir string, args ...string) (string, error) {
	key := dir + "\x00" + strings.Join(args, "\x00")
	if out, is := s.answers.Load(key); is {
		return out.(string), nil
	}
	out, err := s.git(dir, args...)
	if err == nil {
		s.answers.Store(key, out)
	}
	return out, err
}

// readRef returns what a ref of a bare repository refers to, "" if there is no such ref. It reports false for what only
// git knows: a symbolic ref, or files of another format. See gitrepository-layout(5).
func readRef(dir, name string) (sha string, known bool) {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err == nil {
		sha = strings.TrimSuffix(string(data), "\n")
		return sha, wholeSHA.MatchString(sha)
	}
	packed, err := os.ReadFile(filepath.Join(dir, "packed-refs"))
	if err != nil {
		return "", errors.Is(err, fs.ErrNotExist)
	}
	for line := range strings.Lines(string(packed)) {
		if sha, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); ref == name {
			return sha, wholeSHA.MatchString(sha)
		}
	}
	return "", true
}

// branch returns the commit of a branch, or "" if there is no such branch.
func (s *Server) branch(r *repository, name string) string { return s.commitOf(r, "refs/heads/"+name) }

// commitOf returns the commit of a revision, or "" if there is none. That of a branch is read from git's files, because
// it is needed several times in every request.
func (s *Server) commitOf(r *repository, rev string) string {
	if strings.HasPrefix(rev, "refs/heads/") && path.Clean(rev) == rev {
		if sha, known := readRef(r.dir, rev); known {
			return sha
		}
	}
	sha, err := s.git(r.dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return ""
	}
	return sha
}
