package match

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Each rule decides about a block that would be matched, or not, without it.
func TestEachRuleDecides(t *testing.T) {
	t.Parallel()
	const mail = "func send(to string, body string) error {\n\tclient := dial(server)\n\tdefer client.Close()\n" +
		"\tmessage := compose(to, body)\n\treturn client.Deliver(message)\n}\n"
	const server = "start(server)\nserver.onClose(conectCallback)\nserver.listen(port)\nserver.ready()\n"
	const settings = "import json\n\ndef load_settings(path):\n    with open(path) as f:\n"
	const body = "\tfirst := load(name)\n\tsecond := merge(first)\n\tstore(second)\n\treturn second\n}\n"
	const one = "first := open(one)\nsecond := open(two)\nlog(one)\nreport(first, second, nil)\n"
	const report = "first := open(one)\nsecond := open(two)\nreport(first, second, nil)\nclose(both)\n"
	for rule, c := range map[Rules]struct {
		file, find, old, put string
		matches              bool // with the rule
	}{
		Dashes: {"usage: tool --verbose --dry-run\nend of options\n", "usage: tool —verbose —dry-run",
			"usage: tool —verbose —dry-run", "usage: tool --verbose", true},
		LineNumbers: {"one(1)\ntwo(2)\n", "1 | one(1)\n2 | two(2)", "two(2)", "TWO(2)", true},
		Typos: {server, strings.Replace(server, "conectCallback", "conectCalback", 1),
			"(conectCalback)\nserver.listen(port", "(conectCallback)\nserver.listen(443", true},
		Slips: {settings, "\ndef load_setings(path):\n    with open(path) as f:", "def ", "VERSION = 2\n\ndef ", true},
		Drift: {mail, "\tmessage := compose(to, subject, body)\n\treturn client.Deliver(message)\n}",
			"Deliver", "Post", true},
		OtherNames: {server + "conectCalback()\n", "server.onClose(conectCalback)\nserver.listen(port)\nserver.ready()",
			"ready()", "ready(1)", false},
		Headers: {"package a\n\nfunc ReadOne(name string) int {\n" + body, "func ReadAll(name string) int {\n" + body,
			"store(second)", "store(first)", false},
		Elsewhere: {one + "\n\n\n\n\n\nother(1)\nsecond := open(two)\nclose(both)\n", report + "gone(0)",
			"nil", "err", false},
		Rivals: {one + "\n\n\n\n\n\nother(1)\nfirst := open(one)\nsecond := open(two)\n", report, "nil", "err", false},
	} {
		require.Contains(t, c.find, c.old)
		located := func(off Rules) bool {
			f := File{Text: text.New(nil, []byte(c.file)), Path: "a.go", Off: off}
			p := patternOf(c.find, strings.Replace(c.find, c.old, c.put, 1))
			return LocateUpTo(block.LevelFuzzyContext, f, p, nil).Reason == ""
		}
		require.Equal(t, c.matches, located(0), "with all rules: %b", rule)
		require.Equal(t, !c.matches, located(rule), "without rule %b", rule)
	}
}
