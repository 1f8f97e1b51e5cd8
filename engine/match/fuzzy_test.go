package match_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tenon-bot/tenon/engine"
)

func TestSomeOfTheContextMayDiffer(t *testing.T) {
	t.Parallel()
	const file = "alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\nepsilon(5)\n"
	const refused = "Anchor not found in file"
	changed := strings.Replace(file, "gamma(3)", "GAMMA(3)", 1)
	numbered := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintf(&b, "line%d(x)\n", i)
		}
		return b.String()
	}
	for story, c := range map[string]matchCase{
		"two of three context lines match": {file: file, find: "alpha(1)\nother(0)\ngamma(3)\ndelta(4)",
			repl: "alpha(1)\nother(0)\nGAMMA(3)\ndelta(4)", level: engine.LevelFuzzyContext, after: changed},
		"three of five context lines match": {file: file, level: engine.LevelFuzzyContext, after: changed,
			find: "alpha(1)\nother(0)\nanother(0)\nbeta(2)\ngamma(3)\ndelta(4)",
			repl: "alpha(1)\nother(0)\nanother(0)\nbeta(2)\nGAMMA(3)\ndelta(4)"},
		"two of four context lines match": {file: file, detail: refused,
			find: "alpha(1)\nother(0)\nanother(0)\ngamma(3)\ndelta(4)",
			repl: "alpha(1)\nother(0)\nanother(0)\nGAMMA(3)\ndelta(4)"},
		"one context line is enough if none is missing": {file: file, find: "alpha(1)\ngamma(3)\ndelta(4)",
			repl: "alpha(1)\nnew(0)", level: engine.LevelFuzzyContext, after: "alpha(1)\nbeta(2)\nnew(0)\nepsilon(5)\n"},
		"punctuation is not enough": {file: "}\n})\ncall(now)\n", find: "}\n})\nother(0)\ncall(now)",
			repl: "}\n})\nother(0)\ncall(later)", detail: refused},
		"both lines next to an insertion match": {file: file, level: engine.LevelFuzzyContext,
			find:  "alpha(1)\nother(0)\nbeta(2)\ngamma(3)\ndelta(4)\nepsilon(5)",
			repl:  "alpha(1)\nother(0)\nbeta(2)\ngamma(3)\nnew(0)\ndelta(4)\nepsilon(5)",
			after: "alpha(1)\nbeta(2)\ngamma(3)\nnew(0)\ndelta(4)\nepsilon(5)\n"},
		"only one line next to an insertion matches": {file: file, detail: refused,
			find: "alpha(1)\nbeta(2)\nother(0)\ndelta(4)\nepsilon(5)",
			repl: "alpha(1)\nbeta(2)\nother(0)\nnew(0)\ndelta(4)\nepsilon(5)"},
		"the file has five more lines in one place": {level: engine.LevelFuzzyContext,
			file: "alpha(1)\nbeta(2)\n" + numbered(0, 5) + "gamma(3)\ndelta(4)\nepsilon(5)\n",
			find: file, repl: strings.Replace(file, "delta(4)", "DELTA(4)", 1),
			after: "alpha(1)\nbeta(2)\n" + numbered(0, 5) + "gamma(3)\nDELTA(4)\nepsilon(5)\n"},
		"the file has six more lines in one place": {detail: refused,
			file: "alpha(1)\nbeta(2)\n" + numbered(0, 6) + "gamma(3)\ndelta(4)\nepsilon(5)\n",
			find: file, repl: strings.Replace(file, "delta(4)", "DELTA(4)", 1)},
		"another place has half of the context": {file: file + numbered(0, 9) + "beta(2)\ngamma(3)\ndelta(4)\n",
			find: "alpha(1)\nother(0)\n" + file[9:], repl: "alpha(1)\nother(0)\n" + changed[9:],
			level: engine.LevelFuzzyContext, after: changed + numbered(0, 9) + "beta(2)\ngamma(3)\ndelta(4)\n"},
		"another place has three fifths of the context": {detail: "Old lines don't match",
			file: file + "zeta(6)\n" + numbered(0, 9) + "alpha(1)\nother(0)\nbeta(2)\ngamma(3)\n" +
				numbered(0, 9) + "gamma(3)\n",
			find: "alpha(1)\nother(0)\n" + file[9:] + "zeta(6)\n",
			repl: "alpha(1)\nother(0)\n" + changed[9:] + "zeta(6)\n"},
		"a removed line occurs eight times": {file: file + strings.Repeat("\ngamma(3)\n", 7),
			find: "alpha(1)\nother(0)\n" + file[9:], repl: "alpha(1)\nother(0)\n" + changed[9:],
			level: engine.LevelFuzzyContext, after: changed + strings.Repeat("\ngamma(3)\n", 7)},
		"a removed line occurs nine times": {file: file + strings.Repeat("\ngamma(3)\n", 8),
			find: "alpha(1)\nother(0)\n" + file[9:], repl: "alpha(1)\nother(0)\n" + changed[9:], detail: refused},
		"the file has another line between two removed ones": {
			file: "alpha(1)\nbeta(2)\ngamma(3)\nnew(0)\ndelta(4)\nepsilon(5)\n", find: file,
			repl: "alpha(1)\nbeta(2)\nGAMMA(3)\nepsilon(5)", detail: "the file has other lines between those it removes"},
		"two hundred lines": {file: numbered(0, 199), find: "other(0)\n" + numbered(0, 199),
			repl:  "other(0)\n" + numbered(0, 99) + "new(0)\n" + numbered(100, 199),
			level: engine.LevelFuzzyContext, after: numbered(0, 99) + "new(0)\n" + numbered(100, 199)},
		"more than two hundred lines": {file: numbered(0, 200), find: "other(0)\n" + numbered(0, 200),
			repl: "other(0)\n" + numbered(0, 99) + "new(0)\n" + numbered(100, 200), detail: refused},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}

