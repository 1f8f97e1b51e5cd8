// Package generated knows files that a tool writes from others, such as lock files: a conflict in one is not settled
// line by line, but by running the tool again.
package generated

import "strings"

// commands has the command that writes a file again, by the name of the file.
var commands = map[string]string{
	"package-lock.json":   "npm install --package-lock-only",
	"npm-shrinkwrap.json": "npm install --package-lock-only",
	"yarn.lock":           "yarn install",
	"pnpm-lock.yaml":      "pnpm install --lockfile-only",
	"bun.lock":            "bun install --lockfile-only",
	"bun.lockb":           "bun install --lockfile-only",
	"deno.lock":           "deno install",
	"go.sum":              "go mod tidy",
	"go.work.sum":         "go work sync",
	"Cargo.lock":          "cargo update --workspace",
	"poetry.lock":         "poetry lock",
	"uv.lock":             "uv lock",
	"pdm.lock":            "pdm lock",
	"Pipfile.lock":        "pipenv lock",
	"composer.lock":       "composer update --lock",
	"Gemfile.lock":        "bundle lock",
	"Podfile.lock":        "pod install",
	"Package.resolved":    "swift package resolve",
	"flake.lock":          "nix flake lock",
	"mix.lock":            "mix deps.get",
	"pubspec.lock":        "dart pub get",
	"packages.lock.json":  "dotnet restore --force-evaluate",
	"gradle.lockfile":     "gradle dependencies --write-locks",
	"MODULE.bazel.lock":   "bazel mod deps",
}

// Command returns the command that writes the file at a path again, with slashes between folders; ok is false if the
// file is not known to be generated.
func Command(path string) (command string, ok bool) {
	folder, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folder, name = path[:i], path[i+1:]
	}
	switch {
	case !strings.HasSuffix(name, ".snap"):
		command, ok = commands[name]
		return command, ok
	case folder == "__snapshots__" || strings.HasSuffix(folder, "/__snapshots__"): // of jest and vitest
		return "npm test -- -u", true
	}
	return "cargo insta test --accept", true
}
