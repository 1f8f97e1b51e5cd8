package resolution_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
)

// model answers with replies, one after the other, and keeps what it was asked.
type model struct {
	replies []string
	asked   []string
}

func (m *model) ask(_ context.Context, system string, messages []port.Message) (string, error) {
	if !strings.HasPrefix(system, "You settle the conflicts") || len(messages)%2 != 1 {
		return "", errors.New("this is no question about conflicts")
	}
	m.asked = append(m.asked, messages[len(messages)-1].Text)
	if len(m.replies) == 0 {
		return "", errors.New("the model is away")
	}
	reply := m.replies[0]
	m.replies = m.replies[1:]
	return reply, nil
}

var options = resolution.Options{
	Most: 20_000, Hidden: secret.FileName, Nonce: func() string { return "k3x9" },
}

func file(t *testing.T, path, base, ours, theirs string, first int) resolution.File {
	t.Helper()
	f, refusal := resolution.NewFile(path, []byte(base), []byte(ours), []byte(theirs), first)
	require.Empty(t, refusal)
	return f
}

// counters returns a merge of files with two conflicts each.
func counters(t *testing.T, n int) (m resolution.Merge) {
	t.Helper()
	m.Ours, m.Theirs = resolution.Branch{Name: "ours"}, resolution.Branch{Name: "theirs", Subjects: []string{"Count"}}
	for i := range n {
		text := func(a, b string) string { return "first " + a + "\n1\n2\n3\n4\n5\n6\n7\n8\n9\nlast " + b + "\n" }
		name := fmt.Sprintf("count%d.txt", i)
		m.Files = append(m.Files, file(t, name, text("a", "a"), text("b", "b"), text("c", "c"), 1+2*i))
	}
	return m
}

func textOf(t *testing.T, f resolution.File, s resolution.Settled) string {
	t.Helper()
	text, open := f.Text(s.Lines())
	require.Empty(t, open)
	return string(text)
}

func TestManyConflictsAreAskedAboutInRounds(t *testing.T) {
	t.Parallel()
	m := counters(t, 3)
	of := options
	of.Most = 700
	ai := &model{replies: []string{"C1: ours\nC2: theirs", "C3: ours\nC4: ours", "C5: theirs\nC6: theirs, ours"}}
	r, err := m.Settle(t.Context(), ai.ask, nil, of)
	require.NoError(t, err)
	require.Empty(t, r.Problems)
	require.Len(t, ai.asked, 3)
	require.Contains(t, ai.asked[1], "what theirs changed in count1.txt")
	require.NotContains(t, ai.asked[1], "count0.txt")
	require.Equal(t, "first b\n1\n2\n3\n4\n5\n6\n7\n8\n9\nlast c\n", textOf(t, m.Files[0], r.Settled))
	require.Equal(t, "first c\n1\n2\n3\n4\n5\n6\n7\n8\n9\nlast c\nlast b\n", textOf(t, m.Files[2], r.Settled))
	for _, asked := range ai.asked {
		require.Less(t, len(asked), 2_000)
	}

	ai = &model{replies: []string{strings.Join(allOurs(6), "\n")}}
	_, err = m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Len(t, ai.asked, 1)
	require.Equal(t, 1, strings.Count(ai.asked[0], "commits of theirs"))
}

func allOurs(n int) (out []string) {
	for i := range n {
		out = append(out, choice.Name(i+1)+": ours")
	}
	return out
}

func TestWhatIsSettledIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	m := counters(t, 2)
	settled := resolution.Settled{1: {ID: 1}, 3: {ID: 3}, 4: {ID: 4}}
	ai := &model{replies: []string{"C2: theirs"}}
	r, err := m.Settle(t.Context(), ai.ask, settled, options)
	require.NoError(t, err)
	require.Len(t, ai.asked, 1)
	require.Contains(t, ai.asked[0], "conflict C2 in count0.txt")
	require.NotContains(t, ai.asked[0], "C1")
	require.NotContains(t, ai.asked[0], "count1.txt")
	require.Len(t, r.Settled, 4)
	require.Len(t, settled, 3, "what is given is not changed")
}

func TestAConflictThatIsTooLargeIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long line of text\n", 2_000)
	m := resolution.Merge{Files: []resolution.File{file(t, "a.txt", "x\n", long+"y\n", long+long+"z\n", 1)}}
	ai := &model{}
	r, err := m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Empty(t, ai.asked)
	require.Equal(t, []int{1}, r.TooLarge)
	require.Empty(t, r.Settled)
}

