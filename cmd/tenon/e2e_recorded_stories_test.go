package main

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gh/ghtest"
)

// committedSteps are the steps of a run that asked a model and committed.
var committedSteps = []string{"open", "answer", "check", "context", "ask.1", "deliver", "apply.1", "commit", "report", "check.closed"}

// recordedStories are told so that each step of each command is recorded, each field of a step is set, and each way of committing,
// or of not committing, is taken.
var recordedStories = map[string]recordedStory{
	"fix":                     {about: "A fix is committed by GitHub's API.", play: recordFix, records: committedSteps},
	"fix-by-push":             {about: "A fix is pushed by git.", env: []string{"TENON_COMMITS=push"}, play: recordFix, records: committedSteps},
	"fix-in-a-review-thread":  {about: "A fix is asked for in the thread of a line.", play: recordFixOfALine, records: committedSteps},
	"fix-by-review":           {about: "A fix is asked for in a review.", play: recordFixByReview, records: committedSteps},
	"fix-by-label":            {about: "A label asks for what a pull request says.", play: recordFixByLabel, records: committedSteps},
	"fix-on-an-issue":         {about: "A fix on an issue makes a branch and a draft pull request; the next goes on there, and one is given in the pull request.", play: recordIssue, records: []string{"commit", "pull"}},
	"fix-by-a-new-issue":      {about: "A new issue asks for a fix in its own text, and GitHub opens no pull request.", play: recordNewIssue, records: []string{"commit", "pull"}},
	"fix-held":                {about: "partial: hold, and one of two edits does not fit, so nothing is committed.", play: recordHeld, records: []string{"commit", "ask.3"}},
	"fix-branch-moved":        {about: "The branch moves while the model writes, so the edits are applied again on its new tip.", play: recordMoved, records: []string{"apply.1", "apply.2", "commit"}},
	"fix-closed-meanwhile":    {about: "The pull request is closed while the model writes, so what fits is a patch.", play: recordClosedMeanwhile, records: []string{"apply.1", "commit"}},
	"fix-rejected":            {about: "GitHub refuses the commit by the rules of the branch.", play: recordRejected, records: []string{"apply.1", "report"}},
	"fix-repaired":            {about: "An edit that fails is corrected, and so are those that wait for it.", play: recordRepaired, records: []string{"ask.2", "commit"}},
	"fix-continued":           {about: "A reply that was cut off is continued.", play: recordContinued, records: []string{"ask.2", "commit"}},
	"fix-nothing-to-change":   {about: "A reply without edits is asked for edits, and the model finds nothing to change.", play: recordNothing, records: []string{"ask.2", "commit"}},
	"fix-needs-files":         {about: "The model asks for files.", play: recordNeed, records: []string{"ask.2", "ask.3", "commit"}},
	"fix-over-budget":         {about: "A budget is nearly used up, and the model cannot be asked again.", env: []string{"TENON_BUDGET_REPOSITORY_TOKENS=16000", "TENON_BUDGET_USER_COMMANDS=1"}, play: recordBudget, records: []string{"ask.2", "commit"}},
	"fix-model-fails":         {about: "The model does not answer; retry gives the command again.", play: recordModelFailure, records: []string{"context", "retry", "commit"}},
	"fix-with-secrets":        {about: "Files are shown in part, without their secrets, or not at all.", play: recordSecrets, records: committedSteps},
	"fix-interrupted":         {about: "The server dies behind the commit, before it is recorded.", play: recordInterrupted, unfinished: true, records: []string{"deliver", "apply.1"}},
	"fix-resumed":             {about: "A run that died behind its commit goes on.", play: recordResumed, records: committedSteps},
	"fork":                    {about: "A fix, an undo and file operations on a fork that takes pushes.", play: recordFork, records: []string{"commit", "undo", "run"}},
	"fork-suggestions":        {about: "On a fork that takes no pushes, changes are suggestions and a patch.", play: recordSuggestions, records: []string{"commit", "suggest"}},
	"fork-refuses-push":       {about: "A fork takes no push, though its author allowed it.", play: recordForkRefuses, records: []string{"commit"}},
	"ask":                     {about: "A question is answered, after a look at another file.", play: recordAsk, records: []string{"open", "answer", "context", "ask.1", "ask.2", "report"}},
	"address":                 {about: "Review threads are settled by one commit, one is answered in words, and one is left.", play: recordAddress, records: []string{"context", "commit"}},
	"preview-ticked":          {about: "Boxes of a preview are ticked: one, then the others, one of which fits no more.", play: recordTicks, records: []string{"preview", "source", "choice", "sums", "commit"}},
	"preview-applied":         {about: "Edits of a preview are applied by number, undone, and applied again; then the rest.", play: recordApply, records: []string{"preview", "source", "choice", "sums", "undo"}},
	"preview-applied-pressed": {about: "The button of a preview's check is pressed.", play: recordApplyButton, records: []string{"preview", "source", "choice", "sums"}},
	"preview-on-an-issue":     {about: "A preview of an issue is applied, which makes its branch and pull request.", play: recordPreviewOfAnIssue, records: []string{"preview", "choice", "pull"}},
	"apply-pasted":            {about: "Edits that stand in the command's own comment are applied, and those in the comment before it.", play: recordPasted, records: []string{"source", "choice", "commit"}},
	"retry":                   {about: "Edits that failed are asked for again, by a command and by the button of a check.", play: recordRetry, records: []string{"retry", "commit"}},
	"undo":                    {about: "A commit is undone, brought back, undone by the button of its check, and another cannot be.", play: recordUndo, records: []string{"undo", "commit"}},
	"run":                     {about: "File operations that an answer suggests are carried out.", play: recordRun, records: []string{"run", "commit"}},
	"cancel":                  {about: "A fix in work and one that waits are cancelled, after a look at the line.", play: recordCancel, records: []string{"context", "report"}},
	"help-config-and-refusals": {about: "What is answered with no model asked: help, config, status, commands that cannot be run, and a stranger.",
		play: recordRefusals, records: []string{"report"}},
}

