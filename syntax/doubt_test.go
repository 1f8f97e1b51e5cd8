package syntax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax"
)

// A new file has no past that would show in which syntax it is written.
func TestANewFileIsNotBlamedForWhatItMayBeOnPurpose(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"parser/testdata/a.go":     "package p\nfunc {\n",
		"test/invalid/a.json":      "{",
		"src/test/resources/a.xml": "<a>",
		"install.sh":               "unset <%= names.join(' ') %>\n",
		"template/main.go":         "package {{ .Name }}\n",
		"chart/templates/a.yaml":   "a:\n{{- if .Values.a }}\n  b: 1\n{{- end }}\n",
		"playbook.yml":             "a: {{ b }}-{{ c }}\n",
		"nomad.hcl":                "client {\n  options {\n    driver.allowlist = \"docker\"\n  }\n}\n",
		"unknown-tool.json":        "{\n  // one\n  \"a\": 1,\n}\n",
		"events.json":              "{\"a\": 1}\n{\"a\": 2}\n",
		"yarn.lock":                "# yarn lockfile v1\n\n\"a@^1\":\n  version \"1\"\n",
		"page.html":                "{{ user|title }} {% if a %}",
		"completion.zsh":           "if (( $+commands[a] )) { b }\n",
		"completion":               "#!/usr/bin/env zsh\nfor a (b c) { d }\n",
		"images.sh":                "declare -A a\na[x:y]=1\n",
		"old.js":                   "// @flow\nfunction f(a: ?string) {}\n",
		".github/workflows/a.yml":  "a: \"\\/usr\"\n",
		"windows/Dockerfile":       "FROM windows/servercore\nRUN Write-Host ('a' -f $b); if ($c) { d }\n",
		"Dockerfile.win":           "# escape=`\nFROM a\nRUN dir C:\\ `\n  && echo '\n",
	} {
		require.Empty(t, syntax.Check(nil, path, nil, []byte(text)).Problems, path)
	}
}

// The text is valid, but nobody writes it: that counts where the file had nothing of the kind.
func TestWhatLostABracketOrAQuoteAndStillParsesIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, before, after, message string }{
		{"a.yml", "name: 'a b'\n", "name: a b'\n", "text that ends in ' and does not begin with it"},
		{"a.yml", "name: \"a b\"\n", "name: a b\"\n", "text that ends in \" and does not begin with it"},
		{"a.yml", "on: [a, b]\n", "on: a, b]\n", "] without ["},
		{"a.yml", "a: ${{ b.c }}\n", "a: ${{ b.c }\n", "expression ${{ … }} that lacks a brace"},
		{"a.yml", "a: ${{ b.c }}\n", "a: ${ b.c }}\n", "expression ${{ … }} that lacks a brace"},
		{"a.yml", "if: f(a)\n", "if: fa)\n", "condition that lacks ( or )"},
		{"a.yml", "a: 1\nb: 2\n", "a: 1\na: 2\n", "mapping key \"a\" already defined at line 1"},
		{"a.sh", "if [ $a ]; then b; fi\n", "if [ $a ; then b; fi\n", "[ without ]"},
		{"a.sh", "if [ $a ]; then b; fi\n", "if $a ]; then b; fi\n", "] without its opening bracket"},
		{"a.sh", "if [[ $a ]]; then b; fi\n", "if [ $a ]]; then b; fi\n", "[ without ]"},
		{"a.sh", "a=${b:-c}\n", "a=$b:-c}\n", "} after a variable without {"},
		{"a.gotmpl", "{{ if .A }}b{{ end }}{{ .C }}\n", "{{ if .A }}b{{ end }}{ .C }}\n", "}} without {{"},
		{"a.css", "a { b: var(--c); }\n", "a { b: var--c); }\n", ") without ("},
		{"Dockerfile", "FROM a\nADD ${A}/b /\n", "FROM a\nADD $A}/b /\n", "} without {"},
	} {
		problems := syntax.Check(nil, c.path, []byte(c.before), []byte(c.after)).Problems
		require.Len(t, problems, 1, c.after)
		require.Equal(t, syntax.Problem{Kind: syntax.Suspect, Line: problems[0].Line, Message: c.message}, problems[0])
		require.Empty(t, syntax.Check(nil, c.path, nil, []byte(c.after)).Problems,
			"it may be meant in a new file: %s", c.after)
		odd := []byte(c.after + c.before)
		require.Empty(t, syntax.Check(nil, c.path, odd, []byte(c.before+c.after)).Problems, "it was odd: %s", c.after)
	}
}

func TestTheLanguageOfAFileIsThatOfItsNameOrFirstLine(t *testing.T) {
	t.Parallel()
	for path, broken := range map[string]string{
		"bin/run":                "#!/usr/bin/env bash\nif a; then\n",
		"bin/serve":              "#!/usr/bin/env node\nf(\n",
		"Dockerfile.dev":         "FROM a\nRUM b\n",
		"Containerfile":          "FROM a\nRUM b\n",
		"icon.svg":               "<svg><g></svg>\n",
		"App.csproj":             "<Project><a></Project>\n",
		"Info.plist":             "<?xml version=\"1.0\"?>\n<plist><dict></plist>\n",
		"translations/de.ts":     "<?xml version=\"1.0\"?>\n<TS><context></TS>\n",
		"lib/index.mts":          "export const a: = 1;\n",
		"lib/index.cjs":          "module.exports = {\n",
		".vscode/settings.json":  "{ // a\n  \"a\": [1,,]\n}\n",
		"site/tsconfig.app.json": "{ /* a */ \"a\": 1\n",
		"bun.lock":               "{ \"a\": [1,], \"b\" }\n",
		"main.tfvars":            "a = [\n",
		"test/a.bats":            "@test \"a\" {\n  b\n",
	} {
		require.Len(t, syntax.Check(nil, path, nil, []byte(broken)).Problems, 1, path)
	}
}
