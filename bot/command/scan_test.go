package command

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

func scanned(body string) (may, immediate bool) {
	return Scan(port.Event{Kind: port.IssueComment, Comment: port.Comment{Body: body}}, "tenon")
}

func TestWhatIsAnsweredWithoutWorkDoesNotWait(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"/tenon help":                  true,
		"/tenon status":                true,
		"/tenon cancel, do":            true,
		"@tenon cancel":                true,
		"@tenon cancel it":             false,
		"/tenon":                       true,
		"@tenon":                       true,
		"/tenon fx it":                 true,
		"/tenon ask":                   true,
		"/tenon fix":                   false,
		"/tenon fix it":                false,
		"@tenon help me":               false,
		"> /tenon help":                false,
		"nothing for anybody":          false,
		"@tenonic help":                false,
		strings.Repeat("@", 9):         false,
		"Hm.\r\n\r\n\t/tenon status":   true,
		"/tenon help\n/tenon status":   true,
		"/tenon fix it\n/tenon help":   false,
		"```\n/tenon fix\n```\n/tenon": false, // only a parser could tell which of the two it is
		"```\n/tenon\n```\n/tenon fix": false,
	} {
		for _, kind := range []port.EventKind{port.IssueComment, port.ReviewComment, port.Review, port.IssueBody} {
			_, immediate := Scan(port.Event{Kind: kind, Comment: port.Comment{Kind: kind, Body: body}}, "tenon")
			require.Equal(t, want, immediate, body)
		}
	}
	onPull := port.Event{
		Kind: port.IssueComment, Thread: port.Thread{Pull: true}, Comment: port.Comment{Body: "/tenon fix"},
	}
	_, immediate := Scan(onPull, "tenon")
	require.True(t, immediate, "it is refused")
}

// A problem that is seen only because the rest was not read is none.
func TestAScanThatEndsEarlyTakesNothingForImmediate(t *testing.T) {
	t.Parallel()
	for _, blanks := range []string{" ", "  "} { // the part that is read ends in a comma or a slash with one of them
		for _, body := range []string{
			"/tenon apply" + blanks + strings.Repeat("1,2,", 300) + "3",
			"/tenon fix --files" + blanks + strings.Repeat("a/", 600) + "b it",
		} {
			inv, ok := parseText(body, "tenon")
			require.True(t, ok)
			require.Empty(t, inv.Problem)
			may, immediate := scanned(body)
			require.True(t, may)
			require.False(t, immediate)
		}
	}
	_, immediate := scanned("/tenon help\n\n" + strings.Repeat("Thank you. ", 1000))
	require.True(t, immediate)
	_, immediate = scanned(strings.Repeat("/tenon help\n", maxScanned+1))
	require.False(t, immediate)
}

// The webhook accepts what scan says, and the queue orders it by what it says: no command may be lost by it, and none
// may overtake another one.
func requireScanned(t *testing.T, body string) {
	t.Helper()
	inv, ok := FromEvent(port.Event{Kind: port.IssueComment, Comment: port.Comment{Body: body}}, "tenon", "")
	may, immediate := scanned(body)
	if ok {
		require.True(t, may, "%q", body)
		require.Equal(t, may, MayContain(body, "tenon"))
		if immediate {
			require.True(t, inv.IsImmediate(), "%q", body)
		}
	}
}

func TestAScanFindsEveryCommandThatAParserFinds(t *testing.T) {
	t.Parallel()
	commands := []string{"/tenon fix it", "/TENON help", "@tenon", "@Tenon[bot], x", "/tenon\tstatus", "/tenon undo x"}
	for _, c := range commands {
		for _, before := range []string{"", "x\n", "   ", "\t", "x\n\v", "x\n\f  ", "x\r\n", "[a]: b\n", "[a]: b 'c\nd'\n",
			"> x\n\n", "- x\n\n", "```\nx\n```\n", "<!-- x -->\n", "<div>\n\n", "# x\n", "x\n=\n", "a | b\n", "***\n",
			"x\n      ", "`x`\n", "\\\n", "&amp;\n", "x  \n", "\ufeff\n", "\u2028\n", "|a|\n|-|\n"} {
			for _, after := range []string{"", "\n", "\r\n", "\n===", "\n---", "\n\nx", "\n```\nx"} {
				requireScanned(t, before+c+after)
			}
		}
	}
}

// Whoever may write a comment may send what they like, without any permission.
func TestAScanAllocatesNextToNothing(t *testing.T) { // not parallel: it counts what the process allocates
	for story, body := range map[string]string{
		"one word":         "/tenon " + strings.Repeat("x", 64_000),
		"many commands":    strings.Repeat("/tenon help\n", 5_000),
		"many files":       "/tenon fix --files " + strings.Repeat("a,b,", 16_000),
		"many numbers":     "/tenon apply " + strings.Repeat("1,", 32_000),
		"nothing for us":   strings.Repeat("@", 64_000),
		"many lines":       strings.Repeat("\n", 64_000) + "/tenon fix it",
		"lists and blanks": strings.Repeat("- ", 400) + "x" + strings.Repeat("\n", 60_000) + "@",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		scanned(body)
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(200_000), story)
	}
}

func TestAScanFindsEveryTickThatAParserFinds(t *testing.T) {
	t.Parallel()
	box := func(n int, ticked bool) string { return markdown.Box(n, ticked, "`a.go`") }
	preview := "\n\n<!-- tenon:preview=k3v9x1p7q2m4 -->"
	for _, c := range []struct {
		before, after string
		may           bool
	}{
		{box(1, false) + preview, box(1, true) + preview, true},
		{box(1000, false) + preview, box(1000, true) + preview, true},
		{box(1, true) + preview, box(1, false) + preview, false},
		{box(1, true) + preview, "Hm. " + box(1, true) + preview, false},
		{box(1, false) + "\n" + box(2, true) + preview, box(1, true) + "\n" + box(2, false) + preview, true},
		{"```\n" + box(1, true) + "\n```\n\n" + box(1, false) + preview,
			"```\n" + box(1, true) + "\n```\n\n" + box(1, true) + preview, true},
		{"x" + preview, "```\n" + box(1, true) + "\n```\n" + preview, true}, // a worker sees that it is none
	} {
		ev := port.Event{Kind: port.Ticked, Before: c.before, Comment: port.Comment{Body: c.after}}
		may, immediate := Scan(ev, "tenon")
		require.Equal(t, c.may, may, c.after)
		require.False(t, immediate)
		if _, ok := FromEvent(ev, "tenon", ""); ok {
			require.True(t, may)
		}
	}
}

func TestALabelOfAnIssueThatWasOpenedWithACommandAsksForNothing(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{"/tenon fix it": false, "> /tenon fix it": true, "It panics.": true} {
		ev := port.Event{Kind: port.Labeled, Label: "tenon", Opening: true, Comment: port.Comment{Body: body}}
		may, _ := Scan(ev, "tenon")
		require.True(t, may, "only a parser can tell")
		_, ok := FromEvent(ev, "tenon", "tenon")
		require.Equal(t, want, ok, body)
		ev.Opening = false
		_, ok = FromEvent(ev, "tenon", "tenon")
		require.True(t, ok, "a label that was set later")
	}
}