// A word that the file has elsewhere is another name, at every level that does not compare all characters.
func TestANameOfTheFileIsNoOtherName(t *testing.T) {
	t.Parallel()
	const typo = "start(server)\nserver.onClose(conectCallback)\nserver.listen(port)\nserver.ready()\n"
	const quoted = "first(\u2018one\u2019)\nuse(na\u00efve)\nlast(\u2018two\u2019)\n"
	const notFound, mismatch = "Anchor not found in file", "Old lines don't match"
	for story, c := range map[string]matchCase{
		"a typo in a removed line that the new one has not": {
			file: typo, find: "start(server)\nserver.onClose(conectCalback)\nserver.listen(port)\nserver.ready()",
			repl:  "start(server)\nserver.onClose(conectCallback)\nserver.listen(443)\nserver.ready()",
			level: engine.LevelFuzzyContext, after: strings.Replace(typo, "port", "443", 1)},
		"the same, and the file has the other name": {
			file: typo + "conectCalback()\n",
			find: "start(server)\nserver.onClose(conectCalback)\nserver.listen(port)\nserver.ready()",
			repl: "start(server)\nserver.onClose(conectCallback)\nserver.listen(443)\nserver.ready()", detail: mismatch},
		"the same, and the block has the other name": {
			file: typo, find: "start(server)\nserver.onClose(conectCalback)\nserver.listen(port)\nserver.ready()",
			repl:   "start(server)\nserver.onClose(conectCallback)\nserver.listen(443)\nconectCalback()\nserver.ready()",
			detail: mismatch},
		"a typo in a line of context": {
			file: typo, find: "start(server)\nserver.onClose(conectCalback)\nserver.listen(port)\nserver.ready()",
			repl:  "start(server)\nserver.onClose(conectCalback)\nserver.listen(port)\nserver.ready(1)",
			level: engine.LevelFuzzyContext, after: strings.Replace(typo, "ready()", "ready(1)", 1)},
		"the only other line of context has another name": {
			file: typo + "conectCalback()\n",
			find: "server.onClose(conectCalback)\nserver.listen(port)\nserver.ready()",
			repl: "server.onClose(conectCalback)\nserver.listen(port)\nserver.ready(1)", detail: notFound},
		"look-alikes in quotes": {file: quoted, find: "first('one')\nuse(nai\u0308ve)", repl: "first('one')\nuse(it)",
			level: engine.LevelHomoglyph, after: "first(\u2018one\u2019)\nuse(it)\nlast(\u2018two\u2019)\n"},
		"a look-alike that the file has elsewhere": {file: quoted + "also(nai\u0308ve)\n",
			find: "first('one')\nuse(nai\u0308ve)", repl: "first('one')\nuse(it)", detail: notFound},
		"an invisible character": {file: "use(soft\u00adware)\nrun(one)\nrun(two)\n",
			find: "use(software)\nrun(one)", repl: "use(it)\nrun(one)",
			level: engine.LevelHomoglyph, after: "use(it)\nrun(one)\nrun(two)\n"},
		"a character that is not shown, between two names": {
			file: "use(soft\u00adware)\nrun(one)\nrun(software)\n", find: "use(software)\nrun(one)",
			repl: "use(it)\nrun(one)", detail: "not found"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			c.run(t)
		})
	}
}
