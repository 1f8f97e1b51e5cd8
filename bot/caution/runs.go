package caution

import (
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
)

// running are the names of files, in lower case, that builds, tests, CI or tools run or load, or that name the programs
// which they run. What starts by itself is protected, and is no part of the list.
var running = []string{
	// builds and tasks
	"makefile", "makefile.*", "gnumakefile", "*.mk", "justfile", "taskfile.yml", "taskfile.yaml", "rakefile", "*.rake",
	"gulpfile.*", "gruntfile.*", "cmakelists.txt", "*.cmake", "cmakepresets.json", "configure", "configure.ac",
	"meson.build", "*.gyp", "build", "build.bazel", "workspace", "module.bazel", "*.bzl", ".bazelrc", "*.gradle",
	"*.gradle.kts", "gradlew", "mvnw", "build.sbt", "build.scala", "build.rs", "build.zig", "build.xml", "mix.exs",
	"package.swift", "*.gemspec", "gemfile", "podfile", "*.podspec", "directory.build.props", "directory.build.targets",
	"*.targets", "jamroot", "wscript", "premake5.lua", "ember-cli-build.js", "turbo.json", "nodemon.json", "guardfile",
	// Python
	"setup.py", "conftest.py", "noxfile.py", "tox.ini",
	// settings that are programs, or name some
	"*.config.js", "*.config.ts", "*.config.mjs", "*.config.cjs", "*.config.mts", "*.config.cts", ".eslintrc.js",
	".eslintrc.cjs", ".prettierrc.js", ".prettierrc.cjs", ".prettierrc.mjs", ".babelrc.js", ".babelrc.cjs",
	".mocharc.js", ".mocharc.cjs", "karma.conf.*", ".pylintrc", ".php-cs-fixer.php", ".php-cs-fixer.dist.php",
	".golangci.yml", ".golangci.yaml", "ansible.cfg", "bunfig.toml",
	// what tests and consoles begin with
	"jest.setup.*", "vitest.setup.*", "spec_helper.rb", "rails_helper.rb", "test_helper.rb", ".rprofile", ".irbrc",
	".pryrc", ".ghci", ".iex.exs",
	// toolchains
	".bazelversion", "gradle-wrapper.properties", "maven-wrapper.properties", ".tool-versions", "rust-toolchain",
	"rust-toolchain.toml", "global.json", "pnpm-workspace.yaml", "devbox.json",
	// machines, deployments and releases
	"dockerfile", "dockerfile.*", "*.dockerfile", "containerfile", "docker-compose*.yml", "docker-compose*.yaml",
	"compose.yml", "compose.yaml", "docker-bake.hcl", "vagrantfile", "flake.nix", "shell.nix", "default.nix",
	"*.service", "netlify.toml", "vercel.json", "amplify.yml", "render.yaml", "wrangler.toml", "wrangler.json",
	"wrangler.jsonc", "railway.json", "railway.toml", "fly.toml", "heroku.yml", "procfile", "firebase.json",
	"skaffold.yaml", ".goreleaser.yml", ".goreleaser.yaml", "goreleaser.yml", "goreleaser.yaml", ".releaserc",
	".releaserc.*", ".release-it.*", ".bumpversion.toml", ".bumpversion.cfg",
	// scripts
	"*.sh", "*.bash", "*.ps1", "*.bat", "*.cmd",
}

// runningFolders are folders, in lower case, of programs that builds or tools run because they are there.
var runningFolders = []string{"buildsrc", "build-logic", ".storybook", ".helix"}

// data are folders of what tests compare with, or read.
var data = []string{"snapshots", "__snapshots__", "fixtures", "testdata", "test-data", "golden"}

// isRunning reports whether a file is one of those. What is in a folder of data for tests is none.
func isRunning(f *file) bool {
	loaded := false
	for folder := range strings.SplitSeq(strings.ToLower(path.Dir(f.Path)), "/") {
		if slices.Contains(data, folder) {
			return false
		}
		loaded = loaded || slices.Contains(runningFolders, folder) && !f.prose
	}
	named := func(pattern string) bool { ok, _ := path.Match(pattern, f.name); return ok }
	return loaded || slices.ContainsFunc(running, named)
}

// shebang matches the beginning of a text that a system runs.
var shebang = regexp.MustCompile(`^#! ?/`)

// runs reports files that are run, if what they say changes, and those that become executable. Comments and the numbers
// of versions do not count.
func (s *search) runs() {
	for _, f := range s.files {
		if f.deleted() {
			continue
		}
		running := isRunning(f)
		if becomes := f.Executable && !f.WasExecutable; becomes && (!running || f.Before != nil) {
			s.add(Executable, f, 0, "")
		}
		if running || f.Executable && f.WasExecutable && shebang.Match(f.After) {
			if line, ok := s.changed(f); ok {
				s.add(Runs, f, line, "")
			} else if f.Before == nil && running && len(f.after) > 0 && !s.movedHere(f) {
				s.add(Runs, f, 0, "") // a file that did not run has a name now by which it does
			}
		}
		s.generators(f)
	}
}

// movedHere reports whether the commit deletes a file of the same name in another folder.
func (s *search) movedHere(f *file) bool {
	return slices.ContainsFunc(s.files, func(o *file) bool { return o.deleted() && o.name == f.name })
}

// version matches the number of a version with what it is compared by, a hash, and the tag of an image or an action.
var version = regexp.MustCompile(`(?:[~^<>=!]+ ?)?\b[vV]?[0-9]+(?:\.[0-9]+)+[-.\w]*|:?\b[0-9a-f]{32,}\b|` +
	`:[0-9][-.\w]*|[@ ]v[0-9][-.\w]*|\b20[0-9]{2}-[0-9]{2}-[0-9]{2}\b`)

// changed returns the first new line of a file that says more than another version, from 1.
func (s *search) changed(f *file) (line int, ok bool) {
	known := map[string]bool{}
	for _, line := range s.gone(f) {
		known[withoutVersions(line)] = true
	}
	for i, line := range s.fresh(f) {
		if !known[withoutVersions(line)] && s.says(f, i) {
			return i + 1, true
		}
	}
	return 0, false
}

func withoutVersions(line string) string {
	return version.ReplaceAllStringFunc(strings.TrimSpace(line), func(number string) string {
		if host, _, _ := strings.Cut(number, ":"); isAddress(host) {
			return number
		}
		return "0"
	})
}

// isAddress reports whether a number is that of a host.
func isAddress(number string) bool {
	_, err := netip.ParseAddr(number)
	return err == nil
}

// generators reports commands for go generate.
func (s *search) generators(f *file) {
	if path.Ext(f.name) != ".go" {
		return
	}
	for i, line := range s.fresh(f) {
		if strings.HasPrefix(line, "//go:generate ") || strings.HasPrefix(line, "//go:generate\t") {
			s.add(Runs, f, i+1, "go:generate")
		}
	}
}

// obeyed reports files that programs obey without being asked, as the protection of paths knows them. tenon edits none
// of them; other changes may.
func (s *search) obeyed() {
	for _, f := range s.files {
		why := policy.Policy{}.WhyProtected(f.Path)
		if why == "" || why == policy.ShortName {
			continue
		}
		if _, ok := s.changed(f); !ok && (f.Before == nil) == (f.After == nil) {
			continue
		}
		if why == policy.TellsAgents {
			s.add(Instructions, f, 0, "")
		} else {
			s.add(Obeyed, f, 0, strings.TrimPrefix(why, "It "))
		}
	}
}
