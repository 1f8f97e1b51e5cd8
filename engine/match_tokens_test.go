package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wrappedFile has a call and a signature broken over several lines.
const wrappedFile = `use std::io;

impl Reader {
    pub fn open(
        &mut self,
        path: &str,
        limit: usize,
    ) -> Result<Reader, Error> {
        let file = self.tree.find(path)?;
        self.check(file, limit)?;
        Ok(Reader::new(file))
    }
}
`

func TestLinesMayBeBrokenOtherwise(t *testing.T) {
	t.Parallel()
	const one = "    pub fn open(&mut self, path: &str, limit: usize) -> Result<Reader, Error> {\n"
	inFile := wrappedFile[strings.Index(wrappedFile, "    pub fn") : strings.Index(wrappedFile, "{\n        let")+2]
	for story, c := range map[string]struct {
		path, file, find, repl, after string
	}{
		"context keeps the lines of the file": {path: "lib.rs",
			find:  one + "        let file = self.tree.find(path)?;\n",
			repl:  one + "        let file = self.tree.search(path)?;\n",
			after: strings.Replace(wrappedFile, "find(path)", "search(path)", 1)},
		"lines that are removed go together": {path: "lib.rs",
			find:  one + "        let file = self.tree.find(path)?;\n",
			repl:  "    pub fn open(&mut self) -> Result<Reader, Error> {\n        let file = self.tree.find(path)?;\n",
			after: strings.Replace(wrappedFile, inFile, "    pub fn open(&mut self) -> Result<Reader, Error> {\n", 1)},
		"shifted as well": {path: "lib.rs",
			find:  one[4:] + "    let file = self.tree.find(path)?;\n    self.check(file, limit)?;\n",
			repl:  one[4:] + "    let file = self.tree.find(path)?;\n    log(file);\n    self.check(file, limit)?;\n",
			after: strings.Replace(wrappedFile, "        self.check", "        log(file);\n        self.check", 1)},
		"a line that the block wraps and the file does not": {path: "lib.rs",
			find:  "        let file = self.tree\n            .find(path)?;\n        self.check(file, limit)?;\n",
			repl:  "        let file = self.tree\n            .find(path)?;\n        self.test(file, limit)?;\n",
			after: strings.Replace(wrappedFile, "self.check", "self.test", 1)},
		"half of a line of the file is removed": {path: "lib.rs",
			find: "        let file = self.tree\n            .find(path)?;\n        self.check(file, limit)?;\n",
			repl: "        let file = self.tree\n            .search(path)?;\n        self.check(file, limit)?;\n"},
		"an insertion within a line of the file": {path: "lib.rs",
			find: "        let file = self.tree\n            .find(path)?;\n        self.check(file, limit)?;\n",
			repl: "        let file = self.tree\n            .strict()\n            .find(path)?;\n" +
				"        self.check(file, limit)?;\n"},
		"two places": {path: "lib.rs", file: wrappedFile + wrappedFile,
			find: one + "        let file = self.tree.find(path)?;\n",
			repl: one + "        let file = self.tree.search(path)?;\n"},
		"a name in two words": {path: "lib.rs", find: "    pub fn op en(&mut self, path: &str, limit: usize)" +
			" -> Result<Reader, Error> {\n        let file = self.tree.find(path)?;\n", repl: "x"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			file := c.file
			if file == "" {
				file = wrappedFile
			}
			tree := MemTree{c.path: []byte(file)}
			out, err := Apply(tree, []Block{blockOf(c.path, c.find, c.repl)}, Options{})
			require.NoError(t, err)
			if c.after == "" {
				require.Equal(t, Failed, out.Results[0].Status, "at level %d", out.Results[0].Level)
				require.Equal(t, file, string(tree[c.path]))
				return
			}
			require.Equal(t, Applied, out.Results[0].Status, out.Results[0].Detail)
			require.Equal(t, LevelTokens, out.Results[0].Level)
			require.Equal(t, c.after, string(tree[c.path]))
		})
	}
}

func TestAChangeAfterACommaThatOnlyOneSideHasIsRefused(t *testing.T) {
	t.Parallel()
	const file = "const all = [\n  first(1),\n  second(2)\n]\nshow(all, 'now')\n"
	find := "const all = [ first(1),\n  second(2),\n]\nshow(all, \"now\")\n"
	tree := MemTree{"a.js": []byte(file)}
	after := strings.Replace(find, "  second(2),\n", "  second(2),\n  third(3),\n", 1)
	res := Check(tree, blockOf("a.js", find, after), Options{})
	require.Equal(t, Failed, res.Status, "the line before it needs a comma that it does not have")
	after = strings.Replace(find, "show", "print", 1)
	res = Check(tree, blockOf("a.js", find, after), Options{})
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, LevelTokens, res.Level)
}

func TestQuotesAreEqualOnlyWhereTheyMeanTheSame(t *testing.T) {
	t.Parallel()
	for path, same := range map[string]bool{
		"a.js": true, "a.ts": true, "a.py": true, "a.go": false, "a.rb": false, "a.php": false, "a.sh": false,
	} {
		file := &text{path: path}
		require.Equal(t, same, file.sameTokens([]string{"load('name', b)"}, []string{"load(", `  "name", b)`}), path)
	}
	unknown, script := &text{path: "a.unknown"}, &text{path: "a.js"}
	require.False(t, unknown.sameTokens([]string{"a(b, c)"}, []string{"a(b,", "c)"}), "the language is not known")
	require.False(t, script.sameTokens([]string{`x = 'it"s'`}, []string{`x = "it"s"`}))
	require.False(t, script.sameTokens([]string{`x = 'a  b'`}, []string{`x = 'a b'`}), "blanks in a string count")
}
