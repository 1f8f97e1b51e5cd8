package bot_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

const pages = "https://tenon.example"

// onPage has somebody give a command on the page of a run, and returns the event.
func (s *story) onPage(who string, verb, run string, blocks ...int) port.Event {
	s.t.Helper()
	_, of, err := s.Queue.FindRun(s.t.Context(), run)
	require.NoError(s.t, err)
	s.Clock.Advance(30 * time.Second)
	ev, err := command.OnPage(of, port.Button{Verb: verb, Run: run, Blocks: blocks}, s.GitHub.User(who),
		fmt.Sprint(s.Clock.Now().Unix()), s.Clock.Now())
	require.NoError(s.t, err)
	s.Accept(ev)
	return ev
}

// toldOnPage is onPage, and what becomes of the command.
func (s *story) toldOnPage(who string, verb, run string, blocks ...int) told {
	s.t.Helper()
	ev := s.onPage(who, verb, run, blocks...)
	s.Run()
	return s.told(s.pull, nil, ev)
}

func TestAnUndoOnThePageOfARunRevertsItsCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye, edit("greet.go", greetLine, betterGreet))
	s.bot.Pages = pages
	s.addVictor()
	first := s.say("/tenon fix `main.go`")
	s.say("/tenon fix `greet.go`")
	undo := s.toldOnPage("victor", command.Undo, first.run)
	require.Len(t, s.Commits("speed"), 3)
	require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
	require.Contains(t, s.File("speed", "greet.go"), "good day", "it is that of another run")
	require.Contains(t, undo.answer, fmt.Sprintf("<sub>@victor on the page of [%s](%s/runs/%[1]s) · "+
		"run [%[3]s](%[2]s/runs/%[3]s)", first.run, pages, undo.run), "the thread tells who asked, and where")
	require.Contains(t, s.Commits("speed")[0], "Requested by victor")
	require.Contains(t, s.toldOnPage("maria", command.Undo, first.run).answer, "was already undone by run `"+undo.run+"`")
	require.Len(t, s.Commits("speed"), 3)
}

func TestAnswersAndChecksLeadToThePageOfTheirRun(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.bot.Pages = pages
	working := ""
	s.while(func() { working = s.pull.LastAnswer() })
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	run := port.RunID(s.LastEvent().Delivery)
	require.Contains(t, working, "stops it · run ["+run+"]("+pages+"/runs/"+run+")</sub>", "while it works too")
	check := s.Repo.CheckRuns()[0]
	require.Equal(t, pages+"/runs/"+run, check.URL)
	require.Contains(t, check.Summary, "[The answer](https://github.example/")
	require.Contains(t, s.pull.LastAnswer(), "<sub>@maria · run ["+run+"]("+pages+"/runs/"+run+")</sub>")

	s.bot.Pages = ""
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	s.say("/tenon fix `greet.go`")
	require.Contains(t, s.Repo.CheckRuns()[1].URL, "https://github.example/", "without pages, they lead to the answer")
}

func TestTheAuditTellsThatACommandWasGivenOnAPage(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	fix := s.say("/tenon fix `main.go`")
	undo := s.toldOnPage("maria", command.Undo, fix.run)
	all := s.Queue.Audit()
	last := all[len(all)-1]
	require.Equal(t, undo.run, last.Run)
	require.Equal(t, port.OnPage, last.Kind)
	require.Equal(t, "maria", last.Person)
	require.Equal(t, command.Undo, last.Command)
	require.Equal(t, port.EndCommitted, last.Outcome)
}

func TestARetryOnThePageOfARunTriesThatRunAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies(faster, edit("greet.go", greetLine, betterGreet))...)
	half := s.say(fixWords)
	require.Equal(t, "rocket", s.say("/tenon fix `speed.txt`").verdict)
	require.Contains(t, s.toldOnPage("maria", command.Retry, half.run).answer, "1 edit committed")
	require.Contains(t, s.Model.LastQuestion(), badGreet)
	require.Contains(t, s.File("speed", "greet.go"), "good day")
}

func TestTheEditsThatAreSelectedOnThePageOfAPreviewAreCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	c := s.preview(previewThree)
	run := port.RunID(s.LastEvent().Delivery)
	got := s.toldOnPage("maria", command.Apply, run, 3, 1)
	require.Contains(t, got.answer, "2 edits committed")
	require.Len(t, s.Commits("speed"), 1)
	require.Contains(t, box(c, 1), "committed in [`", "the preview shows what was taken from it")
	require.Contains(t, box(c, 2), "- [ ] ")
	require.Contains(t, box(c, 3), "committed in [`")
	require.Contains(t, s.toldOnPage("maria", command.Apply, run, 1).answer, "already committed")
	require.Len(t, s.Commits("speed"), 1)
}

func TestACancelOnThePageOfARunStopsIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.addVictor()
	s.pull.Comment("maria", "/tenon fix `main.go`")
	run := port.RunID(s.LastEvent().Delivery)
	var cancel port.Event
	s.while(func() {
		cancel = s.onPage("victor", command.Cancel, run)
		s.RunImmediate()
	})
	s.Run()
	require.Empty(t, s.Commits("speed"))
	require.Contains(t, s.told(s.pull, nil, cancel).answer, "🛑 **Cancelled**")
	require.Contains(t, s.answersTo(s.pull, run)[0], "**Cancelled** by `victor`")
}

// Whoever looks at the page of a run that has just ended does not mean the command that runs now.
func TestACancelOnThePageOfARunThatIsOverStopsNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	over := s.say("/tenon fix `main.go`")
	s.Model.Says(edit("greet.go", greetLine, betterGreet))
	s.pull.Comment("maria", "/tenon fix `greet.go`")
	var cancel port.Event
	s.while(func() {
		cancel = s.onPage("maria", command.Cancel, over.run)
		s.RunImmediate()
	})
	s.Run()
	require.Len(t, s.Commits("speed"), 2)
	require.Contains(t, s.told(s.pull, nil, cancel).answer, "Run `"+over.run+"` is neither running nor waiting any more")
}

func TestOnAPageNobodyMayDoMoreThanInAComment(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	fix := s.say("/tenon fix `main.go`")
	s.toldOnPage("stranger", command.Undo, fix.run)
	require.Len(t, s.Commits("speed"), 1)
	require.Equal(t, 1, s.saying("`stranger`"), "the refusal is in the thread")
	s.settings("verbs: [fix]\n")
	require.Contains(t, s.toldOnPage("maria", command.Undo, fix.run).answer, "undo")
	require.Len(t, s.Commits("speed"), 1, "the settings apply")
	s.settings("")
	s.bot.Owners = []string{"others"}
	s.toldOnPage("maria", command.Undo, fix.run)
	require.Len(t, s.Commits("speed"), 1)
}

func TestACommandOnAPageIsForTheThreadOfItsRun(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits, goodbye)
	s.preview(previewThree)
	preview := port.RunID(s.LastEvent().Delivery)
	fix := s.say("/tenon fix `main.go`")
	issue := s.issue("")
	for verb, run := range map[string]string{command.Undo: fix.run, command.Retry: fix.run, command.Apply: preview} {
		_, of, err := s.Queue.FindRun(t.Context(), run)
		require.NoError(t, err)
		of.Thread = port.Thread{Number: issue.Number(), URL: of.Thread.URL}
		ev, err := command.OnPage(of, port.Button{Verb: verb, Run: run, Blocks: []int{2}}, s.GitHub.User("maria"), verb,
			s.Clock.Now())
		require.NoError(t, err)
		s.Accept(ev)
		s.Run()
		require.Len(t, s.answersTo(issue, port.RunID(ev.Delivery)), 1, "it is refused")
	}
	require.Len(t, s.Commits("speed"), 1)
}

// It has no record yet by which it could be found.
func TestACancelOnThePageOfARunThatWaitsDropsIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	var cancel port.Event
	s.while(func() {
		s.pull.Comment("maria", "/tenon fix `greet.go`")
		waits := s.LastEvent()
		var err error
		cancel, err = command.OnPage(waits, port.Button{Verb: command.Cancel, Run: port.RunID(waits.Delivery)},
			s.GitHub.User("maria"), "x", s.Clock.Now())
		require.NoError(t, err)
		s.Accept(cancel)
		s.RunImmediate()
	})
	s.Run()
	require.Len(t, s.Model.Questions(), 1)
	require.Contains(t, s.told(s.pull, nil, cancel).answer, ", which was waiting")
}

func TestAnEditThatBreaksItsFileIsCommittedWhenItIsSelected(t *testing.T) {
	t.Parallel()
	breaks := edit("main.go", helloLine, "\tif true {\n"+helloLine)
	s := newStory(t, breaks+faster, breaks, breaks)
	fix := s.say("/tenon fix `main.go`")
	require.NotContains(t, s.File("speed", "main.go"), "if true")
	got := s.toldOnPage("maria", command.Apply, fix.run, 1)
	require.Contains(t, got.answer, "1 edit committed")
	require.Contains(t, s.File("speed", "main.go"), "if true")
}
