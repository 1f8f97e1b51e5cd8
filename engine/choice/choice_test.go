package choice_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
)

func sides(base, ours, theirs string) merge.Sides {
	return merge.Sides{Base: lines(base), Ours: lines(ours), Theirs: lines(theirs)}
}

var limits = sides("limit 1\n", "limit 2\nburst 2\n", "limit 3\nwait 3\nretry 3\n")

// settled returns the text of lines, and a letter for the origin of each.
func settled(lines []choice.Line) (text, origins string) {
	for _, l := range lines {
		text += l.Text
		origins += l.Origin.String()[:1]
	}
	return text, origins
}

func TestEveryLineOfASettledConflictHasAnOrigin(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][2]string{
		"ours":                     {"limit 2\nburst 2\n", "oo"},
		"theirs":                   {"limit 3\nwait 3\nretry 3\n", "ttt"},
		"base":                     {"limit 1\n", "b"},
		"none":                     {"", ""},
		"ours, theirs":             {"limit 2\nburst 2\nlimit 3\nwait 3\nretry 3\n", "oottt"},
		"theirs, ours":             {"limit 3\nwait 3\nretry 3\nlimit 2\nburst 2\n", "tttoo"},
		"lines o2 t2-3 b1":         {"burst 2\nwait 3\nretry 3\nlimit 1\n", "ottb"},
		"lines t3, o1":             {"retry 3\nlimit 2\n", "to"},
		"lines o2 t3 o2":           {"burst 2\nretry 3\nburst 2\n", "oto"},
		"new\n```\n```":            {"", ""},
		"new\n```go\nlimit 5\n```": {"limit 5\n", "n"},
		"new\n~~~\nlimit 4\nburst 2\nburst 2\nretry 3\n~~~": {"limit 4\nburst 2\nburst 2\nretry 3\n", "nont"},
		"new\n````\n```\nlimit 1\n````":                     {"```\nlimit 1\n", "nb"},
	} {
		answers, problems := choice.Parse("C1: "+answer+"\n", []choice.Conflict{{ID: 1, Sides: limits}})
		require.Empty(t, problems, answer)
		require.Len(t, answers, 1, answer)
		text, origins := settled(answers[0].Lines)
		require.Equal(t, want, [2]string{text, origins}, answer)
	}
}

func TestAConflictThatIsLeftOpenHasNoLines(t *testing.T) {
	t.Parallel()
	for reply, question := range map[string]string{
		"C1: open":                               "",
		"C1: open Which limit is right, 2 or 3?": "Which limit is right, 2 or 3?",
	} {
		answers, problems := choice.Parse(reply, []choice.Conflict{{ID: 1, Sides: limits}})
		require.Empty(t, problems)
		got, open := answers[0].Choice.Question()
		require.True(t, open)
		require.Equal(t, question, got)
		require.Nil(t, answers[0].Lines)
	}
	_, open := choice.Sides(choice.Ours).Question()
	require.False(t, open)
	_, err := choice.Choice{}.Settle(limits, false)
	require.ErrorContains(t, err, "left open", "the zero value chooses nothing")
}

func TestALineHasTheEndingOfItsFile(t *testing.T) {
	t.Parallel()
	windows := sides("a\r\n", "b\r\n", "c\r\n")
	converted := sides("a\r\n", "b\r\n", "c\n")
	unended := merge.Sides{Ours: []string{"x\n", "y"}, Theirs: []string{"z"}}
	bare := merge.Sides{Ours: []string{"x"}, Theirs: []string{"z"}}
	for _, c := range []struct {
		sides  merge.Sides
		choice choice.Choice
		last   bool
		want   string
	}{
		{windows, choice.Text("b\nd\n"), false, "b\r\nd\r\n"},
		{windows, choice.Text("b\nd"), true, "b\r\nd"},
		{windows, choice.Text("b\nd"), false, "b\r\nd\r\n"},
		{converted, choice.Text("b\nd\n"), false, "b\nd\n"},
		{converted, choice.Sides(choice.Ours), false, "b\r\n"},
		{unended, choice.Sides(choice.Ours, choice.Theirs), true, "x\ny\nz"},
		{unended, choice.Sides(choice.Theirs, choice.Ours), true, "z\nx\ny"},
		{unended, choice.Sides(choice.Ours), false, "x\ny\n"},
		{unended, choice.Text("z\ny\n"), true, "z\ny\n"},
		{unended, choice.Text("x\ny"), true, "x\ny"},
		{bare, choice.Sides(choice.Ours, choice.Theirs), true, "x\nz"},
	} {
		lines, err := c.choice.Settle(c.sides, c.last)
		require.NoError(t, err)
		text, _ := settled(lines)
		require.Equal(t, c.want, text, "%v", c.choice)
	}
	answers, problems := choice.Parse("C1: new\n```\nx\n\\ No newline at end of file\n```\n",
		[]choice.Conflict{{ID: 1, Sides: unended, Last: true}})
	require.Empty(t, problems)
	require.Equal(t, []choice.Line{{Text: "x", Origin: choice.Ours}}, answers[0].Lines)
}

