package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

func recordFix(s *stage) {
	s.model.script(goodReply)
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the words in `main.go`").verdict)
}

func recordAutofix(s *stage) {
	s.settings("main", "autofix: 2\n")
	s.model.script(goodReply, edit("main.go", byeLine, "\tprintln(\"farewell\")"))
	s.start()
	got := s.say("/tenon fix the words in `main.go`")
	s.red("test", redLog)
	round := port.RunID("autofix-" + got.run + "-1")
	s.untilTold(round, "<sub>@maria · run "+round)
}

func recordThroughApp(s *stage) {
	s.settings("main", "apps: [scribe]\n")
	s.model.script(goodReply)
	s.start()
	id, err := s.github.CommentVia("maria", "scribe", s.repo, s.pull, "/tenon fix the words in `main.go`")
	require.NoError(s.t, err)
	require.Contains(s.t, s.settled(id), "rocket")
	require.NoError(s.t, s.github.PressButton("maria", s.button("undo"), "undo"))
	s.said(" reverted\n")
}

func recordFixOfALine(s *stage) {
	s.model.script(edit("speed.txt", "fast", "faster"))
	s.start()
	s.ends(sim.ReviewComment, s.note("maria", "speed.txt", 1, "/tenon fix this"), "eyes", "rocket")

	s.model.script(edit("a.go", "package a\n\nvar x = 1", "package a\n\nvar x = 10"))
	s.reviewed()
	lines := sim.Place{Path: "a.go", StartLine: 1, Line: 3}
	first, err := s.github.ReviewComment("maria", s.repo, s.pull, lines, "@tenon make it 100")
	require.NoError(s.t, err)
	s.ends(sim.ReviewComment, first, "eyes", "rocket")
	id, err := s.github.ReplyTo("maria", s.repo, s.pull, first, "/tenon undo")
	require.NoError(s.t, err)
	s.ends(sim.ReviewComment, id, "eyes", "rocket")
}

// The model breaks main.go whatever it is told.
func recordBroken(s *stage) {
	broken := edit("main.go", helloLine, "\tif true {\n"+helloLine)
	s.model.script(edit("greet.go", greetLine, betterGreet)+broken, broken)
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the words in `main.go` and `greet.go`").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon apply 2").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon undo").verdict)
	c := s.preview("/tenon preview the words in `main.go`")
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	require.Equal(s.t, "rocket", s.say("/tenon undo").verdict)
	s.settings("main", "syntax: warn\n")
	require.Equal(s.t, "rocket", s.say("/tenon fix the words in `main.go`").verdict)
}

// deepEdit adds to main.go more brackets than a parser is given.
var deepEdit = edit("main.go", helloLine, strings.Repeat("\t// "+strings.Repeat("(", 51)+"\n", 10)+byeLine)

// What is not checked is committed, and refused once the settings say so.
func recordUnchecked(s *stage) {
	s.model.script(deepEdit)
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the words in `main.go`").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon undo").verdict)
	s.settings("main", "unchecked: refuse\n")
	require.Equal(s.t, "confused", s.say("/tenon fix the words in `main.go`").verdict)
}

// A conversation that is locked lets the app say nothing.
func recordLocked(s *stage) {
	s.model.script(goodReply)
	require.NoError(s.t, s.github.Lock(s.repo, s.pull, true))
	s.start()
	s.comment("maria", "/tenon fix `main.go`")
	s.until("the end of it", func() bool { return strings.Contains(s.log.all(), "the event is a dead letter") })
}

func recordFixByReview(s *stage) {
	s.model.script(goodReply)
	s.start()
	review := sim.NewReview{Body: "Nearly there.\n\n@tenon the words in `main.go`"}
	id, err := s.github.Review("maria", s.repo, s.pull, review)
	require.NoError(s.t, err)
	s.ends(sim.ReviewItself, id, "eyes", "rocket")
}

func recordFixByLabel(s *stage) {
	s.model.script(goodReply)
	s.start()
	number, err := s.github.OpenPull(sim.Pull{
		As: "maria", Repo: s.repo, Title: "Part in `main.go`", Body: "The word is *goodbye*.", Head: "speed",
		Base: s.another(),
	})
	require.NoError(s.t, err)
	require.NoError(s.t, s.github.Label("maria", s.repo, number, "tenon"))
	s.until("a commit", func() bool { return len(s.commits()) == 1 })
}

