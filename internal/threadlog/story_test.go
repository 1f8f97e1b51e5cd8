package threadlog_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/single"
	"github.com/tenon-bot/tenon/internal/threadlog"
	"github.com/tenon-bot/tenon/testdata"
)

// story is a world in which each command is a job of its own: what one job knows of another is in the comments.
type story struct {
	*bottest.World
	t    *testing.T
	pull *bottest.Thread
	key  *marks.Key
}

const secret = "what nobody else knows"

func newStory(t *testing.T, replies ...string) *story {
	t.Helper()
	s := &story{World: bottest.New(t), t: t}
	s.useKey(secret)
	s.Handler = s
	s.Model.Says(replies...)
	s.pull = s.Pull("speed", map[string]string{"speed.txt": "fast\n"})
	return s
}

func (s *story) useKey(secret string) {
	s.t.Helper()
	var err error
	s.key, err = marks.NewKey(secret)
	require.NoError(s.t, err)
}

// job returns the bot of one job.
func (s *story) job(ev port.Event) *bot.Bot {
	memory := single.NewMemory(s.Clock.Now)
	var queue port.ThreadQueue = threadlog.Without{ThreadQueue: memory}
	if s.key != nil {
		queue = threadlog.New(memory, s.GitHub, s.key, ev, s.Log)
	}
	return &bot.Bot{
		GitHub: s.GitHub, Repos: s.Repos, Model: s.Model, Runs: memory, Budget: memory, Marks: s.key,
		Queue:  queue,
		Policy: policy.ServerPolicy(policy.Layer{}), Models: []port.ModelInfo{{Name: bottest.ModelName}},
		Slug: bottest.Slug, Now: s.Clock.Now, Log: s.Log,
	}
}

func (s *story) Handle(ctx context.Context, ev port.Event) error {
	sleep := func(_ context.Context, d time.Duration) error { s.Clock.Advance(d); return nil }
	err := single.Runner{Handler: s.job(ev), Patience: time.Minute, Sleep: sleep, Log: s.Log}.Handle(ctx, ev)
	if err != nil {
		s.Log.Warn("the job failed", "error", err)
	}
	return nil
}

func (s *story) DeadLetter(context.Context, port.Event, error) error                { return nil }
func (s *story) NotifyQueued(context.Context, port.Event, port.Event) (bool, error) { return true, nil }

// say has maria give a command, and returns the answer.
func (s *story) say(command string) string { s.t.Helper(); return s.sayIn(s.pull, command) }

func (s *story) sayIn(thread *bottest.Thread, command string) string {
	s.t.Helper()
	s.Clock.Advance(30 * time.Second)
	before := len(thread.Said())
	thread.Comment("maria", command)
	s.Run()
	said := thread.Said()
	require.Greater(s.t, len(said), before, "an answer to %s", command)
	return visible(said[len(said)-1].Body())
}

// visible returns a body without its marks.
func visible(body string) string {
	for _, m := range marks.In(body) {
		body = strings.ReplaceAll(body, m.Text, "")
	}
	return body
}

func (s *story) newest() *bottest.Comment {
	said := s.pull.Said()
	return said[len(said)-1]
}

func (s *story) tick(c *bottest.Comment, numbers ...int) {
	s.t.Helper()
	s.Clock.Advance(30 * time.Second)
	c.Tick("maria", numbers...)
	s.Run()
}

var (
	goodbye    = testdata.Reply("goodbye")
	threeEdits = "COMMIT: fix: be polite\n\n" +
		testdata.Edit("main.go", testdata.HelloLine, testdata.ByeLine) +
		testdata.Edit("greet.go", testdata.GreetLine, testdata.BetterGreet) + testdata.Edit("new.txt", "", "new")
	badEdit = testdata.Edit("greet.go", testdata.BadGreet, testdata.BetterGreet)
)

func TestAJobUndoesTheCommitOfAnEarlierOne(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	require.Contains(t, s.say("/tenon fix `main.go`"), "committed")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Contains(t, s.say("/tenon undo"), "1 file reverted")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Contains(t, s.say("/tenon undo"), "undone")
	require.Len(t, s.Commits("speed"), 2)
	require.Len(t, s.Model.Questions(), 1)
}

func TestAJobUndoesTheRunThatIsNamed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, testdata.Edit("speed.txt", "fast", "faster"))
	s.say("/tenon fix `main.go`")
	run := port.RunID(s.LastEvent().Delivery)
	s.say("/tenon fix `speed.txt`")
	require.Contains(t, s.say("/tenon undo "+run), "1 file reverted")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Equal(t, "faster\n", s.File("speed", "speed.txt"))
	require.Contains(t, s.say("/tenon undo abcdefghijkl"), "abcdefghijkl")
}