func recordFix(s *stage) {
	s.model.script(goodReply)
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the words in `main.go`").verdict)
}

func recordFixOfALine(s *stage) {
	s.model.script(edit("speed.txt", "fast", "faster"))
	s.start()
	s.ends(ghtest.ReviewComment, s.note("maria", "speed.txt", 1, "/tenon fix this"), "eyes", "rocket")
}

func recordFixByReview(s *stage) {
	s.model.script(goodReply)
	s.start()
	id, err := s.github.Review("maria", s.repo, s.pull, ghtest.NewReview{Body: "Nearly there.\n\n@tenon the words in `main.go`"})
	require.NoError(s.t, err)
	s.ends(ghtest.ReviewItself, id, "eyes", "rocket")
}

func recordFixByLabel(s *stage) {
	s.model.script(goodReply)
	s.start()
	number, err := s.github.OpenPull(ghtest.Pull{As: "maria", Repo: s.repo, Title: "Part in `main.go`", Body: "The word is *goodbye*.", Head: "speed", Base: s.another()})
	require.NoError(s.t, err)
	require.NoError(s.t, s.github.Label("maria", s.repo, number, "tenon"))
	s.until("a commit", func() bool { return len(s.commits()) == 1 })
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

func recordNewIssue(s *stage) {
	s.model.script(goodReply)
	s.start()
	isPull := func(r *http.Request) bool {
		return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/pulls")
	}
	s.github.FailNext(isPull, 1, ghtest.Failure{Status: http.StatusForbidden, Message: "Resource not accessible by integration"})
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", "It should part.\n\n/tenon fix the words in `main.go`")
	require.NoError(s.t, err)
	s.ends(ghtest.IssueItself, s.lastDelivery("issues").Subject, "eyes", "rocket")
	require.Len(s.t, s.answersIn(number), 1)
}

func recordHeld(s *stage) {
	s.model.script(halfReplies()...)
	s.settings("main", "partial: hold\n")
	s.start()
	require.Equal(s.t, "confused", s.say("/tenon fix `main.go` and `greet.go`").verdict)
	require.Empty(s.t, s.commits())
}

func recordMoved(s *stage) {
	s.model.script(goodReply)
	s.model.before = func() { s.push(map[string]string{"greet.go": "package main // other\n"}) }
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

func recordClosedMeanwhile(s *stage) {
	s.model.script(goodReply)
	s.meanwhile(func() error { return s.github.SetOpen(s.repo, s.pull, false) })
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "this pull request is closed by now")
}

func recordRejected(s *stage) {
	s.model.script(goodReply)
	require.NoError(s.t, s.github.Protect(s.repo, "speed", "Changes must be made through a pull request."))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "GitHub refused the push to `speed`")
}

func recordRepaired(s *stage) {
	s.push(map[string]string{"n.txt": "one\n"})
	s.model.script(edit("n.txt", "wrong", "two")+edit("n.txt", "two", "three")+edit("main.go", helloLine, byeLine), edit("n.txt", "one", "two"))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `n.txt` and `main.go`").answer, "**Applied 3, failed 0")
}

