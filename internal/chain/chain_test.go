package chain

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const (
	root      = "../.."
	workflows = root + "/.github/workflows/"
)

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Clean(file))
	require.NoError(t, err)
	return data
}

func TestTheWorkflowsOfTenonKeepTheRules(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(workflows + "*")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 4)
	for _, file := range files {
		problems, err := Workflow(read(t, file))
		require.NoError(t, err, file)
		require.Empty(t, problems, file)
	}
	problems, err := Action(read(t, root+"/action.yml"))
	require.NoError(t, err)
	require.Empty(t, problems)
}

// Every permission to write is listed here, so that no change adds one unseen.
func TestEachJobMayWriteNoMoreThanIsListed(t *testing.T) {
	t.Parallel()
	listed := map[string]map[string]string{
		"build.yml/build": {"contents": "read"},
		"build.yml/sign":  {"attestations": "write", "id-token": "write", "packages": "write"},
		// The most that a job of build.yml may have, which is what its caller has.
		"release.yml/build":   {"contents": "read", "attestations": "write", "id-token": "write", "packages": "write"},
		"release.yml/publish": {"attestations": "read", "contents": "write", "packages": "write"},
	}
	files, err := filepath.Glob(workflows + "*")
	require.NoError(t, err)
	for _, file := range files {
		var w workflow
		require.NoError(t, yaml.Unmarshal(read(t, file), &w))
		for name, j := range w.Jobs {
			place := filepath.Base(file) + "/" + name
			if j.Permissions.given {
				require.Equal(t, listed[place], j.Permissions.named, place)
			}
			delete(listed, place)
		}
	}
	require.Empty(t, listed, "there is no such job")
}

// What builds a release runs code of the repository and of its modules. If it could sign too, that code could sign
// anything in the name of the workflow.
func TestNoJobThatBuildsMaySign(t *testing.T) {
	t.Parallel()
	var w workflow
	require.NoError(t, yaml.Unmarshal(read(t, workflows+"build.yml"), &w))
	require.Equal(t, []string{"workflow_call"}, w.events())
	given := regexp.MustCompile(`(?m)^ *(inputs|secrets):|\binputs\.`)
	require.False(t, given.Match(read(t, workflows+"build.yml")), "the caller has no say in what is built")
	builds, signs := w.Jobs["build"], w.Jobs["sign"]
	require.False(t, builds.Permissions.write())
	require.Equal(t, "actions/checkout", builds.Steps[0].action())
	require.Equal(t, "write", signs.Permissions.named["id-token"])
	for _, s := range signs.Steps {
		require.NotEqual(t, "actions/checkout", s.action())
	}
}

// sha is a commit.
const sha = "de0fac2e4500dabe0009e67214ff5f5447ce83dd"

// good is a workflow without problems, which the cases below spoil.
const good = `on:
  push:
    tags: ["v*"]
permissions:
  contents: read
jobs:
  build:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2
        with:
          persist-credentials: false
      - uses: actions/setup-go@7a3fe6cf4cb3a834922a1244abfce67bcef6a0c5 # v6.2.0
        with:
          cache: false
      - run: echo "$NAME"
        env:
          NAME: ${{ github.event.issue.title }}
  sign:
    runs-on: ubuntu-24.04
    permissions:
      id-token: write
    steps:
      - run: echo sign
  call:
    uses: ./.github/workflows/build.yml
    permissions:
      contents: write
`

