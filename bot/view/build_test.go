package view

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gh/links"
	"github.com/tenon-bot/tenon/testdata"
)

// asked is a run of maria's command on pull request 7 of acme/lathe, which goes on.
func asked() Source {
	return Source{
		State: Running,
		Links: links.On("https://github.example/", "acme/lathe"),
		Event: port.Event{Delivery: "d", Kind: port.IssueComment, Received: time.Unix(100, 0),
			Repo: port.RepoRef{ID: 5, Owner: "acme", Name: "lathe"}, Sender: port.User{ID: 1, Login: "maria"},
			Thread:  port.Thread{Number: 7, Pull: true, Title: "Speed", URL: "https://github.example/acme/lathe/pull/7"},
			Comment: port.Comment{Body: "/tenon fix it", URL: "https://github.example/acme/lathe/pull/7#c"}},
		Record: record.Record{ID: "aaaabbbbcccc", Started: time.Unix(101, 0)},
	}
}

// twoEdits is a reply with a block for a.go and one for b.go.
var twoEdits = testdata.Edit("a.go", "one", "two") + testdata.Edit("b.go", "three", "four")

func TestABlockIsThereAsSoonAsItIsWhole(t *testing.T) {
	t.Parallel()
	s := asked()
	s.Record.Prompt = &record.Prompt{}
	s.Live = Live{Call: 1, Text: twoEdits[:strings.Index(twoEdits, "four")]}
	r := Build(s)
	require.Len(t, r.Blocks, 1)
	require.Equal(t, BadgeChecking, r.Blocks[0].Badge, "it is the next to be tried")
	require.Equal(t, "a.go", r.Blocks[0].Path)
	require.Equal(t, []Line{{Kind: Removed, Text: "one"}, {Kind: Added, Text: "two"}}, linesOf(r.Blocks[0].Diff))
	require.True(t, r.Replies[0].Arriving)
	require.Equal(t, Counts{New: 1}, r.Counts)

	s.Live.Text = twoEdits
	s.Live.Results = []record.Result{{Path: "a.go", Status: record.StatusApplied, Diff: "@@ -4 +4 @@\n-one\n+two\n"}}
	r = Build(s)
	require.Equal(t, BadgeApplied, r.Blocks[0].Badge)
	require.True(t, r.Blocks[0].Trial, "it is not made yet")
	require.Equal(t, BadgeChecking, r.Blocks[1].Badge)
	require.Equal(t, Counts{Applied: 1, New: 1}, r.Counts)
}

// What arrives before there is a prompt is the choice of files, in which blocks mean nothing.
func TestTheChoiceOfFilesIsTheFirstReply(t *testing.T) {
	t.Parallel()
	s := asked()
	s.Live = Live{Call: 1, Text: "NEED: a.go\n" + twoEdits}
	r := Build(s)
	require.Empty(t, r.Blocks)
	require.Len(t, r.Replies, 1)
	require.True(t, r.Replies[0].Arriving)
	require.Equal(t, "which files it has to see", r.Replies[0].Kind)

	s.Record.FileChoice = &record.FileChoice{
		Asked: true, Offered: 50, Chosen: []string{"NEED: a.go"},
		Answer: port.Answer{Text: "NEED: a.go", Model: "m", Usage: port.Usage{In: 4000, Out: 9}},
	}
	s.Record.Prompt = &record.Prompt{}
	s.Live = Live{Call: 2, Text: twoEdits}
	r = Build(s)
	require.Len(t, r.Blocks, 2)
	require.Len(t, r.Replies, 2)
	require.Equal(t, "NEED: a.go", r.Replies[0].Text)
	require.Equal(t, []int{1, 2}, []int{r.Replies[0].Call, r.Replies[1].Call})
	require.Equal(t, "the task", r.Replies[1].Kind)
	require.EqualValues(t, 4000, r.Costs.Models[0].In)
}

// linesOf returns the lines of a diff without their numbers and marks.
func linesOf(d Diff) (out []Line) {
	for _, h := range d.Hunks {
		for _, l := range h.Lines {
			out = append(out, Line{Kind: l.Kind, Text: l.Text})
		}
	}
	return out
}

