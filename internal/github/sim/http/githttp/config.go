package githttp

import (
	"fmt"
	"os"
	"path/filepath"
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
decline() { echo "$ref $1" >>"$SIM_REASONS"; exit 1; }
if [ -n "$SIM_LENT" ]; then
	printf '%s\n' "$SIM_LENT" | grep -qxF -- "$ref" || decline "permission denied"
fi
sep=$(printf '\037')
while IFS=$sep read -r protected beside text; do
	[ "$protected" = "$ref" ] || continue
	printf '%s\n' "$text" | tr '\037' '\n' >&2
	decline "$beside"
done <<END
$SIM_PROTECTED
END
name=${ref#refs/*/}
case $name in *[!0-9a-f]*) ;; ????????????????????????????????????????)
	echo "error: GH002: Sorry, branch or tag names consisting of 40 hex characters are not allowed." >&2
	echo "error: Invalid branch or tag name \"$name\"" >&2
	decline "pre-receive hook declined"
esac
[ "$SIM_WORKFLOWS" = write ] && exit 0
case $new in *[!0]*) ;; *) exit 0 ;; esac
file=$(git log --format= --name-only "$new" --not --all -- .github/workflows | head -n 1)
tick=$(printf '\140')
[ -z "$file" ] || decline "refusing to allow a GitHub App to create or update workflow \
$tick$file$tick without ${tick}workflows$tick permission"
`

// WriteConfig writes git's configuration to a file, and its hook to a folder below dir.
func WriteConfig(dir, file string) error {
	hooks := filepath.Join(dir, ".hooks")
	if err := os.MkdirAll(hooks, 0o755); err != nil {
		return fmt.Errorf("making the folder of the hooks: %w", err)
	}
	if err := os.WriteFile(filepath.Join(hooks, "update"), []byte(updateHook), 0o755); err != nil {
		return fmt.Errorf("writing git's hook: %w", err)
	}
	if err := os.WriteFile(file, fmt.Appendf(nil, gitConfig, hooks), 0o644); err != nil {
		return fmt.Errorf("writing git's settings: %w", err)
	}
	return nil
}