func recordContinued(s *stage) {
	s.model.script(edit("main.go", helloLine, byeLine)+"greet.go\n```\n<<<<<<< SEARCH\nfunc greet() st"+cutMark, edit("greet.go", greetLine, betterGreet))
	s.start()
	require.Contains(s.t, s.say("/tenon fix --format diff --files greet.go `main.go`").answer, "**Applied 2, failed 0")
}

func recordNothing(s *stage) {
	s.model.script("I would not touch it.", "NO CHANGE\nIt is right as it is.")
	s.start()
	require.Contains(s.t, s.say("/tenon fix `main.go`").answer, "the model found nothing to change")
}

func recordNeed(s *stage) {
	s.model.script("I cannot see it.\nNEED: greet.go\n- NEED: `nowhere.go`\n", "NEED: main.go", edit("greet.go", greetLine, betterGreet))
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

func recordSecrets(s *stage) {
	long := strings.Repeat("func f() int { return 1 } // a line of some length, so that the file does not fit in the room that it has\n", 3000)
	s.push(map[string]string{
		"long.go":   "package main\n\n" + long,
		"config.go": "package main\n\nconst key = \"AKIAIOSFODNN7EXAMPLF\"\n",
		".env":      "KEY=value\n",
	})
	s.model.script(goodReply + edit("config.go", "package main", "package config") + edit(".env", "KEY=value", "KEY=other"))
	s.start()
	require.Contains(s.t, s.say("/tenon fix line 1500 of `long.go`, the words in `main.go`, and `config.go`, `.env` and `nowhere/gone.go`").answer, "**Applied 1, failed 2")
}

func recordInterrupted(s *stage) {
	s.model.script(goodReply)
	s.start()
	k := newKiller(s)
	k.at(ghtest.AfterEffect, isPush)
	s.comment("maria", "/tenon fix `main.go`")
	k.wait()
}

func recordResumed(s *stage) {
	recordInterrupted(s)
	s.github.Gate(nil)
	s.start()
	s.said("**Applied 1")
}

func recordFork(s *stage) {
	s.fromFork(ghtest.Pull{})
	s.model.script(forkReply + "\n```sh\ngit mv greet.go hello.go\n```\n")
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `theirs.txt`").verdict)
	require.NoError(s.t, s.github.AllowEdits(s.repo, s.pull, false))
	require.Equal(s.t, "confused", s.say("/tenon run 1").verdict)
	require.Equal(s.t, "confused", s.say("/tenon undo").verdict)
	require.NoError(s.t, s.github.AllowEdits(s.repo, s.pull, true))
	require.Equal(s.t, "rocket", s.say("/tenon undo").verdict)
}

func recordSuggestions(s *stage) {
	s.fromFork(ghtest.Pull{NoMaintainerEdits: true})
	_, err := s.github.Push("stranger/lathe", "theirs", map[string]string{"theirs.crlf": "one\r\ntwo\r\nthree\r\n"}, "Theirs\n")
	require.NoError(s.t, err)
	s.model.script(forkReply + edit("theirs.crlf", "two", "2") + edit("main.go", helloLine, byeLine))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `theirs.txt`, `theirs.crlf` and `main.go`").answer, "Not in the patch:")
}

func recordForkRefuses(s *stage) {
	s.fromFork(ghtest.Pull{})
	require.NoError(s.t, s.github.RefuseMaintainers("stranger/lathe", true))
	s.model.script(forkReply)
	s.start()
	require.Contains(s.t, s.say("/tenon fix `theirs.txt`").answer, "-two\n+2\n")
}

func recordAsk(s *stage) {
	s.model.script("NEED: greet.go", "`greet` in `greet.go:3` says it.")
	s.start()
	s.comment("maria", "/tenon ask who greets beside `main.go`?")
	s.said("says it.")
}

func recordAddress(s *stage) {
	s.reviewed()
	s.model.script(twoRemarks + edit("a.go", "var x = 1", "var x = 10") + "REMARK 2: Fine as it is.\n")
	kept := s.note("maria", "b.go", 3, "Why?")
	s.note("maria", "a.go", 3, "Make it 10.")
	s.note("stranger", "speed.txt", 1, "Is this used?")
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon address\n\nKeep the numbers small.").verdict)
	require.Len(s.t, s.repliesIn(kept), 1)
}

func recordTicks(s *stage) {
	s.model.script(threeEdits + edit("nowhere.go", badGreet, betterGreet))
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go` politely")
	s.tick("maria", c, 2)
	s.untilBox(c, 2, "committed in [`")
	s.push(map[string]string{"main.go": "package main // anew\n"})
	s.tick("maria", c, 1, 3)
	s.untilBox(c, 3, "committed in [`")
	s.untilBox(c, 1, "not committed: ")
}

func recordApply(s *stage) {
	s.model.script(threeEdits)
	s.start()
	s.preview("/tenon preview `main.go` and `greet.go`")
	require.Equal(s.t, "rocket", s.say("/tenon apply 3,1").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon undo").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon apply 1").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon apply 1-2").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon apply").verdict)
	require.Equal(s.t, "confused", s.say("/tenon apply").verdict)
}