func TestAnAnswerThatDoesNotFitCountsForNothing(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]choice.Reason{
		"":                    choice.NoAnswer,
		"ours":                choice.NoAnswer,
		" C1: ours":           choice.NoAnswer,
		"> C1: ours":          choice.NoAnswer,
		"**C1**: ours":        choice.NoAnswer,
		"```\nC1: ours\n```":  choice.NoAnswer,
		"```\nC1: ours":       choice.NoAnswer,
		"C01: ours":           choice.NoAnswer,
		"C1: ours\nC1: ours":  choice.Twice,
		"C1: both":            choice.NoChoice,
		"C1: Ours":            choice.NoChoice,
		"C1:":                 choice.NoChoice,
		"C1: ours,":           choice.NoChoice,
		"C1: ours, ours":      choice.NoChoice,
		"C1: ours theirs":     choice.NoChoice,
		"C1: new limit 4":     choice.NoChoice,
		"C1: lines":           choice.NoChoice,
		"C1: lines o0":        choice.NoChoice,
		"C1: lines o2-1":      choice.NoChoice,
		"C1: lines o1-":       choice.NoChoice,
		"C1: lines n1":        choice.NoChoice,
		"C1: lines ours":      choice.NoChoice,
		"C1: lines o99999999": choice.NoChoice,
		"C1: lines o3":        choice.NoLines,
		"C1: lines t3-4":      choice.NoLines,
		"C1: lines o1-2" + strings.Repeat(" t1-3", 4): choice.NoLines,
		"C1: new":                               choice.NoText,
		"C1: new\nlimit 4":                      choice.NoText,
		"C1: new\n\n```\nlimit 4\n```":          choice.NoText,
		"C1: new\n```\nlimit 4":                 choice.NoText,
		"C1: new\n```\nlimit 4\n``":             choice.NoText,
		"C1: new\n````\nlimit 4\n```\n":         choice.NoText,
		"C1: new\n```\n<<<<<<< ours\n```":       choice.Marker,
		"C1: new\n```\n|||||||\n```":            choice.Marker,
		"C1: new\n```\n<<<<<<<<< t\n```":        choice.Marker,
		"C1: new\n```\n<<<<<<<\tt\n```":         choice.Marker,
		"C1: new\n```\n>>>>>>>t\n```":           choice.Marker,
		"C1: new\n```\nx\n>>>>>>> t\n```":       choice.Marker,
		"C1: new\n```\nC1: ours\n```\nC1: ours": choice.Twice,
	} {
		answers, problems := choice.Parse(reply, []choice.Conflict{{ID: 1, Sides: limits}})
		require.Empty(t, answers, reply)
		require.Len(t, problems, 1, reply)
		require.Equal(t, want, problems[0].Reason, reply)
		require.Contains(t, problems[0].String(), "C1", reply)
	}
}

func TestAnAnswerIsForTheConflictThatItNames(t *testing.T) {
	t.Parallel()
	conflicts := []choice.Conflict{{ID: 4, Sides: limits}, {ID: 5, Sides: limits}, {ID: 6, Sides: limits}}
	answers, problems := choice.Parse("Both limits matter.\r\n\r\nC6: theirs\r\nC7: ours\r\nC4: ours\r\n", conflicts)
	require.Len(t, answers, 2)
	require.Equal(t, 4, answers[0].ID)
	require.Equal(t, choice.Sides(choice.Ours), answers[0].Choice)
	require.Equal(t, 6, answers[1].ID)
	require.Equal(t, choice.Sides(choice.Theirs), answers[1].Choice)
	require.Equal(t, []choice.Problem{
		{ID: 5, Reason: choice.NoAnswer}, {ID: 7, Line: 4, Reason: choice.Unknown},
	}, problems)
}

