package trees

import "strings"

// generators has the command that makes a file anew, by the name of the file.
var generators = map[string]string{
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

// generator returns the command that makes the file at a path anew; empty if it is not known to be generated.
func generator(path string) string {
	switch {
	case !strings.HasSuffix(path, ".snap"):
		return generators[base(path)]
	case base(parent(path)) == "__snapshots__": // of jest and vitest
		return "npm test -- -u"
	}
	return "cargo insta test --accept"
}
