package marks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

func newKey(t testing.TB, secret string) *marks.Key {
	t.Helper()
	key, err := marks.NewKey(secret)
	require.NoError(t, err)
	return key
}

const secret = "what nobody else knows"

var (
	at    = time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	event = port.Event{Delivery: "one", Kind: port.IssueComment, Repo: port.RepoRef{ID: 7, Owner: "acme", Name: "lathe"},
		Thread: port.Thread{Number: 3, Pull: true, Title: "Be fast"}, Received: at,
		Comment: port.Comment{Kind: port.IssueComment, ID: 9, Body: "/tenon fix be polite"},
		Sender:  port.User{Login: "maria"}}
	answer = port.Comment{Kind: port.Review, ID: 40, URL: "https://github.example/acme/lathe/pull/3#40"}
)

// fix is the record of a run that committed; diff is what each of its edits changed.
func fix(diff string) record.Record {
	results := []record.Result{{Path: "main.go", Status: record.StatusApplied, Diff: diff},
		{Path: "greet.go", Status: record.StatusFailed, Diff: diff, Nearest: []string{diff}}}
	made := record.Application{Base: strings.Repeat("a", 40), Results: results, Changed: []string{"main.go"}}
	return record.Record{
		ID: port.RunID("one"), Started: at, Target: &record.Target{Branch: "speed", SHA: strings.Repeat("a", 40)},
		Prompt: &record.Prompt{Request: port.Request{System: "be brief", Messages: []port.Message{{Text: "all files"}}},
			Selection: retrieve.Selection{Shown: map[string]string{"main.go": "12"}}},
		Turns:        []record.Turn{{Kind: record.TurnFix, Ask: "and?", Answer: port.Answer{Text: "Use " + diff}}},
		Applications: []record.Application{{Base: "old"}, made},
		Committed: &record.Committed{Application: made, SHA: strings.Repeat("b", 40), Subject: "fix: be polite",
			Patch: record.Patch{Text: diff}},
	}
}

func sealed(t testing.TB, key *marks.Key, rec record.Record, room int) (string, marks.Kept) {
	t.Helper()
	mark, kept, err := key.Seal(rec, marks.Run{PastRun: port.PastRun{Event: event}, At: at}, room)
	require.NoError(t, err)
	require.LessOrEqual(t, len(mark), room)
	return mark, kept
}

// opened returns the record of a comment with one mark.
func opened(t testing.TB, key *marks.Key, body string) (record.Record, marks.Run) {
	t.Helper()
	found := marks.In(body)
	require.Len(t, found, 1)
	run, err := key.Open(marks.PlaceOf(event), found[0])
	require.NoError(t, err)
	past, err := run.Answered(answer)
	require.NoError(t, err)
	rec, err := record.Load(past.Run)
	require.NoError(t, err)
	return rec, run
}

func TestAMarkTellsWhatLaterCommandsNeedOfARun(t *testing.T) {
	t.Parallel()
	key := newKey(t, secret)
	mark, kept := sealed(t, key, fix("-hello\n+goodbye\n"), 10_000)
	require.Equal(t, marks.KeptAll, kept)
	require.NotContains(t, mark, "\n")
	rec, run := opened(t, key, "Done.\r\n\r\n"+mark+"\r\n\r\n<!-- tenon:run=x -->")
	require.Equal(t, event, run.Event)
	require.True(t, rec.Started.Equal(at))
	commit, ok := rec.Commit()
	require.True(t, ok)
	require.Equal(t, record.Commit{Run: port.RunID("one"), SHA: strings.Repeat("b", 40), Base: strings.Repeat("a", 40),
		Branch: "speed", Subject: "fix: be polite", Changed: []string{"main.go"}}, commit)
	require.Equal(t, &record.AnswerComment{Kind: port.Review, Comment: 40, URL: answer.URL, At: at}, rec.Final)
	require.Equal(t, "Use -hello\n+goodbye\n", rec.Turns[0].Answer.Text)
	require.Equal(t, "-hello\n+goodbye\n", rec.LastApplication().Results[1].Diff)
	require.Equal(t, map[string]string{"main.go": "12"}, rec.Prompt.Shown)

	require.Empty(t, rec.Prompt.Request.Messages, "the prompt is long, and asked once")
	require.Empty(t, rec.Prompt.Request.System)
	require.Empty(t, rec.Turns[0].Ask)
	require.Len(t, rec.Applications, 1)
	require.Empty(t, rec.Committed.Patch.Text, "the answer shows it")
}

func TestAMarkHasLessOfARecordThatIsTooLong(t *testing.T) {
	t.Parallel()
	key := newKey(t, secret)
	var long strings.Builder
	for i := range 400 {
		fmt.Fprintf(&long, "-line %d %x\n", i, i*i*7919)
	}
	rec := fix(long.String())
	all, kept := sealed(t, key, rec, 1<<20)
	require.Equal(t, marks.KeptAll, kept)
	edits, kept := sealed(t, key, rec, len(all)-1)
	require.Equal(t, marks.KeptEdits, kept)
	got, _ := opened(t, key, edits)
	require.Equal(t, long.String(), got.LastApplication().Results[1].Diff, "it can be tried again")
	require.Empty(t, got.LastApplication().Results[1].Nearest)

	figures, kept := sealed(t, key, rec, len(edits)-1)
	require.Equal(t, marks.KeptFigures, kept)
	got, run := opened(t, key, figures)
	require.True(t, got.Forgotten, "later commands say so")
	require.Empty(t, got.Turns[0].Answer.Text)
	require.Equal(t, "/tenon fix be polite", run.Event.Comment.Body)

	commit, kept := sealed(t, key, rec, len(figures)-1)
	require.Equal(t, marks.KeptCommit, kept)
	got, _ = opened(t, key, commit)
	_, ok := got.Commit()
	require.True(t, ok, "it can be undone")
	require.Equal(t, "speed", got.Target.Branch)

	nothing, kept := sealed(t, key, rec, 100)
	require.Equal(t, marks.KeptNothing, kept)
	require.Empty(t, nothing)
}