// committed is the run when one edit was made and one was not.
func committed() Source {
	s := asked()
	s.State = Ended
	s.Ended = &port.Ended{Outcome: port.EndCommitted, Started: time.Unix(101, 0), At: time.Unix(131, 0), Command: "fix"}
	s.Record.Target = &record.Target{Branch: "speed", SHA: "b45e", Pull: 7}
	s.Record.Turns = []record.Turn{{Kind: record.TurnFix, Answer: port.Answer{Text: twoEdits, Name: "m"},
		Plan: []record.BlockRef{{Block: 0}, {Block: 1}}}}
	s.Record.Committed = &record.Committed{SHA: "c0ffee", Subject: "fix: speed", Application: record.Application{
		Results: []record.Result{
			{Path: "a.go", Status: record.StatusApplied, Line: 4, Added: 3, Level: int(engine.LevelTrailingSpace),
				Diff: "@@ -4 +4,3 @@\n-one\n+two\n+2\n+2\n", Removed: 1},
			{Path: "b.go", Status: record.StatusFailed, Reason: string(engine.NotFound), Nearest: []string{"thr33"},
				NearestLine: 9, Differs: 9, Want: "three", Have: "thr33"},
		}}}
	s.Steps = []Step{{Name: "commit", At: time.Unix(130, 0)}, {Name: "ask.1", At: time.Unix(120, 0)}}
	return s
}

func TestAnAppliedBlockLeadsToItsLinesAtTheCommitAndAFailedOneToWhatWasSearched(t *testing.T) {
	t.Parallel()
	r := Build(committed())
	require.Equal(t, Counts{Applied: 1, Failed: 1}, r.Counts)
	require.Equal(t, "https://github.example/acme/lathe/blob/c0ffee/a.go#L4-L6", r.Blocks[0].LineURL)
	require.Equal(t, "trailing space", r.Blocks[0].Level)
	require.False(t, r.Blocks[0].Trial)
	require.Empty(t, r.Blocks[1].LineURL)
	require.Equal(t, &Searched{Lines: []string{"thr33"}, Line: 9, Differs: 9, Want: "three", Have: "thr33"},
		r.Blocks[1].Searched)
	require.Equal(t, "Line 9 is not what the edit expected.", r.Blocks[1].Words)
	require.Equal(t, "https://github.example/acme/lathe/commit/c0ffee", r.Commit.URL)
	require.Equal(t, 30*time.Second, r.Costs.Took)
	require.Equal(t, "fix", r.Request.Verb)
}

func TestACommitToAForkIsThere(t *testing.T) {
	t.Parallel()
	s := committed()
	s.Record.Target.Fork = &port.RepoRef{Owner: "maria", Name: "lathe-2"}
	r := Build(s)
	require.Equal(t, "https://github.example/maria/lathe-2/commit/c0ffee", r.Commit.URL)
	require.Equal(t, "https://github.example/maria/lathe-2/blob/c0ffee/a.go", r.Blocks[0].FileURL)
}

func TestTheTimelineIsInOrder(t *testing.T) {
	t.Parallel()
	var what []string
	line := Build(committed()).Timeline
	for _, m := range line {
		what = append(what, m.What)
	}
	require.Equal(t, []string{"received the command", "started", "the model answered, call 1", "committed", "ended"}, what)
	require.Equal(t, 19*time.Second, line[2].Since)
}

func TestAnEditOfARunThatEndedBeforeIsSkipped(t *testing.T) {
	t.Parallel()
	s := committed()
	s.Record.Committed = nil
	r := Build(s)
	require.Equal(t, Counts{Skipped: 2}, r.Counts)
	require.Equal(t, neverMade, r.Blocks[0].Words)
}