func TestAJobTriesAgainWhatFailedInAnEarlierOne(t *testing.T) {
	t.Parallel()
	s := newStory(t, testdata.Edit("main.go", testdata.HelloLine, testdata.ByeLine)+badEdit, badEdit, badEdit,
		testdata.Edit("greet.go", testdata.GreetLine, testdata.BetterGreet))
	require.Contains(t, s.say("/tenon fix the words in `main.go` and `greet.go`"), "1 of 2 edits committed")
	require.Contains(t, s.say("/tenon retry"), "1 edit committed")
	require.Contains(t, s.Model.LastQuestion(), "fix the words in `main.go` and `greet.go`", "the task is the first one")
	require.Contains(t, s.Model.LastQuestion(), "These edits were made, and stay: edit 1 of main.go, line 4.")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	require.Contains(t, s.say("/tenon retry"), "Nothing is left to retry here")
}

func TestAJobTriesAgainACommandThatTheModelNeverAnswered(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Complete").Times(single.MaxAttempts).Fail(errors.New("the model is down"))
	require.Contains(t, s.say("/tenon fix `main.go`"), "gave up")
	require.Contains(t, s.say("/tenon retry"), "1 edit committed")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
}

func TestAJobAppliesThePreviewOfAnEarlierOne(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	require.Contains(t, s.say("/tenon preview `main.go` and `greet.go`"), "3 edits fit")
	require.Empty(t, s.Commits("speed"))
	preview := s.newest()
	require.Contains(t, s.say("/tenon apply 1,3"), "2 edits committed")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Contains(t, visible(preview.Body()), "2 committed")
	require.Contains(t, s.say("/tenon apply"), "1 edit committed")
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	require.Contains(t, s.say("/tenon apply 2"), "already committed")
	require.Contains(t, s.say("/tenon undo"), "1 file reverted")
	require.Contains(t, s.say("/tenon apply 2"), "1 edit committed")
	require.Len(t, s.Model.Questions(), 1)
}

func TestEachTickIsAJobThatKnowsTheOthers(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.say("/tenon preview `main.go` and `greet.go`")
	c := s.newest()
	s.tick(c, 2)
	require.Contains(t, s.File("speed", "greet.go"), "good day")
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	s.tick(c, 1)
	require.Contains(t, visible(c.Body()), "2 committed")
	require.Contains(t, s.say("/tenon apply"), "1 edit committed")
	require.Contains(t, s.say("/tenon undo"), "1 file reverted", "the newest commit")
	require.Contains(t, s.say("/tenon undo"), "undone")
	require.Len(t, marks.In(c.Body()), 3, "of the preview and of two ticks")
	require.Len(t, s.Commits("speed"), 4)
}

func TestATickThatDidNotFitIsTriedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits, testdata.Edit("main.go", "\tprintln(\"farewell\")", testdata.ByeLine))
	s.say("/tenon preview `main.go` and `greet.go`")
	s.Repo.Push("speed", map[string]string{"main.go": strings.ReplaceAll(bottest.LatheFiles["main.go"], "hello",
		"farewell")})
	s.tick(s.newest(), 1)
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, s.say("/tenon retry"), "1 edit committed")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
}

func TestAJobRunsWhatAnEarlierAnswerSuggests(t *testing.T) {
	t.Parallel()
	s := newStory(t, "COMMIT: fix: say goodbye\n\n```sh\nmkdir -p cmd/greet\ngit mv greet.go cmd/greet\n```\n\n"+
		testdata.Edit("main.go", testdata.HelloLine, testdata.ByeLine))
	s.say("/tenon fix `main.go`")
	require.Contains(t, s.say("/tenon run 2"), "1 file operation committed")
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File("speed", "cmd/greet/greet.go"))
	require.Contains(t, s.say("/tenon run 7"), "There is no suggestion 7")
}

func TestABoxOpensThePullRequestThatAnEarlierJobOffered(t *testing.T) {
	t.Parallel()
	s := newStory(t, testdata.Edit("speed.txt", "fast", "faster"))
	s.Repo.Protect("speed", "No.")
	s.say("/tenon fix `speed.txt`")
	offer := s.newest()
	require.Contains(t, offer.Body(), "<!-- tenon:offer=")
	s.tick(offer, 1)
	branches := s.Repo.Branches("tenon/pull-")
	require.Len(t, branches, 1)
	require.Equal(t, "faster\n", s.File(branches[0], "speed.txt"))
}

func TestOnAnIssueAJobKnowsWhatOthersDidThereAndOnItsPullRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, testdata.Edit("speed.txt", "", "fast"))
	issue := s.Repo.OpenIssue("maria", "It greets too early", "See `main.go`.")
	require.Contains(t, s.sayIn(issue, "/tenon fix"), "#")
	branch := fmt.Sprintf("tenon/issue-%d", issue.Number())
	pull := s.Repo.PullOf(branch)
	require.NotNil(t, pull)
	s.sayIn(pull, "/tenon fix add `speed.txt`")
	require.Equal(t, "fast\n", s.File(branch, "speed.txt"))
	require.Equal(t, 2, strings.Count(pull.Text(), "`/tenon fix` by `maria`"), "the description tells of both commands")
	require.Contains(t, s.sayIn(issue, "/tenon undo"), "1 file reverted")
	_, ok := s.Repo.File(branch, "speed.txt")
	require.False(t, ok, "the newest commit was asked for on the pull request")
}