func recordApplyButton(s *stage) {
	s.model.script(threeEdits)
	s.start()
	c := s.preview("/tenon preview `main.go` and `greet.go`")
	require.NoError(s.t, s.github.PressButton("maria", s.button("apply"), "apply"))
	s.untilBox(c, 3, "committed in [`")
}

// button waits for a check with a button, and returns the check.
func (s *stage) button(verb string) (check int64) {
	s.t.Helper()
	s.until("a check with the button "+verb, func() bool {
		runs, err := s.github.CheckRuns(s.repo)
		require.NoError(s.t, err)
		for _, r := range runs {
			if strings.Contains(strings.Join(r.Actions, " "), verb) {
				check = r.ID
			}
		}
		return check != 0
	})
	return check
}

func recordPreviewOfAnIssue(s *stage) {
	s.model.script(threeEdits)
	s.start()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets", "`main.go` should part.")
	require.NoError(s.t, err)
	s.previewIn(number, "/tenon preview --base speed it")
	require.Contains(s.t, s.settled(s.commentIn(number, "/tenon apply")), "rocket")
}

func recordPasted(s *stage) {
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon apply\n\n"+threeEdits).verdict)
	s.comment("maria", "Or rather:\n\n"+edit("new.txt", "new", "newer"))
	later()
	require.Equal(s.t, "rocket", s.say("/tenon apply").verdict)
}

func recordRetry(s *stage) {
	bad := edit("greet.go", badGreet, betterGreet)
	s.model.script(halfReplies(bad, bad, bad, edit("greet.go", greetLine, betterGreet))...)
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix the words in `main.go` and `greet.go`").verdict)
	check := s.button("retry")
	require.Equal(s.t, "confused", s.say("/tenon retry --files main.go").verdict)
	require.NoError(s.t, s.github.PressButton("maria", check, "retry"))
	s.said("Nothing of run")
	require.Equal(s.t, "rocket", s.say("/tenon retry").verdict)
}

func recordUndo(s *stage) {
	s.model.script("COMMIT: fix: say goodbye\n\n"+edit("main.go", helloLine, byeLine)+edit("new/made.txt", "", "new"), edit("greet.go", greetLine, betterGreet))
	s.start()
	fix := s.say("/tenon fix `main.go`")
	check := s.button("undo")
	undo := s.say("/tenon undo")
	require.Equal(s.t, "rocket", undo.verdict)
	require.Equal(s.t, "rocket", s.say("/tenon undo "+undo.run).verdict)
	require.NoError(s.t, s.github.PressButton("maria", check, "undo"))
	s.until("the third undo, of run "+fix.run, func() bool { return s.saying("changed is taken back") == 3 })
	require.Equal(s.t, "rocket", s.say("/tenon fix `greet.go`").verdict)
	s.push(map[string]string{"greet.go": strings.Replace(s.file("greet.go"), "good day", "good evening", 1)})
	require.Equal(s.t, "confused", s.say("/tenon undo").verdict)
}

func recordRun(s *stage) {
	s.model.script(tidyReply + edit("main.go", helloLine, byeLine))
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon run 2,4-5").verdict)
}

func recordCancel(s *stage) {
	release := s.hold()
	s.model.script(goodReply)
	s.start()
	s.comment("maria", "/tenon fix the words in `main.go`")
	s.questioned(1)
	s.comment("maria", "/tenon fix the words in `greet.go` too")
	s.said("**Waiting**")
	s.comment("maria", "/tenon status")
	s.said("**In work**")
	s.comment("maria", "/tenon cancel")
	s.said("**Cancelled** by")
	release()
}

func recordRefusals(s *stage) {
	s.settings("main", "protected: [deploy]\nlabel: bot\nlabl: bot\n")
	s.start()
	for _, command := range []string{"help", "config", "status", "fxi it", "fix --modle large it", "undo", "retry", "run 1", "apply"} {
		s.answerTo(s.pull, "/tenon "+command)
	}
	_, err := s.github.Comment("stranger", s.repo, s.pull, "/tenon fix it")
	require.NoError(s.t, err)
	s.said("tenon:refused=")
	require.NoError(s.t, s.github.SetOpen(s.repo, s.pull, false))
	s.answerTo(s.pull, "/tenon fix the words")
}