func TestWhoMayNotReadTheRepositorySeesNothingOfItsTexts(t *testing.T) {
	t.Parallel()
	s := committed()
	s.Record.Prompt = &record.Prompt{
		Selection: retrieve.Selection{Files: []retrieve.ShownFile{{Path: "a.go", Why: "named"}}},
		CI:        &record.CI{Failed: []record.FailedCheck{{Name: "deploy to the moon", Lines: 2}}}}
	s.Record.Turns[0].Given = []retrieve.Given{{Ask: "FIND: moon", Hits: 1, All: 3}}
	require.Len(t, Build(s).Saw, 3)
	r := Build(s).Without()
	require.Equal(t, []File{{Path: "a.go"}}, r.Saw)
	require.True(t, r.Hidden)
	require.Empty(t, r.Request.Text)
	require.Empty(t, r.Request.Thread.Title)
	require.Empty(t, r.Replies[0].Text)
	require.Empty(t, r.Commit.Subject)
	require.Nil(t, r.Blocks[1].Searched)
	require.Empty(t, r.Blocks[0].Diff.Hunks)
	require.Equal(t, 3, r.Blocks[0].Diff.Added)
	require.Equal(t, Counts{Applied: 1, Failed: 1}, r.Counts)
}

func TestAPageHasNoSecrets(t *testing.T) {
	t.Parallel()
	s := committed()
	token := "gh" + "p_" + strings.Repeat("a1B2", 9)
	s.Event.Comment.Body = "/tenon fix it with " + token
	s.Record.Turns[0].Answer.Text = "Use " + token + "\n\n" + twoEdits
	r := Build(s)
	require.NotContains(t, r.Request.Text+r.Replies[0].Text, token)
}

func TestWhatAPageShowsIsBounded(t *testing.T) {
	t.Parallel()
	s := committed()
	s.Event.Comment.Body = strings.Repeat("word ", maxText)
	s.Record.Turns[0].Answer.Text = strings.Repeat("`git rm old.go`\n", 40_000)
	r := Build(s)
	require.LessOrEqual(t, len(r.Request.Text), maxText+len("…"))
	require.LessOrEqual(t, len(r.Replies[0].Text), maxText+len("…"))
	require.LessOrEqual(t, len(r.Suggestions), maxListed)
}

func TestThePagePutsBoundsOnEveryLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	s := asked()
	s.Record.Prompt = &record.Prompt{}
	s.Live = Live{Call: 1, Text: testdata.Edit("a.go", long, long+"y") + long + "\n"}
	r := Build(s)
	require.Len(t, r.Blocks, 1)
	for _, l := range linesOf(r.Blocks[0].Diff) {
		require.LessOrEqual(t, len(l.Text), maxLine+len("…"))
	}
	for line := range strings.Lines(r.Replies[0].Text) {
		require.LessOrEqual(t, len(line), maxLine+len("…\n"))
	}

	s = committed()
	failed := &s.Record.Committed.Results[1]
	failed.Nearest, failed.NearestLine, failed.Differs = make([]string, 10_000), 1, 5000
	failed.Nearest[4999] = "here\u202e" + long[:10_000]
	near := Build(s).Blocks[1].Searched
	require.Len(t, near.Lines, maxListed)
	at := near.Lines[near.Differs-near.Line]
	require.Regexp(t, "^here⟨U\\+202E⟩x+…$", at)
	require.LessOrEqual(t, len(at), maxLine+20)
}

func TestTheRestOfAReplyAddsToThePlan(t *testing.T) {
	t.Parallel()
	s := asked()
	s.Record.Turns = []record.Turn{{Kind: record.TurnFix, Plan: []record.BlockRef{{Block: 0}},
		Answer: port.Answer{Text: testdata.Edit("a.go", "one", "two"), Cut: true}}}
	s.Live = Live{Call: 2, Text: twoEdits}
	r := Build(s)
	require.Equal(t, "the rest of the reply", r.Replies[1].Kind)
	require.Len(t, r.Blocks, 2, "a block that is repeated counts once")
	require.Equal(t, "b.go", r.Blocks[1].Path)
}

