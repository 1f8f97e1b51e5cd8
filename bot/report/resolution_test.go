package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// hostileResolution is a merge with conflicts of each kind, with s wherever somebody has a say.
func hostileResolution(s string) Resolution {
	r := Resolution{Summary: hostileSummary(s, 0), Run: runID, Revision: "0123abcd",
		Merge: record.Merge{Branch: s, SHA: someSHA}, Broken: []BrokenText{{s, s}}}
	r.Offers = anyCommand
	lines := []choice.Line{{Text: s, Origin: choice.New}, {Text: s, Origin: choice.Ours}, {Text: s, Origin: choice.Theirs}}
	r.Conflicts = []Conflict{
		{ID: 1, Path: s, Line: 1, Whole: true, Base: []string{s}, Ours: []string{s, s}, Theirs: []string{s}, Note: s},
		{ID: 2, Path: s, Line: 1, Whole: true, Ours: []string{s}, Proposal: "new\n```\n" + s + "\n```", Result: lines,
			Unshown: WhyUnshown([]string{s})},
		{ID: 3, Path: s, Line: 1, Whole: true, Choice: s, ByHand: true, Result: lines[1:]},
		{ID: 4, Path: s, Whole: true, About: "Both changed it.", OursGone: true},
		{ID: 5, Path: s, Line: 1, Whole: true, Hidden: s},
	}
	return r
}

// hostileMerge is the answer to a merge with conflicts that was committed.
func hostileMerge(s string) string {
	r := hostileResolution(s)
	r.SHA = someSHA
	return OfResolution(OfUpdate(r.Merge, "", r.Summary), r.Conflicts, r.Broken).Body()
}

// What the sides of a conflict, a model or a name say is text, and no box of a conflict but tenon's own counts.
func TestNothingInAConflictLivesInAnAnswer(t *testing.T) {
	t.Parallel()
	for _, s := range markdowntest.Living {
		body := hostileResolution(s).Body()
		for _, n := range markdown.Boxes(body) {
			id, _ := markdown.ChosenBy(n)
			require.LessOrEqual(t, id, 5, s)
		}
		require.Len(t, markdown.Boxes(body), 14+strings.Count(body, "as proposed <!--"), "%q", s)
		run, revision, ok := markdown.ResolveRun(body)
		require.True(t, ok)
		require.Equal(t, [2]string{runID, "0123abcd"}, [2]string{run, revision}, s)
	}
}

// conflictsOf returns so many conflicts of long lines.
func conflictsOf(n int) (list []Conflict) {
	long := strings.Repeat("a long line ", 40)
	for i := range n {
		list = append(list, Conflict{ID: i + 1, Path: fmt.Sprintf("dir/%04d.go", i), Line: 3, Whole: true,
			Base: []string{long}, Ours: []string{long, long}, Theirs: []string{long}})
	}
	return list
}

func TestTheConflictsOfAMergeAreShownAsFarAsThereIsRoom(t *testing.T) {
	t.Parallel()
	r := Resolution{Summary: Summary{Links: onLathe, Branch: "speed", Base: headSHA, Offers: anyCommand}, Run: runID,
		Revision: "0123abcd", Merge: record.Merge{Branch: "main", SHA: someSHA}, Conflicts: conflictsOf(1000)}
	body := r.Body()
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Contains(t, body, "1,000 conflicts")
	require.Contains(t, body, "**C1** `dir/0000.go:3` · ❔ open")
	require.Regexp(t, `… and \d+ more, for which there is no room here: C\d+ to C1000`, body)
	boxes := markdown.Boxes(body)
	require.Greater(t, len(boxes), 100)
	require.LessOrEqual(t, boxes[len(boxes)-1], markdown.MaxNumber)

	s := OfUpdate(r.Merge, "", Summary{Links: onLathe, Branch: "speed", SHA: someSHA})
	s = OfResolution(s, conflictsOf(1000), nil)
	require.LessOrEqual(t, utf8.RuneCountInString(s.Body()), bodyRoom)
	require.Regexp(t, `- … and \d+ more\n`, s.Body())
}

// A proposal with new lines that nobody can see has no box.
func TestNewLinesThatAreNotShownWholeHaveNoBox(t *testing.T) {
	t.Parallel()
	for name, lines := range map[string][]string{
		"too many":        strings.Split(strings.Repeat("x\n", 61), "\n")[:61],
		"too long":        {strings.Repeat("x", 201)},
		"with characters": {"good\u202ebye"},
	} {
		c := Conflict{ID: 1, Path: "a.go", Line: 1, Whole: true, Proposal: "new\n```\nx\n```", Unshown: WhyUnshown(lines)}
		for _, l := range lines {
			c.Result = append(c.Result, choice.Line{Text: l, Origin: choice.New})
		}
		r := Resolution{Summary: Summary{Branch: "speed", Offers: anyCommand}, Run: runID, Revision: "0123abcd",
			Conflicts: []Conflict{c}}
		require.Empty(t, r.Boxed(), name)
		require.NotContains(t, r.Body(), "as proposed <!--", name)
		require.Contains(t, r.Body(), "Its new lines are not shown whole, because ", name)
	}
	require.Empty(t, WhyUnshown([]string{"x", "é", "\tx"}))
}

func TestAMergeThatCannotBeMadeHasNoBoxes(t *testing.T) {
	t.Parallel()
	r := Resolution{Summary: Summary{Branch: "speed", Offers: anyCommand}, Run: runID, Revision: "0123abcd",
		Conflicts: conflictsOf(1)}
	require.NotEmpty(t, markdown.Boxes(r.Body()))
	stuck := r
	stuck.Failed = []record.Result{{Path: "CODEOWNERS", Status: record.StatusFailed, Reason: string(engine.ProtectedPath)}}
	require.Empty(t, markdown.Boxes(stuck.Body()))
	forbidden := r
	forbidden.Offers = func(verb string) bool { return verb != "resolve" }
	require.Empty(t, markdown.Boxes(forbidden.Body()))
	require.Contains(t, forbidden.Body(), "do not allow `/tenon resolve`")
}