// planted are violations of each rule: what is replaced in the good workflow, by what, and what is said of it.
var planted = map[string]struct{ old, now, says string }{
	"an action by its tag":                   {"@" + sha + " # v6.0.2", "@v6", "wants a commit"},
	"an action by a short commit":            {sha, "de0fac2", "wants a commit"},
	"a commit of nobody knows which version": {" # v6.0.2", "", "wants a commit"},
	"a reusable workflow by its branch": {
		"./.github/workflows/build.yml", "o/r/.github/workflows/b.yml@main", "wants a commit"},
	"an image by its tag": {
		"run: echo sign", "uses: docker://alpine:3.22", "the image alpine:3.22 wants a digest"},
	"a container by its tag": {
		"    permissions:\n      id-token", "    container: alpine\n    permissions:\n      id-token", "the image alpine"},
	"a service by its tag": {"    permissions:\n      id-token",
		"    services:\n      db:\n        image: postgres:18\n    permissions:\n      id-token", "the image postgres:18"},
	"a title in a script": {
		`echo "$NAME"`, `echo "${{ github.event.issue.title }}"`, "an expression in a script is code"},
	"a branch in a script of many lines": {
		`echo "$NAME"`, "|\n          true\n          git switch ${{ github.head_ref }}", "an expression in a script"},
	"a checkout that leaves the token": {"persist-credentials: false", "fetch-depth: 0", "leaves the token"},
	"the default permissions":          {"permissions:\n  contents: read\njobs:", "jobs:", "has no permissions"},
	"permissions for all jobs": {
		"permissions:\n  contents: read\njobs:", "permissions:\n  contents: write\njobs:", "belong to the jobs"},
	"all permissions of a workflow": {
		"permissions:\n  contents: read\njobs:", "permissions: write-all\njobs:", "belong to the jobs"},
	"all permissions of a job": {
		"    permissions:\n      id-token: write", "    permissions: write-all", "named one by one"},
	"a job that builds and signs": {"run: echo sign",
		"uses: actions/checkout@" + sha + " # v6.0.2\n" +
			"        with: {persist-credentials: false}", "runs no code of the repository"},
	"a checkout in other letters": {"run: echo sign",
		"uses: Actions/Checkout@" + sha + " # v6.0.2\n" +
			"        with: {persist-credentials: false}", "runs no code of the repository"},
	"a title in a script of an action": {"run: echo sign",
		"uses: actions/github-script@" + sha + " # v8\n" +
			"        with: {script: \"x('${{ github.event.issue.title }}')\"}", "an expression in a script is code"},
	"a job that signs with an action of the repository": {"run: echo sign", "uses: ./sign", "runs no code"},
	"a cache of Go's":   {"cache: false", "cache: true", "takes from a cache"},
	"a cache unasked":   {"cache: false", "check-latest: true", "takes from a cache"},
	"a cache by itself": {"run: echo sign", "uses: actions/cache@" + sha + " # v5", "a cache"},
	"a cache of layers": {"run: echo sign", "run: docker buildx build --cache-from type=gha .", "from a cache"},
	"a pull request that may write": {
		"on:\n", "on:\n  pull_request:\n", "what a pull request starts may write nothing"},
	"the code of a fork with rights": {
		"on:\n", "on:\n  pull_request_target:\n", "started by pull_request_target"},
	"a comment of anybody":        {"on:\n", "on:\n  issue_comment:\n", "started by issue_comment"},
	"a workflow that follows one": {"on:\n", "on:\n  workflow_run:\n", "started by workflow_run"},
	"a machine of somebody's own": {"runs-on: ubuntu-24.04", "runs-on: self-hosted", "runs on GitHub's machines"},
	"a machine that changes":      {"runs-on: ubuntu-24.04", "runs-on: ubuntu-latest", "runs on GitHub's machines"},
	"a secret":                    {"${{ github.event.issue.title }}", "${{ secrets.KEY }}", "no workflow has a secret"},
	"a secret in other letters": {
		"${{ github.event.issue.title }}", "${{ SECRETS.K }}", "no workflow has a secret"},
	"all secrets, inherited": {"    permissions:\n      contents: write", "    secrets: inherit", "has a secret"},
	"all secrets as text":    {"github.event.issue.title", "toJSON(secrets)", "no workflow has a secret"},
}

func TestEachPlantedViolationIsFound(t *testing.T) {
	t.Parallel()
	problems, err := Workflow([]byte(good))
	require.NoError(t, err)
	require.Empty(t, problems)
	for name, p := range planted {
		require.Contains(t, good, p.old, name)
		spoiled := strings.Replace(good, p.old, p.now, 1)
		problems, err := Workflow([]byte(spoiled))
		require.NoError(t, err, name)
		require.Len(t, problems, 1, "%s: %v\n%s", name, problems, spoiled)
		require.Contains(t, problems[0].String(), p.says, name)
		require.Positive(t, problems[0].Line, name)
	}
}

func TestAnActionKeepsTheRulesOfSteps(t *testing.T) {
	t.Parallel()
	for step, says := range map[string]string{
		"uses: o/r@v1":                           "line 3: o/r@v1 wants a commit",
		"run: echo ${{ inputs.name }}":           "line 3: an expression in a script is code",
		"uses: docker://alpine":                  "line 3: the image alpine wants a digest",
		`run: 'exec "$PROGRAM"'`:                 "",
		"uses: docker://alpine@sha256:" + digest: "",
	} {
		problems, err := Action([]byte("runs:\n  steps:\n    - " + step + "\n"))
		require.NoError(t, err)
		if says == "" {
			require.Empty(t, problems, step)
			continue
		}
		require.Len(t, problems, 1, step)
		require.Contains(t, problems[0].String(), says)
	}
}

func TestWhatIsNoWorkflowIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "jobs: []", "on: push\n", "jobs: {a: {steps: 3}}", "\t"} {
		_, err := Workflow([]byte(text))
		require.Error(t, err, text)
	}
	_, err := Action([]byte("runs: 3"))
	require.Error(t, err)
}

// Releases, the image and CI are made by one version of Go. Programs of another have other bytes.
func TestOneVersionOfGoMakesEverything(t *testing.T) {
	t.Parallel()
	version := strings.TrimSpace(string(read(t, root+"/.go-version")))
	require.Regexp(t, `^1\.[0-9]+\.[0-9]+$`, version)
	require.Contains(t, string(read(t, root+"/Dockerfile")), " golang:"+version+"@sha256:")
	require.Contains(t, string(read(t, root+"/.goreleaser.yaml")), "GOTOOLCHAIN=go"+version)
	files, err := filepath.Glob(workflows + "*")
	require.NoError(t, err)
	for _, file := range files {
		var w workflow
		require.NoError(t, yaml.Unmarshal(read(t, file), &w))
		for _, j := range w.Jobs {
			for _, s := range j.Steps {
				if s.action() == "actions/setup-go" && s.With["go-version"].text != version {
					require.Equal(t, ".go-version", s.With["go-version-file"].text, file)
				}
			}
		}
	}
}