func TestCommandsWithoutAPastNeedNone(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	for command, says := range map[string]string{"/tenon help": "/tenon fix", "/tenon status": "Nothing",
		"/tenon config": "commits", "/tenon cancel": "othing", "/tenon undo": "nothing to undo",
		"/tenon retry": "Nothing is left to retry", "/tenon apply": "", "/tenon run 1": "nothing to run"} {
		require.Contains(t, s.say(command), says, command)
	}
	for _, c := range s.pull.Said() {
		if strings.Contains(c.Body(), "/tenon fix <what>") {
			require.Empty(t, marks.In(c.Body()), "nobody asks what an immediate command did")
		}
	}
}

func TestWithoutAKeyCommandsAboutEarlierOnesSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.key = nil
	require.Contains(t, s.say("/tenon fix `main.go`"), "1 edit committed")
	require.Empty(t, marks.In(s.newest().Body()))
	for _, command := range []string{"undo", "retry", "apply", "run 1", "undo " + port.RunID("one")} {
		require.Contains(t, s.say("/tenon "+command), "needs the input `history-key`", command)
	}
	require.Contains(t, s.say("/tenon status"), "Nothing")
	require.Len(t, s.Commits("speed"), 1)
}

// A key changes when the secret does. No older run is taken for one that cannot be read.
func TestARecordOfAnotherKeyIsNotPassedOver(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, threeEdits)
	s.say("/tenon fix `main.go`")
	s.useKey("what was changed in the meantime")
	run := port.RunID(s.LastEvent().Delivery)
	for command, says := range map[string]string{"undo": "The record of run `" + run + "`, which is newer",
		"undo " + run: "cannot be read", "apply 1": "cannot be read", "run 1": "cannot be read"} {
		require.Contains(t, s.say("/tenon "+command), says, command)
	}
	require.Contains(t, s.Logged(), "another key")
	require.Len(t, s.Commits("speed"), 1)
}

// Whoever may write may edit the comments of the bot, and other workflows comment as it does. Neither gains anything.
func TestForgedMarksAreNoRecords(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	s.say("/tenon preview `main.go` and `greet.go`")
	c := s.newest()
	forger, err := marks.NewKey("what the forger made up, long enough")
	require.NoError(t, err)
	m := marks.In(c.Body())[0]
	run, err := s.key.Open(marks.PlaceOf(s.LastEvent()), m)
	require.NoError(t, err)
	past, err := run.Answered(c.Port())
	require.NoError(t, err)
	rec, err := record.Load(past.Run)
	require.NoError(t, err)
	rec.Turns[0].Answer.Text = strings.ReplaceAll(rec.Turns[0].Answer.Text, "goodbye", "pwned")
	forged, _, err := forger.Seal(rec, run, 60_000)
	require.NoError(t, err)
	c.Edit("maria", strings.Replace(c.Body(), m.Text, forged, 1))
	require.Contains(t, s.say("/tenon apply"), "cannot be read")
	s.tick(c, 1)
	require.Empty(t, s.Commits("speed"))

	s.pull.Comment("maria", "Copied: "+m.Text)
	require.Contains(t, s.say("/tenon apply"), "cannot be read", "it is not in a comment of the bot")
	c.Edit("maria", c.Body()+"\n"+m.Text)
	require.Contains(t, s.say("/tenon apply 1"), "1 edit committed", "the record itself is as it was")
	require.NotContains(t, s.File("speed", "main.go"), "pwned")
}

func TestAReRunKnowsThatItsCommandIsDone(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	ev := s.LastEvent()
	rec, ok, err := threadlog.New(single.NewMemory(s.Clock.Now), s.GitHub, s.key, ev, s.Log).Finished(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	require.NotEmpty(t, rec.Committed.SHA)
	require.Equal(t, s.newest().Port().URL, rec.Final.URL)
	ev.Delivery = "another"
	_, ok, err = threadlog.New(single.NewMemory(s.Clock.Now), s.GitHub, s.key, ev, s.Log).Finished(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
}

// GitHub's limit for a comment is that of an answer with its marks.
func TestALongPreviewAndItsMarksFitInOneComment(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{200, 1000, 4000} {
		var edits strings.Builder
		edits.WriteString("COMMIT: feat: add files\n\n")
		for f := range 20 {
			var text strings.Builder
			for i := range lines / 20 {
				fmt.Fprintf(&text, "line %d of %d: %x\n", i, f, (i+f*7919)*104729*(i+13))
			}
			edits.WriteString(testdata.Edit(fmt.Sprintf("new/%d.txt", f), "", text.String()))
		}
		s := newStory(t, edits.String())
		s.say("/tenon preview add files")
		c := s.newest()
		require.Less(t, utf8.RuneCountInString(c.Body()), 60_000, "there is room for ticks")
		if lines == 4000 {
			require.Contains(t, s.say("/tenon apply 1-3"), "That preview is no longer stored")
			require.Empty(t, s.Commits("speed"))
			continue
		}
		for n := 1; n <= 4; n++ {
			s.tick(c, n)
		}
		require.LessOrEqual(t, utf8.RuneCountInString(c.Body()), 65536)
		require.Len(t, s.Commits("speed"), 4)
	}
}
