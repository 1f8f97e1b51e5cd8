package retrieve

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// namesSourceFile reports whether inline code can only be meant as the path of a text file of this repository, so that
// it is worth saying that there is none. Much else has dots and slashes: devices, media types, units, alternatives,
// versions, addresses, libraries.
func namesSourceFile(name string) bool {
	name = strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
	if len(name) > maxMissingBytes || !pathShape.MatchString(name) || strings.Contains(name, "..") || isForeign(name) {
		return false
	}
	folders, base := path.Split(name)
	ext := strings.ToLower(path.Ext(base))
	stem := strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	top, _, nested := strings.Cut(folders, "/")
	switch {
	case nested && (domain.MatchString(top) || strings.HasPrefix(folders, "path/to/")):
		return false
	case nested && slices.Contains(capitalFiles, base):
		return true
	case !slices.Contains(textExtensions, ext) && !lexical.HasOutline("x"+ext):
		return false
	case nested:
		return stem != ""
	case len(ext) == 2 && strings.Contains(stem, "."): // x.y.c is a member of a member
		return false
	}
	return len(stem) > 1 && !slices.Contains(notFiles, stem+ext) && !slices.Contains(receivers, stem)
}

var (
	// pathShape matches a relative path of ordinary characters, with the brackets and signs that routes have in the names
	// of their files. Its first character rules out options, variables, homes and roots.
	pathShape = regexp.MustCompile(`^[\pL\pN_.@(\[][\pL\pN_.@()\[\]+~-]*(?:/[\pL\pN_.@()\[\]+~-]+)*$`)
	// domain matches the name of a host, or of a bundle that macOS shows as a file.
	domain = regexp.MustCompile(`(?i)^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|app|ai|co|gov|edu|info|de|uk|fr|jp|cn)$`)
)

// capitalFiles are well-known text files without an extension, as they are written; in a folder, no word looks so.
var capitalFiles = []string{
	"Makefile", "Dockerfile", "LICENSE", "README", "CHANGELOG", "Gemfile", "Rakefile", "Procfile", "Vagrantfile",
	"Jenkinsfile", "Justfile", "Brewfile", "CODEOWNERS", "BUILD", "WORKSPACE",
}

// textExtensions are those of text files in a repository besides the sources whose definitions are known.
var textExtensions = []string{
	".adoc", ".bat", ".bazel", ".bzl", ".cfg", ".clj", ".cljs", ".cmake", ".conf", ".css", ".csv", ".elm", ".erl",
	".fs", ".gradle", ".graphql", ".hbs", ".hcl", ".hrl", ".hs", ".htm", ".html", ".hxx", ".in", ".ini", ".ipynb", ".jl",
	".json", ".json5", ".jsonc", ".less", ".lock", ".md", ".mdx", ".mk", ".ml", ".mli", ".mod", ".nim", ".nix", ".pl",
	".pm", ".properties", ".ps1", ".pyx", ".r", ".rst", ".sass", ".scss", ".sol", ".sum", ".svg", ".tcl", ".tex",
	".tf", ".toml", ".tpl", ".tsv", ".txt", ".vb", ".vim", ".xml", ".xsd", ".yaml", ".yml", ".zig",
}

// notFiles are projects that are named like a file.
var notFiles = []string{
	"alpine.js", "angular.js", "backbone.js", "bun.js", "chart.js", "d3.js", "deno.js", "discord.js", "docs.rs",
	"electron.js", "ember.js", "express.js", "handlebars.js", "hapi.js", "knockout.js", "moment.js", "nest.js", "next.js",
	"node.js", "nuxt.js", "p5.js", "react.js", "socket.io", "solid.js", "svelte.js", "three.js", "underscore.js", "vue.js",
}

// receivers are the names of variables whose members look like a file: response.json, self.c.
var receivers = []string{
	"ctx", "event", "req", "request", "res", "resp", "response", "result", "self", "super", "this",
}
