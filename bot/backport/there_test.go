package backport

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// full returns the SHA of a letter.
func full(letter string) string { return strings.Repeat(letter, 40) }

// logged returns a commit with the SHA of a letter, as its parents have.
func logged(letter, message string, parents ...string) port.LoggedCommit {
	c := port.LoggedCommit{SHA: full(letter), Message: message}
	for _, p := range parents {
		c.Parents = append(c.Parents, full(p))
	}
	return c
}

func picks(letter string) string { return "One\n\n" + pickedFrom(full(letter)) + "\n" }

// byRun returns the trailer of the commits of a run.
func byRun(letter string) string { return "Tenon-Run: " + strings.Repeat(letter, 12) + "\n" }

// undoesRun returns the end of the message of an undo by a run.
func undoesRun(by, run, sha string) string {
	return "revert: One\n\nReverts " + full(sha) + " of run x, in 1 file.\n\n" + byRun(by) + "Tenon-Undo: " +
		strings.Repeat(run, 12) + "\n"
}

func undoes(letter string) string {
	return "Revert \"One\"\n\nThis reverts commit " + full(letter) + ".\n"
}

func TestACommitIsThereByItselfOrByWhatSaysThatItWasPicked(t *testing.T) {
	t.Parallel()
	c := Commit{SHA: strings.Repeat("1", 40)}
	log := []port.LoggedCommit{{SHA: "x", Message: "One"}, {SHA: "y", Message: "Two\n\n(cherry picked from commit " +
		c.SHA + ")\n"}, {SHA: c.SHA}}
	require.Equal(t, "y", c.In(log))
	require.Equal(t, c.SHA, c.In(log[2:]))
	require.Empty(t, c.In(log[:1]))
	require.Empty(t, Commit{SHA: strings.Repeat("1", 39)}.In(log[1:2]), "not the name of another commit")
}

func TestWhatWasRevertedIsNotThere(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		log  []port.LoggedCommit
		want string
	}{
		"a reverted pick": {[]port.LoggedCommit{logged("9", undoes("8"), "8"), logged("8", picks("1"), "7")}, ""},
		"reverted itself": {[]port.LoggedCommit{logged("9", undoes("1"), "1"), logged("1", "One", "7")}, ""},
		"a revert that was reverted": {[]port.LoggedCommit{logged("a", undoes("9"), "9"), logged("9", undoes("8"), "8"),
			logged("8", picks("1"), "7")}, "8"},
		"picked again": {[]port.LoggedCommit{logged("a", picks("1"), "9"), logged("9", undoes("8"), "8"),
			logged("8", picks("1"), "7")}, "a"},
		"the last pick reverted": {[]port.LoggedCommit{logged("b", undoes("a"), "a"), logged("a", picks("1"), "9"),
			logged("9", undoes("8"), "8"), logged("8", picks("1"), "7")}, ""},
		"a picked revert of the original": {[]port.LoggedCommit{logged("9", undoes("1")+pickedFrom(full("c")), "8"),
			logged("8", picks("1"), "7")}, ""},
		"a picked revert of a picked revert": {[]port.LoggedCommit{logged("a", undoes("c"), "9"),
			logged("9", undoes("1")+pickedFrom(full("c")), "8"), logged("8", picks("1"), "7")}, "8"},
		"the merge that brought it": {[]port.LoggedCommit{logged("b", undoes("a"), "a"), logged("a", "Merge", "7", "9"),
			logged("9", "Two", "8"), logged("8", picks("1"), "7"), logged("7", "Base", "6")}, ""},
		"a merge of something else": {[]port.LoggedCommit{logged("b", undoes("a"), "a"), logged("a", "Merge", "8", "9"),
			logged("9", "Two", "7"), logged("8", picks("1"), "7"), logged("7", "Base", "6")}, "8"},
		"undone by tenon": {[]port.LoggedCommit{logged("9", undoesRun("v", "u", "8"), "8"),
			logged("8", picks("1"), "7")}, ""},
		"undone by tenon, with later commits of its run": {[]port.LoggedCommit{logged("b", undoesRun("v", "u", "9"), "9"),
			logged("9", "Two\n\n"+byRun("u"), "8"), logged("8", picks("1")+byRun("u"), "7")}, ""},
		"an undo that was undone": {[]port.LoggedCommit{logged("c", undoesRun("w", "v", "b"), "b"),
			logged("b", undoesRun("v", "u", "9"), "9"), logged("8", picks("1")+byRun("u"), "7")}, "8"},
		"a picked undo of the original": {[]port.LoggedCommit{logged("9", "revert: One\n\nReverts "+full("1")+" of run x.\n"+
			pickedFrom(full("c")), "8"), logged("8", picks("1"), "7")}, ""},
		"an undo of something else": {[]port.LoggedCommit{logged("9", undoesRun("v", "w", "7"), "8"),
			logged("8", picks("1")+byRun("u"), "7")}, "8"},
		"something else": {[]port.LoggedCommit{logged("9", undoes("7"), "8"), logged("8", picks("1"), "7")}, "8"},
	} {
		want := ""
		if c.want != "" {
			want = full(c.want)
		}
		require.Equal(t, want, Commit{SHA: full("1")}.In(c.log), what)
	}
}

func TestSeveralCommitsThatAreMadeAsOneAreThereIfEachIs(t *testing.T) {
	t.Parallel()
	c := Commit{First: full("1"), SHA: full("2"), Picked: []string{full("1"), full("2")}}
	last := logged("9", picks("2"), "8")
	require.Empty(t, c.In([]port.LoggedCommit{last}), "only the last one was picked")
	require.Equal(t, full("9"), c.In([]port.LoggedCommit{last, logged("8", picks("1"), "7")}))
	require.Equal(t, full("9"), c.In([]port.LoggedCommit{logged("9", c.FullMessage(), "8")}))
	merge := Commit{Mainline: true, SHA: full("2"), Picked: c.Picked}
	require.Equal(t, full("9"), merge.In([]port.LoggedCommit{last}), "a merge has all")
}