func recordLabelWhileOpening(s *stage) {
	s.model.script(goodReply)
	s.start()
	text := "Part in `main.go`: the word is *goodbye*.\n\n```\n/tenon fix it\n```"
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too late", text)
	require.NoError(s.t, err)
	require.NoError(s.t, s.github.Label("maria", s.repo, number, "tenon"))
	s.until("an answer", func() bool { return len(s.answersIn(number)) == 1 })
}

// another makes a branch to merge into, since two pull requests cannot have the same head and base.
func (s *stage) another() string {
	s.t.Helper()
	require.NoError(s.t, s.github.Branch(s.repo, "next", "main"))
	return "next"
}

func recordIssue(s *stage) {
	s.model.script(goodReply, edit("greet.go", greetLine, betterGreet), edit("main.go", byeLine, helloLine))
	s.start()
	number, id := s.issue("`main.go` should part, not greet.", "/tenon fix it as described")
	require.Contains(s.t, s.settled(id), "rocket")
	require.Equal(s.t, "rocket", s.sayIn(number, "/tenon fix `greet.go` too").verdict)
	pull := s.pullOf(fmt.Sprintf("tenon/issue-%d", number))
	require.Contains(s.t, s.settled(s.commentIn(pull.Number, "/tenon fix `main.go` back")), "rocket")
}

func recordBareFix(s *stage) {
	s.model.script(goodReply)
	s.start()
	number, err := s.github.OpenIssue("stranger", s.repo, "It greets too early", "`main.go` should part, not greet.")
	require.NoError(s.t, err)
	require.Equal(s.t, "rocket", s.sayIn(number, "/tenon fix").verdict)
}

func recordNewIssue(s *stage) {
	s.model.script(goodReply)
	s.start()
	isPull := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/pulls")
	}
	refused := simhttp.Failure{Status: http.StatusForbidden, Message: "Resource not accessible by integration"}
	s.github.FailNext(isPull, 1, refused)
	text := "It should part.\n\n/tenon fix the words in `main.go`"
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", text)
	require.NoError(s.t, err)
	s.ends(sim.IssueItself, s.lastDelivery("issues").Subject, "eyes", "rocket")
	require.Len(s.t, s.answersIn(number), 1)
}

func recordHeld(s *stage) {
	s.model.script(halfReplies()...)
	s.settings("main", "partial: hold\n")
	s.start()
	require.Equal(s.t, "confused", s.say("/tenon fix `main.go` and `greet.go`").verdict)
	require.Empty(s.t, s.commits())
}

func recordAmbiguous(s *stage) {
	s.push(map[string]string{"zeros.txt": strings.Repeat("zero\n", 25)})
	bad := edit("zeros.txt", "zero", "one")
	s.model.script(bad, bad, bad)
	s.start()
	require.Contains(s.t, s.say("/tenon fix `zeros.txt`").answer, "and 5 more.")
}

func recordMoved(s *stage) {
	s.model.script(goodReply)
	s.model.before = func() { s.push(map[string]string{"greet.go": "package main // other\n"}) }
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

func recordMovedBefore(s *stage) {
	require.NoError(s.t, s.github.SetPublic(s.repo, false))
	s.model.script(goodReply)
	var push sync.Once
	s.github.Gate(func(at simhttp.Stage, r *http.Request) {
		if at == simhttp.BeforeEffect && strings.HasSuffix(r.URL.Path, "/permission") {
			push.Do(func() { s.push(map[string]string{"greet.go": "package main // other\n"}) })
		}
	})
	s.start()
	line := s.note("maria", "speed.txt", 1, "/tenon fix `main.go`")
	s.until("an answer", func() bool {
		return strings.Contains(strings.Join(s.repliesIn(line), ""), "After the command was given, the branch moved from")
	})
	require.Len(s.t, s.commits(), 1)
}

func recordClosedMeanwhile(s *stage) {
	s.model.script(goodReply)
	s.meanwhile(func() error { return s.github.SetOpen(s.repo, s.pull, false) })
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "this pull request is closed")
}