func TestWhileCorrectionsArriveTheEditsAreAsTheyWereTried(t *testing.T) {
	t.Parallel()
	s := asked()
	s.Record.Turns = []record.Turn{{Kind: record.TurnFix, Answer: port.Answer{Text: twoEdits},
		Plan: []record.BlockRef{{Block: 0}, {Block: 1}}}}
	s.Live = Live{Call: 2, Text: testdata.Edit("b.go", "thr33", "four"), Results: []record.Result{
		{Path: "a.go", Status: record.StatusApplied}, {Path: "b.go", Status: record.StatusFailed, Reason: "not-found"}}}
	r := Build(s)
	require.Equal(t, "corrections", r.Replies[1].Kind)
	require.Equal(t, Counts{Applied: 1, Failed: 1}, r.Counts)

	s.Live.Results = nil
	require.Equal(t, Counts{New: 2}, Build(s).Counts, "what corrections change is not known before they were tried")
}

func TestAnEditThatIsOnlyShownIsATrial(t *testing.T) {
	t.Parallel()
	s := committed()
	s.Record.Preview = &record.Preview{Application: s.Record.Committed.Application}
	s.Record.Committed = nil
	s.Left = []int{1}
	r := Build(s)
	require.True(t, r.Blocks[0].Trial)
	require.True(t, r.Blocks[0].Left)
	require.False(t, r.Blocks[1].Left)
	require.Empty(t, r.Blocks[0].LineURL, "there is no commit")
}

func TestAPageSaysWhatDeservesALookToThoseWhoMayReadTheCode(t *testing.T) {
	t.Parallel()
	s := Source{State: Ended, Record: record.Record{Committed: &record.Committed{Application: record.Application{
		Cautions: []record.Caution{{Kind: caution.Host, Path: "a.py", What: "api.partner.io"}}}}}}
	require.Equal(t, "new host: api.partner.io in a.py", Build(s).Caution)
	require.Empty(t, Build(s).Without().Caution)
	s.Record = record.Record{Preview: &record.Preview{Application: s.Record.Committed.Application}}
	require.Equal(t, "new host: api.partner.io in a.py", Build(s).Caution)
}

func TestARunSaysWhatItWaitsForAndWhyItEnded(t *testing.T) {
	t.Parallel()
	s := asked()
	for want, change := range map[string]func(){
		"": func() { s.State = Running },
		"It waits for its turn, and starts by itself.": func() { s.State = Waiting },
		"It waits because the model is not answering, and continues by itself.": func() {
			s.State, s.WaitsFor = Sleeping, port.ModelOutage
		},
		"It was cancelled by maria.": func() {
			s.State, s.Ended = Ended, &port.Ended{Outcome: port.EndCancelled, By: "maria"}
		},
		"The budget is used up.": func() { s.State, s.Ended = Ended, &port.Ended{Why: "The budget is used up."} },
		"It failed too often. Whoever runs tenon finds the reason in its log, by the id of the run.": func() {
			s.State, s.Ended = DeadLetter, &port.Ended{Reason: port.ReasonError, Why: "opening /var/lib/tenon: no such file"}
		},
	} {
		s.Ended = nil
		change()
		require.Equal(t, want, Build(s).Why)
	}
}

func TestARunThatWasAskedForOnAPageSaysOnWhich(t *testing.T) {
	t.Parallel()
	ev := port.Event{Kind: port.OnPage, Button: &port.Button{Verb: "undo", Run: "k3v9x1p7q2m4"}}
	require.Equal(t, "k3v9x1p7q2m4", Build(Source{Event: ev}).Request.On)
	ev.Kind = port.Pressed
	require.Empty(t, Build(Source{Event: ev}).Request.On)
}

// A recorded diff has the lines of the file before later edits of the same run.
func TestADiffHasTheLinesOfTheCommit(t *testing.T) {
	t.Parallel()
	s := committed()
	s.Record.Committed.Results[0].Line = 9
	r := Build(s)
	hunk := r.Blocks[0].Diff.Hunks[0]
	require.Equal(t, 9, hunk.New)
	for i, want := range []int{0, 9, 10, 11} {
		require.Equal(t, want, hunk.Lines[i].New)
	}
	require.Equal(t, "https://github.example/acme/lathe/blob/c0ffee/a.go#L9-L11", r.Blocks[0].LineURL)
}