func TestAChoiceCanBeMadeOfAnySides(t *testing.T) {
	t.Parallel()
	for _, take := range []choice.Take{
		{Origin: choice.New, From: 1, To: 1}, {Origin: 9, From: 1, To: 1}, {Origin: choice.Ours, From: -1, To: 1},
		{Origin: choice.Ours, From: 1, To: 3}, {Origin: choice.Ours, From: 2, To: 0},
	} {
		_, err := choice.Of(take).Settle(limits, false)
		require.Error(t, err, "%+v", take)
	}
	lines, err := choice.Of(choice.Take{Origin: choice.Theirs}).Settle(sides("a\n", "b\n", ""), false)
	require.NoError(t, err)
	require.Empty(t, lines, "a side may have no lines")
}

func TestAMarkerWithinAVersionCannotBeChosen(t *testing.T) {
	t.Parallel()
	nested := sides("<<<<<<<<< Temporary merge branch 1\nx\n=========\ny\n>>>>>>>>> Temporary merge branch 2\n",
		"<<<<<<< is a marker\n", "|||||||||\n")
	for answer, ok := range map[string]bool{
		"base": false, "lines b5": false, "lines b2": true, "ours": true, "theirs": true, "ours, theirs": true,
	} {
		answers, problems := choice.Parse("C1: "+answer, []choice.Conflict{{ID: 1, Sides: nested}})
		require.Equal(t, ok, len(answers) == 1, answer)
		if !ok {
			require.Equal(t, choice.Marker, problems[0].Reason)
		}
	}
}

// FuzzParse checks that no reply gives lines whose origin is not true, and that choices are read as they are written.
func FuzzParse(f *testing.F) {
	f.Add("C1: ours\nC2: lines o1 t2\n", "a\n", "b\nc\n", "d\ne\n")
	f.Add("C2: new\n```\nx\nb\n```\nC1: open why?\n", "a\r\n", "b\r\n", "c")
	f.Add("C1: none\nC2: theirs, base, ours", "", "", "x")
	f.Add("C1: new\n```\nx\n\\ No newline at end of file\n```\nC2: base", "x", "y", "z")
	f.Fuzz(func(t *testing.T, reply, base, ours, theirs string) {
		s := merge.Sides{Base: lines(base), Ours: lines(ours), Theirs: lines(theirs)}
		conflicts := []choice.Conflict{{ID: 1, Sides: s}, {ID: 2, Sides: s, Last: true}}
		answers, problems := choice.Parse(reply, conflicts)
		seen := map[int]int{}
		for _, p := range problems {
			require.NotEmpty(t, p.String())
			if p.Reason != choice.Unknown {
				seen[p.ID]++
			}
		}
		for _, a := range answers {
			seen[a.ID]++
			requireOrigins(t, s, a.Lines)
			again, problems := choice.Parse(choice.Name(a.ID)+": "+a.Choice.String(), conflicts[a.ID-1:a.ID])
			require.Empty(t, problems)
			require.Equal(t, a.Lines, again[0].Lines)
		}
		require.Equal(t, map[int]int{1: 1, 2: 1}, seen, "each conflict has an answer or a problem")
	})
}

func lines(s string) []string { return slices.Collect(strings.Lines(s)) }

// requireOrigins requires that each line is from the side that it names, and that they are not too many.
func requireOrigins(t *testing.T, s merge.Sides, got []choice.Line) {
	t.Helper()
	has := map[choice.Line]bool{}
	for o, side := range map[choice.Origin][]string{choice.Base: s.Base, choice.Ours: s.Ours, choice.Theirs: s.Theirs} {
		for _, line := range side {
			has[choice.Line{Text: strings.TrimRight(line, "\r\n"), Origin: o}] = true
		}
	}
	chosen := 0
	for _, l := range got {
		if l.Text = strings.TrimRight(l.Text, "\r\n"); l.Origin != choice.New {
			require.True(t, has[l], "%q", l)
			chosen++
		}
	}
	require.LessOrEqual(t, chosen, 2*(len(s.Base)+len(s.Ours)+len(s.Theirs)))
}