func recordRejected(s *stage) {
	s.model.script(goodReply)
	require.NoError(s.t, s.github.Protect(s.repo, "speed", "Changes must be made through a pull request."))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "Changes must be made through a pull request.")
}

func recordAskedAgain(s *stage) {
	s.model.script(goodReply, edit("main.go", "\tprintln(\"good day\")", byeLine))
	s.model.before = func() {
		s.push(map[string]string{"main.go": "package main\n\nfunc main() {\n\tprintln(\"good day\")\n}\n"})
		s.model.before = nil
	}
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

func recordConflict(s *stage) {
	s.model.script(edit("main.go", helloLine, byeLine)+edit("new.txt", "", "new"), "NO CHANGE: I cannot tell.")
	s.model.before = func() {
		s.push(map[string]string{"main.go": "package main\n\nfunc main() {\n\tprintln(\"good day\")\n}\n"})
		s.model.before = nil
	}
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "git apply --3way tenon.patch")
}

func recordRepaired(s *stage) {
	s.push(map[string]string{"n.txt": "one\n"})
	waiting := edit("n.txt", "two", "three")
	s.model.script(edit("n.txt", "wrong", "two")+waiting+edit("main.go", helloLine, byeLine), edit("n.txt", "one", "two"))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `n.txt` and `main.go`").answer, " · 3 edits committed")
}

func recordContinued(s *stage) {
	half := "greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st" + cutMark
	s.model.script(edit("main.go", helloLine, byeLine)+half, edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(s.t, s.say("/tenon fix --format diff --files greet.go `main.go`").answer, " · 2 edits committed")
}

func recordBreak(s *stage) {
	half := "greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st" + breakMark
	s.model.script("It said hello.\n\nCOMMIT: fix: say goodbye\n\nSay goodbye.\n\n"+
		edit("main.go", helloLine, byeLine)+half,
		"Greet by day.\n\n"+edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix --format diff `main.go` and `greet.go`").verdict)
}

func recordNothing(s *stage) {
	s.model.script("I would not touch it.", "NO CHANGE\nIt is right as it is.")
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "the model found nothing to change")
}

func recordNeed(s *stage) {
	needs := "I cannot see it.\nNEED: greet.go\n- NEED: `nowhere.go`\n"
	s.model.script(needs, "NEED: main.go", edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the greeting in `main.go`").verdict)
}

func recordRounds(s *stage) {
	s.model.script("FIND: greet()", "NEED: greet.go greet\nNEED: *.go\nNEED: nowhere.go", "NEED: greet.go:1-3",
		edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the greeting in `main.go`").verdict)
}

func recordBudget(s *stage) {
	s.model.script(edit("main.go", helloLine, byeLine) + edit("greet.go", badGreet, betterGreet))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go` and `greet.go`").answer, "The model could not be asked again.")
}

func recordModelFailure(s *stage) {
	s.model.script(noMark, goodReply)
	s.start()
	require.Equal(s.t, "confused", s.say("/tenon fix the words in `main.go`").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon retry").verdict)
}

func recordWait(s *stage) {
	s.model.script(quotaMark, goodReply)
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

func recordSecrets(s *stage) {
	const line = "func f() int { return 1 } // so long that the file does not fit in the room that it has\n"
	long := strings.Repeat(line, 3500)
	s.push(map[string]string{
		"long.go":   "package main\n\n" + long,
		"config.go": "package main\n\nconst key = \"AKIAIOSFODNN7EXAMPLF\"\n",
		".env":      "KEY=value\n",
	})
	s.model.script(goodReply + edit("config.go", "package main", "package c") + edit(".env", "KEY=value", "KEY=other"))
	s.start()
	told := s.say("/tenon fix line 1500 of `long.go`, the words in `main.go`, and `config.go`, `.env` and " +
		"`nowhere/gone.go`")
	require.Contains(s.t, told.answer, " · 1 of 3 edits committed")
}

func recordInterrupted(s *stage) {
	s.model.script(goodReply)
	s.startProcess()
	k := newKiller(s)
	k.at(simhttp.AfterEffect, isPush)
	s.comment("maria", "/tenon fix `main.go`")
	k.wait()
}

func recordResumed(s *stage) {
	recordInterrupted(s)
	s.github.Gate(nil)
	s.startProcess()
	s.said(" · 1 edit committed")
}