func TestACommandThatDidNothingHasNothingToKeep(t *testing.T) {
	t.Parallel()
	mark, kept := sealed(t, newKey(t, secret), record.Record{ID: "run-1"}, 1<<20)
	require.Equal(t, marks.KeptAll, kept, "nothing is lost")
	require.Empty(t, mark)
}

func TestAMarkOpensWithItsKeyAtItsPlaceAlone(t *testing.T) {
	t.Parallel()
	key := newKey(t, secret)
	mark, _ := sealed(t, key, fix("+x\n"), 10_000)
	here := marks.PlaceOf(event)
	found := marks.In(mark)[0]
	_, err := key.Open(here, found)
	require.NoError(t, err)
	for _, there := range []marks.Place{{Repo: here.Repo, Number: here.Number + 1}, {Repo: 8, Number: here.Number}} {
		_, err := key.Open(there, found)
		require.ErrorIs(t, err, marks.ErrForeign)
	}
	_, err = newKey(t, secret+"k").Open(here, found)
	require.ErrorIs(t, err, marks.ErrForeign)

	of := strings.Replace(mark, port.RunID("one"), port.RunID("two"), 1)
	_, err = key.Open(here, marks.In(of)[0])
	require.ErrorIs(t, err, marks.ErrForeign, "it is of another run")
	for i := strings.LastIndex(mark, ".") + 1; i < len(mark)-len(" -->"); i += 7 {
		other := byte('A')
		if mark[i] == 'A' {
			other = 'B'
		}
		_, err = key.Open(here, marks.In(mark[:i] + string(other) + mark[i+1:])[0])
		require.ErrorIs(t, err, marks.ErrForeign, "at %d", i)
	}
	newer := strings.Replace(mark, "record=1.", "record=2.", 1)
	_, err = key.Open(here, marks.In(newer)[0])
	require.ErrorContains(t, err, "run the version of tenon that wrote it")
}

func TestASecretThatCanBeGuessedMakesNoKey(t *testing.T) {
	t.Parallel()
	for _, guessable := range []string{"", "ollama", strings.Repeat("x", marks.MinSecret-1)} {
		_, err := marks.NewKey(guessable)
		require.ErrorIs(t, err, marks.ErrShortSecret)
	}
}

func TestOfTickedBoxesAMarkKeepsWhichTheyWere(t *testing.T) {
	t.Parallel()
	key := newKey(t, secret)
	line := "- [%s] **%d** `main.go` <!-- tenon:block=%d -->\n"
	end := "\n<!-- tenon:preview=abcdefghijkl -->"
	ticked := event
	ticked.Kind = port.Ticked
	ticked.Before = fmt.Sprintf(line+line, " ", 1, 1, " ", 2, 2) + end
	ticked.Comment.Body = fmt.Sprintf(line+line, " ", 1, 1, "x", 2, 2) + strings.Repeat("long ", 1000) + end
	mark, _, err := key.Seal(fix("+x\n"), marks.Run{PastRun: port.PastRun{Event: ticked}}, 10_000)
	require.NoError(t, err)
	_, run := opened(t, key, mark)
	require.Empty(t, run.Event.Before)
	require.Equal(t, "- [x] **2**  <!-- tenon:block=2 -->\n\n<!-- tenon:preview=abcdefghijkl -->", run.Event.Comment.Body)
}

func TestAMarkOfAnOfferSaysWhereTheOfferIs(t *testing.T) {
	t.Parallel()
	key := newKey(t, secret)
	mark, _, err := key.Seal(fix("+x\n"), marks.Run{PastRun: port.PastRun{Event: event}, Offer: true}, 10_000)
	require.NoError(t, err)
	rec, _ := opened(t, key, mark)
	require.Nil(t, rec.Final)
	require.Equal(t, int64(40), rec.Offer.Comment)
}

// Anybody may write comments, and people edit those of the bot.
func FuzzMarksOfHostileComments(f *testing.F) {
	key := newKey(f, secret)
	mark, _, err := key.Seal(fix("+x\n"), marks.Run{PastRun: port.PastRun{Event: event}}, 10_000)
	require.NoError(f, err)
	_, want := opened(f, key, mark)
	f.Add(mark)
	f.Add(mark + mark)
	f.Add(mark[:len(mark)-6] + "A -->")
	f.Add(marks.Prefix + marks.Prefix + "1.abcdefghijkl. -->")
	f.Add(strings.Repeat(marks.Prefix, 1000))
	f.Add(marks.Prefix + "1\n." + port.RunID("one") + ".AAAA -->")
	f.Fuzz(func(t *testing.T, body string) {
		found := marks.In(body)
		require.LessOrEqual(t, len(found), 100)
		for _, m := range found {
			require.Contains(t, body, m.Text)
			require.NotContains(t, m.Text, "\n")
			require.True(t, port.IsRunID(m.Run))
			if run, err := key.Open(marks.PlaceOf(event), m); err == nil {
				require.Equal(t, want, run, "what opens was sealed") // perhaps by another process of the fuzzer
			}
		}
	})
}
