package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/testdata"
)

// edit is a block of a reply.
func edit(path, find, put string) string { return testdata.Edit(path, find, put) }

const (
	badGreet    = testdata.BadGreet
	greetLine   = testdata.GreetLine
	betterGreet = testdata.BetterGreet
	helloLine   = testdata.HelloLine
	byeLine     = testdata.ByeLine
)

func TestAReplyWithoutBlocksIsAskedForBlocksOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, "I would not touch it.", "NO CHANGE\nIt is right as it is.")
	s.start()
	require.Equal(t, []string{"eyes", "confused"}, s.settled(s.comment("maria", "/tenon fix `main.go`")))
	require.Empty(t, s.commits())
	require.Contains(t, s.answers()[0], "💬 **Nothing to change**")
	require.Contains(t, s.answers()[0], "It is right as it is.")
	require.Len(t, s.model.questions(), 2)
	require.Contains(t, s.model.questions()[1], "NO CHANGE")
}

func TestAModelThatFindsNothingToChangeIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, "NO CHANGE: it is right as it is.")
	s.start()
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	require.Len(t, s.model.questions(), 1)
}

func TestTheSecondAttemptFixesOneOfThreeBlocks(t *testing.T) {
	t.Parallel()
	s := newStage(t,
		edit("main.go", helloLine, byeLine)+edit("greet.go", badGreet, betterGreet)+edit("new.txt", "", "new"),
		edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	require.Contains(t, s.answers()[0], " · 3 edits committed")
	require.Contains(t, s.answers()[0], "2 calls · 2,400 tokens in, 690 out")
	require.Contains(t, s.file("greet.go"), "good day")
	require.Len(t, s.commits(), 1, "one commit at the end")
	ask := s.model.questions()[1]
	require.Contains(t, ask, "Applied, and not to be sent again: edit 1, 3.")
	require.Contains(t, ask, "Edit 2, greet.go: Content sequence not found in file.")
	require.Contains(t, ask, badGreet, "how its search text began")
	require.Contains(t, ask, greetLine, "the nearest real lines")
}

func TestAnAmbiguousBlockIsSettledByMoreContext(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("twice.txt", "x", "y"), edit("twice.txt", "two\nx", "two\ny"))
	_, err := s.github.Push(s.repo, "speed", map[string]string{"twice.txt": "one\nx\ntwo\nx\n"}, "Twice\n")
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `twice.txt`")), "rocket")
	require.Equal(t, "one\nx\ntwo\ny\n", s.file("twice.txt"))
	require.Contains(t, s.model.questions()[1], "It fits at lines 2, 4")
}

func TestAReplyThatWasCutInTheMiddleOfABlockIsContinued(t *testing.T) {
	t.Parallel()
	s := newStage(t,
		edit("main.go", helloLine, byeLine)+"greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st"+cutMark,
		edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	require.Contains(t, s.answers()[0], " · 2 edits committed")
	require.NotContains(t, s.answers()[0], "cut off")
	require.Contains(t, s.model.questions()[1], "Continue with block 2")
}

func TestBlocksThatWaitForAFailedOneAreAppliedAfterItsCorrection(t *testing.T) {
	t.Parallel()
	s := newStage(t,
		edit("n.txt", "wrong", "two")+edit("n.txt", "two", "three")+edit("n.txt", "three", "four"),
		edit("n.txt", "one", "two"))
	_, err := s.github.Push(s.repo, "speed", map[string]string{"n.txt": "one\n"}, "One\n")
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `n.txt`")), "rocket")
	require.Equal(t, "four\n", s.file("n.txt"))
	require.Contains(t, s.model.questions()[1], "Edit 2, 3 of the same files will be applied as written")
}

func TestBlocksThatAreSentAgainAreNotAppliedTwice(t *testing.T) {
	t.Parallel()
	good := edit("main.go", helloLine, byeLine)
	s := newStage(t, good+edit("greet.go", badGreet, betterGreet), good+edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	require.Contains(t, s.answers()[0], " · 2 edits committed")
	require.Equal(t, 1, strings.Count(s.file("main.go"), "goodbye"))
}

func TestAWrongPathGivesWayToTheRightOne(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("cmd/greeting.go", greetLine, betterGreet), edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `greet.go`")), "rocket")
	require.Contains(t, s.answers()[0], " · 1 edit committed")
}

func TestAModelThatNeverGetsItRightEndsHonestly(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("main.go", helloLine, byeLine)+edit("greet.go", badGreet, betterGreet)+cutMark)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go` and `greet.go`")), "rocket")
	require.Len(t, s.model.questions(), 4, "one, one continuation, two repairs")
	require.Contains(t, s.answers()[0], " · 1 of 2 edits committed")
	require.Contains(t, s.answers()[0], "4 calls")
	require.Contains(t, s.file("main.go"), "goodbye")
	require.Equal(t, stageFiles["greet.go"], s.file("greet.go"))
}

func TestAProtectedPathIsNoReasonToAskAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit(".github/workflows/ci.yml", "", "on: push"))
	s.start()
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	require.Len(t, s.model.questions(), 1)
}

// Killed in the second call, the run goes on with the first answer on record.
func TestKilledDuringARepairTheFirstAnswerIsKept(t *testing.T) {
	t.Parallel()
	s := newStage(t, edit("main.go", helloLine, byeLine)+edit("greet.go", badGreet, betterGreet),
		edit("greet.go", greetLine, betterGreet))
	k := newKiller(s)
	s.model.before = func() {
		if len(s.model.questions()) == 2 {
			k.strike()
		}
	}
	s.startProcess()
	id := s.comment("maria", "/tenon fix `main.go` and `greet.go`")
	k.wait()
	s.startProcess()
	require.Contains(t, s.settled(id), "rocket")
	require.Len(t, s.model.questions(), 3, "the first was not asked again")
	require.Contains(t, s.answers()[0], " · 2 edits committed")
	require.Len(t, s.commits(), 1)
}

func TestAModelMayAskForFilesOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, "I cannot see it.\nNEED: greet.go\n- NEED: `nowhere.go`\n", "NEED: main.go",
		edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the greeting in `main.go`")), "rocket")
	require.Contains(t, s.file("greet.go"), "good day")
	ask := s.model.questions()
	require.Len(t, ask, 3)
	require.NotContains(t, ask[0], greetLine)
	require.Contains(t, ask[1], greetLine)
	require.Contains(t, ask[1], "nowhere.go is not shown: there is no such file.")
	require.Contains(t, ask[2], "NO CHANGE", "the second time it is told to get on with it")
}