func TestNothingIsShownOfAFileWhoseNameSaysThatItHasSecrets(t *testing.T) {
	t.Parallel()
	m := resolution.Merge{Files: []resolution.File{
		file(t, ".env", "PLAN=a\n", "PLAN=b\n", "PLAN=c\n", 1), file(t, "count.txt", "1\n", "2\n", "3\n", 2),
	}}
	ai := &model{replies: []string{"C1: ours\nC2: ours"}}
	r, err := m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Len(t, ai.asked, 1)
	require.NotContains(t, ai.asked[0], "PLAN")
	require.NotContains(t, ai.asked[0], ".env")
	require.Equal(t, []int{1}, r.Hidden)
	require.Len(t, r.Settled, 1)
}

func TestWhatWasSettledBeforeTheModelFailedIsInTheResult(t *testing.T) {
	t.Parallel()
	m := counters(t, 2)
	of := options
	of.Most = 700
	r, err := m.Settle(t.Context(), (&model{replies: []string{"C1: ours\nC2: ours"}}).ask, nil, of)
	require.ErrorContains(t, err, "the model is away")
	require.Len(t, r.Settled, 2)
}

func TestOnlyTheConflictsThatAreAskedAgainAreAnsweredAgain(t *testing.T) {
	t.Parallel()
	m := counters(t, 1)
	ai := &model{replies: []string{"C1: ours\nC7: ours", "C1: theirs\nC2: lines o9"}}
	r, err := m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Contains(t, ai.asked[1], "- C2 has no answer.\n")
	require.Contains(t, ai.asked[1], "Answer C2 again")
	require.Equal(t, choice.Sides(choice.Ours), r.Settled[1].Choice)
	require.Len(t, r.Problems, 1)
	require.Equal(t, choice.NoLines, r.Problems[0].Reason)
}

// Both sides add a function of the same name, at different places.
func TestAFunctionThatTheMergeMakesTwiceGoesBack(t *testing.T) {
	t.Parallel()
	base := "package a\n\nvar x = 1\n\nfunc f() {}\n\nfunc g() {}\n"
	ours := "package a\n\nvar x = 2\n\nfunc f() {}\n\nfunc g() {}\n\nfunc h() {}\n"
	theirs := "package a\n\nvar x = 3\n\nfunc f() {}\n\nfunc h() {}\n\nfunc g() {}\n"
	m := resolution.Merge{Files: []resolution.File{file(t, "a.go", base, ours, theirs, 1)}}
	ai := &model{replies: []string{"C1: ours", "C1: ours"}}
	r, err := m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Len(t, ai.asked, 2)
	require.Contains(t, ai.asked[1], "With your answers, a.go would be broken")
	text, _ := m.Files[0].Text(r.Settled.Lines())
	require.NotEmpty(t, m.Files[0].Check(nil, text))
	require.Empty(t, m.Files[0].Check(nil, []byte(ours)))
	require.Empty(t, m.Files[0].Check(nil, []byte(theirs)))
}

func TestTheModelSeesNoSecretAndCannotWriteItsPlaceholder(t *testing.T) {
	t.Parallel()
	key := strings.Join([]string{"ghp", "zQ8vR3tL6mX1nB5kW9cJ2hF7dS4gA0pYxUeI"}, "_")
	m := resolution.Merge{
		Theirs: resolution.Branch{Name: "use-" + key, Subjects: []string{"Use " + key}},
		Files:  []resolution.File{file(t, "a.txt", "token: none\n", "token: "+key+"\n", "token: later\n", 1)},
	}
	ai := &model{replies: []string{"C1: new\n```\ntoken: [redacted: GitHub token]\n```\n", "C1: ours"}}
	r, err := m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Len(t, ai.asked, 2)
	for _, asked := range ai.asked {
		require.NotContains(t, asked, key)
	}
	require.Contains(t, ai.asked[1], "which stands for a secret")
	require.Equal(t, "token: "+key+"\n", textOf(t, m.Files[0], r.Settled), "it can be chosen by its number")
}

func TestNewLinesAreTold(t *testing.T) {
	t.Parallel()
	m := counters(t, 1)
	ai := &model{replies: []string{"C1: new\n```\nfirst b\nfirst d\n```\nC2: ours"}}
	r, err := m.Settle(t.Context(), ai.ask, nil, options)
	require.NoError(t, err)
	require.Equal(t, map[int][]string{1: {"first d\n"}}, r.Settled.New(m.Files[0].File))
}

func TestAFileThatCannotBeMergedIsRefused(t *testing.T) {
	t.Parallel()
	_, refusal := resolution.NewFile("a", []byte("a"), []byte("\x00"), []byte("b"), 1)
	require.Equal(t, merge.NotText, refusal)
}
