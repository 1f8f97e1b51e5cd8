package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestASlipNextToAnInsertionIsCorrected(t *testing.T) {
	t.Parallel()
	const file = "import json\n\ndef load_settings(path):\n    with open(path) as f:\n        return json.load(f)\n"
	const find = "\ndef load_setings(path):\n    with open(path) as f:"
	insert := func(s string) string { return strings.Replace(s, "def ", "VERSION = 2\n\ndef ", 1) }
	for story, c := range map[string]matchCase{
		"the file's line is kept": {file: file, find: find, repl: insert(find),
			level: engine.LevelFuzzyContext, after: insert(file)},
		"the word is another name of the file": {file: file + "load_setings = load\n", find: find, repl: insert(find),
			detail: "not found"},
		"two lines of the file are as near": {file: file + "\ndef load_setxings(path):\n", find: find,
			repl: insert(find), detail: "not found"},
		"two lines of the file are as near, the other one first": {file: "def load_setxings(path):\n\n" + file, find: find,
			repl: insert(find), detail: "not found"},
		"five lines differ so": {
			file:   "read_setting(1)\nread_setting(2)\nread_setting(3)\nread_setting(4)\nread_setting(5)\nend(6)\n",
			find:   "raed_setting(1)\nraed_setting(2)\nraed_setting(3)\nraed_setting(4)\nraed_setting(5)\nend(6)",
			repl:   "raed_setting(1)\nraed_setting(2)\nraed_setting(3)\nraed_setting(4)\nraed_setting(5)\nnew(0)\nend(6)",
			detail: "not found"},
		"the line is removed": {file: file, find: find, repl: "\n    with open(path) as f:", detail: "not found"},
		"the next line is another": {file: file, find: strings.Replace(find, "open(path)", "connect()", 1),
			repl: insert(strings.Replace(find, "open(path)", "connect()", 1)), detail: "not found"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			got, res := applyOne(t, c.file, c.find, c.repl)
			if c.detail != "" {
				require.Equal(t, engine.Failed, res.Status)
				require.Equal(t, c.file, got)
				return
			}
			c.run(t)
		})
	}
}

func TestALongDashIsTwoHyphens(t *testing.T) {
	t.Parallel()
	const file = "usage: tool --verbose --dry-run\n  --all   everything\nend of options\n"
	for story, c := range map[string]matchCase{
		"for two hyphens": {file: file, find: "usage: tool —verbose —dry‑run", repl: "usage: tool --verbose",
			level: engine.LevelHomoglyph, after: "usage: tool --verbose\n  --all   everything\nend of options\n"},
		"in context, which keeps the hyphens": {file: file, find: "usage: tool —verbose —dry-run\nend of options",
			repl: "x", detail: "Content sequence not found"},
		"in context before an insertion": {file: file, find: "usage: tool —verbose —dry-run\n  —all   everything",
			repl:  "usage: tool —verbose —dry-run\n  --none  nothing\n  —all   everything",
			level: engine.LevelHomoglyph, after: strings.Replace(file, "  --all", "  --none  nothing\n  --all", 1)},
		"in a new line, too": {file: file, find: "usage: tool —verbose —dry-run\n  —all   everything",
			repl:   "usage: tool —verbose —dry-run\n  —none  nothing\n  —all   everything",
			detail: "the new lines have characters that replace others in the lines to find"},
		"for four hyphens": {file: "a title\n----\nand text\n", find: "a title\n—\nand text", repl: "x",
			detail: "not found"},
		"but two hyphens are not one": {file: "count = a - b\nshow(count)\n", find: "count = a -- b —\nshow(count)",
			repl: "x", detail: "not found"},
		"of either length": {file: "tool --verbose file\nnext(1)\ntool -verbose file\n",
			find: "tool —verbose file\nnext(1)", repl: "x(1)", detail: "not found"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			got, res := applyOne(t, c.file, c.find, c.repl)
			if c.detail != "" {
				require.Equal(t, engine.Failed, res.Status)
				require.Equal(t, c.file, got)
				return
			}
			c.run(t)
		})
	}
}
