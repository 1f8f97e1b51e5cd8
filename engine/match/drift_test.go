package match_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// driftFile is a file whose context has drifted from the blocks of the tests.
const driftFile = `package mail

func send(to string, body string) error {
	client := dial(server)
	defer client.Close()
	message := compose(to, body)
	return client.Deliver(message)
}

func receive(box string) ([]Message, error) {
	client := dial(server)
	list := client.Fetch(box)
	return list, nil
}
`

func TestRequiredLinesAndSimilarContextTellThePlace(t *testing.T) {
	t.Parallel()
	const refused = "Content sequence not found"
	deliver := func(s string) string { return strings.Replace(s, "client.Deliver(message)", "client.Post(message)", 1) }
	for story, c := range map[string]struct {
		file, find, repl, after string
	}{
		"one removed line between changed lines": {file: driftFile,
			find: "\tmessage := compose(to, subject, body)\n\treturn client.Deliver(message)\n}",
			repl: "\tmessage := compose(to, subject, body)\n\treturn client.Post(message)\n}", after: deliver(driftFile)},
		"a removed line with nothing similar next to it": {file: driftFile,
			find: "\tpanic(unknown)\n\treturn client.Deliver(message)\n}",
			repl: "\tpanic(unknown)\n\treturn client.Post(message)\n}"},
		"a missing line that the file has elsewhere": {file: driftFile,
			find: "\tlist := client.Fetch(box)\n\treturn client.Deliver(message)\n}",
			repl: "\tlist := client.Fetch(box)\n\treturn client.Post(message)\n}"},
		"many removed lines need no context": {file: driftFile,
			find: "\told := context()\n\tclient := dial(server)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\tmore()",
			repl: "\told := context()\n\tmore()",
			after: strings.Replace(driftFile,
				"\tclient := dial(server)\n\tdefer client.Close()\n\tmessage := compose(to, body)\n", "", 1)},
		"a line that moved away from those that it stood by": {file: driftFile,
			find: "\tthis := gone()\n\tlist := client.Fetch(box)\n\tthat := gone(too)\n\tcheck(err)",
			repl: "\tthis := gone()\n\tlist := client.List(box)\n\tthat := gone(too)\n\tcheck(err)"},
		"two places, one with all the context that the other has and more": {
			file: driftFile + "\nfunc forward() {\n\treturn client.Deliver(message)\n}\n",
			find: "\tclient := dial(host)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\treturn client.Deliver(message)\n}",
			repl: "\tclient := dial(host)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\treturn client.Post(message)\n}",
			after: deliver(driftFile) + "\nfunc forward() {\n\treturn client.Deliver(message)\n}\n"},
		"two places, one with one line of context more": {
			file: driftFile + "\nfunc forward() {\n\tmessage := compose(to, body)\n\treturn client.Deliver(message)\n}\n",
			find: "\tclient := dial(host)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\treturn client.Deliver(message)\n}",
			repl: "\tclient := dial(host)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\treturn client.Post(message)\n}"},
		"two places, each with context that the other lacks": {
			file: driftFile + "\nfunc forward() {\n\tclient := dial(host)\n\treturn client.Deliver(message)\n}\n",
			find: "\tclient := dial(host)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\treturn client.Deliver(message)\n}",
			repl: "\tclient := dial(host)\n\tdefer client.Close()\n" +
				"\tmessage := compose(to, body)\n\treturn client.Post(message)\n}"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			got, res := applyOne(t, c.file, c.find, c.repl)
			if c.after == "" {
				require.Equal(t, engine.Failed, res.Status, got)
				require.Equal(t, c.file, got)
				return
			}
			require.Equal(t, engine.Applied, res.Status, "%s %s", refused, res.Detail)
			require.Equal(t, engine.LevelFuzzyContext, res.Level)
			require.Equal(t, c.after, got)
		})
	}
}

func TestAnotherPlaceMayBeMeantWhereARequiredLineChanged(t *testing.T) {
	t.Parallel()
	const there = "first := open(one)\nsecond := open(two)\nmerge(first, second)\n"
	find := "first := open(one)\nsecond := open(two)\nreport(first, second, nil)\nclose(both)\n"
	repl := strings.Replace(find, "nil", "err", 1)
	one := "first := open(one)\nsecond := open(two)\nlog(one)\nreport(first, second, nil)\n"
	_, res := applyOne(t, one+"\n\n\n\n\n\nother(1)\n", find, repl)
	require.Equal(t, engine.Applied, res.Status, "without the other place")
	_, res = applyOne(t, one+"\n\n\n\n\n\nother(1)\n"+there, find, repl)
	require.Equal(t, engine.Failed, res.Status, "with it")
}

// However many lines are removed here: where they are gone and more of the context is, the block may be applied.
func TestAPlaceWithMoreOfTheContextMayBeMeant(t *testing.T) {
	t.Parallel()
	const old = "first := readOldSettings(1)\nsecond := readOldSettings(2)\nthird := readOldSettings(3)\n"
	const find = "alpha(1)\nbeta(2)\ngamma(3)\n" + old + "delta(4)\nepsilon(5)\n"
	const here = "alpha(1)\nbeta(2)\ngamma(3)\n" + old + "other(0)\n"
	const there = "alpha(1)\nbeta(2)\ngamma(3)\ndelta(4)\nepsilon(5)\n"
	repl := strings.Replace(find, old, "load(1)\n", 1)
	_, res := applyOne(t, here, find, repl)
	require.Equal(t, engine.Applied, res.Status, res.Detail)
	_, res = applyOne(t, here+"\n\n\n\n\n\nother(1)\n"+there, find, repl)
	require.Equal(t, engine.Failed, res.Status)
}

// The new lines may be there already, in another form.
func TestALineNextToAnInsertionMustBeThere(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ find, repl string }{
		"the line before": {
			find: "\tdefer client.Close()\n\tmessage := compose(to, subject, body)\n\treturn client.Deliver(message)",
			repl: "\tdefer client.Close()\n\tmessage := compose(to, subject, body)\n\tlog(to)\n" +
				"\treturn client.Deliver(message)"},
		"the line after": {
			find: "\tdefer client.Close()\n\tmessage := compose(to, body)\n\treturn client.Deliver(message, now)",
			repl: "\tdefer client.Close()\n\tmessage := compose(to, body)\n\tlog(to)\n" +
				"\treturn client.Deliver(message, now)"},
		"a line that is another now": {
			find: "\tdefer client.Close()\n\tcheck(everything)\n\treturn client.Deliver(message)",
			repl: "\tdefer client.Close()\n\tcheck(everything)\n\tlog(to)\n\treturn client.Deliver(message)"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			_, res := applyOne(t, driftFile, c.find, c.repl)
			require.Equal(t, engine.Failed, res.Status)
		})
	}
}
