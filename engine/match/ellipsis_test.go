package match_test

import (
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/engine"
)

func TestLinesLeftOutForAnEllipsis(t *testing.T) {
	t.Parallel()
	const file = "alpha(one)\nbeta(two)\ngamma(three)\ndelta(four)\nepsilon(five)\n"
	for story, c := range map[string]matchCase{
		"at both ends": {file: file, find: "...\nbeta(two)\ngamma(three)\n...", repl: "...\nbeta(2)\ngamma(three)\n...",
			level: engine.LevelEllipsis, after: "alpha(one)\nbeta(2)\ngamma(three)\ndelta(four)\nepsilon(five)\n"},
		"each segment keeps the file's trailing whitespace": {
			file: "alpha(one)  \nbeta(two)\ngamma(three)\ndelta(four)\n",
			find: "alpha(one)\nbeta(two)\n...\ndelta(four)", repl: "alpha(one)\n\nbeta(two)\n...\nDELTA(four)",
			level: engine.LevelEllipsis, after: "alpha(one)  \n\nbeta(two)\ngamma(three)\nDELTA(four)\n"},
		"segments in another order": {file: file, find: "delta(four)\nepsilon(five)\n...\nalpha(one)\nbeta(two)",
			repl: "delta(four)\nepsilon(5)\n...\nalpha(one)\nbeta(two)", detail: "Old lines don't match"},
		"segments that overlap": {file: file, find: "alpha(one)\nbeta(two)\n...\nbeta(two)\ngamma(three)",
			repl: "alpha(one)\nbeta(2)\n...\nbeta(two)\ngamma(3)", detail: "Old lines don't match"},
		"segments of nothing": {file: file, find: "...\n\n...\n\n...", repl: "# ...\n\n...\n\n...",
			detail: "not found"},
		"a placeholder in its place": {file: file, find: "alpha(one)\n...\nepsilon(five)",
			repl:  "ALPHA(one)\n// ... existing code ...\nepsilon(five)",
			level: engine.LevelEllipsis, after: "ALPHA(one)\nbeta(two)\ngamma(three)\ndelta(four)\nepsilon(five)\n"},
		"a single character": {file: file, find: "alpha(one)\n…\nepsilon(five)", repl: "alpha(one)\n…\nEPSILON(five)",
			level: engine.LevelEllipsis, after: "alpha(one)\nbeta(two)\ngamma(three)\ndelta(four)\nEPSILON(five)\n"},
		"only in find": {file: file, find: "alpha(one)\n...\nepsilon(five)", repl: "alpha(one)\nepsilon(five)",
			detail: "Old lines don't match"},
		"too little besides it": {file: "a\nx\n", find: "a\n...", repl: "A\n...", detail: "not found"},
		"too often": {file: letters("\n"), find: letters("\n...\n"), repl: strings.ToUpper(letters("\n...\n")),
			detail: "not found"},
		"a segment that the file has twice": {file: file + "epsilon(five)\n",
			find: "alpha(one)\nbeta(two)\n...\nepsilon(five)", repl: "alpha(1)\nbeta(two)\n...\nepsilon(five)",
			detail: "not found"},
		"a segment of blank lines that gets content": {file: file, find: "alpha(one)\nbeta(two)\n...\n\n",
			repl: "alpha(one)\nbeta(2)\n...\nnew", detail: "Old lines don't match"},
		"a segment whose edits are ambiguous": {file: "alpha(one)\n\nbeta(two)\ngamma(three)\ndelta(four)\n",
			find: "alpha(one)\nbeta(two)\n...\ndelta(four)", repl: "alpha(one)\nnew()\nbeta(two)\n...\ndelta(four)",
			detail: "the file has lines between those that surround the new ones"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// letters returns the letters from a to u, each followed by end.
func letters(end string) string {
	var b strings.Builder
	for r := 'a'; r <= 'u'; r++ {
		b.WriteString(string(r) + end)
	}
	return b.String()
}
