package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASlipIsOneLetterInsideAWord(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"read(confiig)", "read(config)"}, {"read(cofig)", "read(config)"}, {"read(canfig)", "read(config)"},
		{"read(cnofig)", "read(config)"}, {"new Selectino(),", "new Selection(),"}, {"tasks: ['tst'],", "tasks: ['test'],"},
		{"| Lits of addresses |", "| List of addresses |"},
	} {
		_, ok := slip(pair[0], pair[1])
		require.True(t, ok, "%q", pair)
	}
	for story, pair := range map[string][2]string{
		"equal":                                  {"read(config)", "read(config)"},
		"the plural":                             {"read(configs)", "read(config)"},
		"another first letter":                   {"is(xvalue)", "is(yvalue)"},
		"two letters":                            {"read(confiiig)", "read(config)"},
		"three letters that make an opposite":    {"toUpperCase(it)", "toLowerCase(it)"},
		"a digit":                                {"read(con1ig)", "read(config)"},
		"a word too short to tell":               {"get(bat)", "get(bit)"},
		"another letter in a short word":         {"this.store.get(bat)", "this.store.get(bit)"},
		"a short word in a short line":           {"get(tst)", "get(test)"},
		"three letters in another order":         {"this.store.add(bat)", "this.store.add(abt)"},
		"the plural of a short word":             {"this.store.add(tests)", "this.store.add(test)"},
		"two swapped signs":                      {"if! ready", "if !ready"},
		"a blank that joins two words":           {"return value", "returnvalue"},
		"a letter at the end of a word":          {"read(configx)", "read(config)"},
		"another letter at the end of the lines": {"read config", "read confix"},
	} {
		_, ok := slip(pair[0], pair[1])
		require.False(t, ok, story)
	}
}

func TestASlipNextToAnInsertionIsCorrected(t *testing.T) {
	t.Parallel()
	const file = "import json\n\ndef load_settings(path):\n    with open(path) as f:\n        return json.load(f)\n"
	const find = "\ndef load_setings(path):\n    with open(path) as f:"
	insert := func(s string) string { return strings.Replace(s, "def ", "VERSION = 2\n\ndef ", 1) }
	for story, c := range map[string]matchCase{
		"the file's line is kept": {file: file, find: find, repl: insert(find),
			level: LevelFuzzyContext, after: insert(file)},
		"the word is another name of the file": {file: file + "load_setings = load\n", find: find, repl: insert(find),
			detail: "not found"},
		"two lines of the file are as near": {file: file + "\ndef load_setxings(path):\n", find: find,
			repl: insert(find), detail: "not found"},
		"the line is removed": {file: file, find: find, repl: "\n    with open(path) as f:", detail: "not found"},
		"the next line is another": {file: file, find: strings.Replace(find, "open(path)", "connect()", 1),
			repl: insert(strings.Replace(find, "open(path)", "connect()", 1)), detail: "not found"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			got, res := applyOne(t, c.file, c.find, c.repl)
			if c.detail != "" {
				require.Equal(t, Failed, res.Status)
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
			level: LevelHomoglyph, after: "usage: tool --verbose\n  --all   everything\nend of options\n"},
		"in context, which keeps the hyphens": {file: file, find: "usage: tool —verbose —dry-run\nend of options",
			repl: "x", detail: "Content sequence not found"},
		"in context before an insertion": {file: file, find: "usage: tool —verbose —dry-run\n  —all   everything",
			repl:  "usage: tool —verbose —dry-run\n  --none  nothing\n  —all   everything",
			level: LevelHomoglyph, after: strings.Replace(file, "  --all", "  --none  nothing\n  --all", 1)},
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
				require.Equal(t, Failed, res.Status)
				require.Equal(t, c.file, got)
				return
			}
			c.run(t)
		})
	}
}
