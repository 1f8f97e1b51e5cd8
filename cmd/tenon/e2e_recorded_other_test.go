package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

func recordFork(s *stage) {
	s.fromFork(sim.Pull{})
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
	s.fromFork(sim.Pull{NoMaintainerEdits: true})
	crlf := map[string]string{"theirs.crlf": "one\r\ntwo\r\nthree\r\n"}
	_, err := s.github.Push("stranger/lathe", "theirs", crlf, "Theirs\n")
	require.NoError(s.t, err)
	two := edit("theirs.txt", "one\ntwo", "1\n2")
	s.model.script(two + edit("theirs.crlf", "two", "2") + edit("main.go", helloLine, byeLine))
	s.start()
	require.Contains(s.t, s.say("/tenon fix `theirs.txt`, `theirs.crlf` and `main.go`").answer, "Not in the patch:")
}

func recordForkRefuses(s *stage) {
	s.fromFork(sim.Pull{})
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

func recordManyThreads(s *stage) {
	s.reviewed()
	s.model.script("REMARK 30: There is none.\n")
	for i := range 32 {
		s.note("maria", "a.go", 1+i%3, fmt.Sprintf("Question %d", i+1))
	}
	s.start()
	s.settled(s.comment("maria", "/tenon address"))
}

func recordPrice(s *stage) {
	file := filepath.Join(s.t.TempDir(), "tenon.yml")
	const form = "models: {fast: {id: model-1, base_url: %s/v1, price: {input: 1, cached: 0.1, output: 10}}}\n"
	models := fmt.Sprintf(form, s.model.URL)
	require.NoError(s.t, os.WriteFile(file, []byte(models), 0o600))
	s.env = append(s.env, "TENON_MODEL=", "TENON_MODEL_BASE_URL=", "TENON_MODEL_API_KEY=", "TENON_CONFIG="+file)
	s.model.cached = 1000
	s.model.script(threeEdits)
	s.start()
	shown := s.preview("/tenon preview `main.go` and `greet.go`")
	require.Contains(s.t, shown.Body, "over 90% of your commands today used")
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

func recordOffered(s *stage) {
	s.model.script(goodReply)
	require.NoError(s.t, s.github.Protect(s.repo, "speed", "Changes must be made through a pull request."))
	s.start()
	s.say("/tenon fix `main.go`")
	var offer sim.Comment
	s.until("an offer", func() bool {
		list, err := s.github.Comments(s.repo, s.pull)
		require.NoError(s.t, err)
		for _, c := range list {
			if strings.Contains(c.Body, "<!-- tenon:offer=") {
				offer = c
			}
		}
		return offer.ID != 0
	})
	s.tick("maria", offer, 1)
	s.until("a pull request", func() bool {
		return strings.Contains(s.shown(s.pull, offer.ID), "✅ Opened pull request [#")
	})
}

func recordSeen(s *stage) {
	const far = "vendor/far.txt" // which no prompt shows unless it is named
	s.model.script(edit("new.txt", "", strings.TrimSpace(strings.Repeat("line\n", 200))) +
		edit("main.go", helloLine, "\tprintln(\"good\u202ebye\")") + edit(far, "two", "2") +
		edit("long.txt", "", strings.TrimSpace(strings.Repeat(strings.Repeat("long ", 58)+"\n", 130))))
	s.start()
	s.settings("main", "unusual: mark\n")
	s.push(map[string]string{far: "one\ntwo\nthree\n"})
	s.preview("/tenon preview `main.go`")
	s.push(map[string]string{far: "one\ntwo  \nthree\n"})
	require.Equal(s.t, "confused", s.say("/tenon apply").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon apply 1-2").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon apply").verdict)
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

// recordOnPages gives the commands while the server is not there.
func recordOnPages(s *stage) {
	s.model.script(threeEdits)
	s.start()
	s.preview("/tenon preview `main.go` and `greet.go`")
	for _, verb := range []string{command.Apply, command.Undo} {
		s.until("the end of the runs", func() bool {
			_, done, err := storetest.Recorded(s.t.Context(), s.data)
			require.NoError(s.t, err)
			return done
		})
		s.stop()
		s.onPage(verb)
		s.start()
	}
}

// onPage gives a command on the page of the newest run that waits for it: edits 1 and 3 of a preview are applied.
func (s *stage) onPage(verb string) {
	s.t.Helper()
	st, err := store.Open(s.t.Context(), store.Options{Dir: s.data})
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, st.Close()) }()
	var newest port.Event
	require.NoError(s.t, st.Audit(s.t.Context(), store.AuditFilter{}, func(e port.Ended) error {
		_, newest, err = st.FindRun(s.t.Context(), e.Run)
		return err
	}))
	b := port.Button{Verb: verb, Run: port.RunID(newest.Delivery)}
	if verb == command.Apply {
		b.Blocks = []int{1, 3}
	}
	ev, err := command.OnPage(newest, b, newest.Sender, verb, s.now())
	require.NoError(s.t, err)
	require.NoError(s.t, st.Submit(s.t.Context(), ev))
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
	s.ahead.Add(1) // GitHub tells no times between seconds
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
	made := edit("new/made.txt", "", "new")
	s.model.script(bigReply+edit("main.go", helloLine, byeLine)+made, edit("greet.go", greetLine, betterGreet))
	s.start()
	fix := s.say("/tenon fix `main.go`")
	check := s.button("undo")
	undo := s.say("/tenon undo")
	require.Equal(s.t, "rocket", undo.verdict)
	require.Equal(s.t, "rocket", s.say("/tenon undo "+undo.run).verdict)
	require.NoError(s.t, s.github.PressButton("maria", check, "undo"))
	s.until("the third undo, of run "+fix.run, func() bool { return s.saying(" reverted\n") == 3 })
	require.Equal(s.t, "rocket", s.say("/tenon fix `greet.go`").verdict)
	s.push(map[string]string{"greet.go": strings.Replace(s.file("greet.go"), "good day", "good evening", 1)})
	require.Equal(s.t, "confused", s.say("/tenon undo").verdict)
}

func recordUpdate(s *stage) {
	s.pushTo("main", map[string]string{"greet.go": "package main // theirs\n", "later.txt": "later\n"})
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon update").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon undo").verdict)
	s.push(map[string]string{"main.go": "package main // ours\n"})
	s.pushTo("main", map[string]string{"main.go": "package main // theirs\n"})
	require.Equal(s.t, "confused", s.say("/tenon update").verdict)
}

func recordResolve(s *stage) {
	s.model.script("C1: theirs\n", newLinesReply, newLinesReply, "C1: open Which?\n",
		"C1: none\n", "C1: none\n")
	s.start()
	s.conflict("30")
	require.Equal(s.t, "rocket", s.say("/tenon resolve").verdict)
	s.conflict("40")
	s.comment("maria", "/tenon resolve")
	shown := s.untilConflicts("👀 proposed")
	s.choose("maria", shown, 1, "as proposed")
	s.untilMerged(shown)
	s.conflict("50")
	s.comment("maria", "/tenon resolve")
	s.untilConflicts("👀 proposed")
	require.Equal(s.t, "rocket", s.say("/tenon apply").verdict)
	s.conflict("60")
	s.comment("maria", "/tenon resolve")
	s.untilConflicts("Which?")
	require.Equal(s.t, "rocket", s.say("/tenon resolve C1 ours").verdict)
}

func recordResolveNumbered(s *stage) {
	s.model.script("C1: theirs\n")
	s.start()
	s.conflict("30")
	require.Equal(s.t, "rocket", s.say("/tenon resolve").verdict)
}

func recordResolveBroken(s *stage) {
	s.model.script("C1: none\n", "C1: none\n")
	s.start()
	brace := func(line string) map[string]string {
		return map[string]string{"brace.go": "package main\n\nfunc " + line + "\n}\n"}
	}
	s.pushTo("main", brace("f() {"))
	require.Equal(s.t, "rocket", s.say("/tenon update").verdict)
	s.push(brace("g() {"))
	s.pushTo("main", brace("h() {"))
	s.comment("maria", "/tenon resolve")
	shown := s.untilConflicts("would have a problem")
	s.push(brace("i() {"))
	s.choose("maria", shown, 1, "ours")
	s.untilConflicts("what was chosen for it was dropped")
}

func recordRun(s *stage) {
	s.model.script(tidyReply + edit("main.go", helloLine, byeLine))
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Equal(s.t, "rocket", s.say("/tenon run 2,4-5").verdict)
}

func recordReady(s *stage) {
	s.model.script(goodReply, edit("greet.go", greetLine, betterGreet))
	s.settings("main", "ready: allow\n")
	s.start()
	number, id := s.issue("`main.go` should part, not greet.", "/tenon fix it as described")
	require.Contains(s.t, s.settled(id), "rocket")
	require.Equal(s.t, "rocket", s.sayIn(number, "/tenon fix `greet.go` too").verdict)
	pull := s.pullOf(fmt.Sprintf("tenon/issue-%d", number))
	require.Equal(s.t, 2, strings.Count(pull.Body, "([request]("), "it is described again")
	s.commentIn(pull.Number, "/tenon ready")
	s.until("a pull request that is ready", func() bool { return !s.pullsFromTenon()[0].Draft })
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
	s.said("**Running**")
	s.comment("maria", "/tenon cancel")
	s.said("**Cancelled** by")
	release()
}

func recordRefusals(s *stage) {
	s.settings("main", "protected: [deploy]\nlabel: bot\nlabl: bot\n")
	s.start()
	commands := []string{"help", "config", "status", "fxi it", "fix --modle large it", "undo", "retry", "run 1", "apply"}
	for _, command := range commands {
		s.answerTo(s.pull, "/tenon "+command)
	}
	_, err := s.github.Comment("stranger", s.repo, s.pull, "/tenon fix it")
	require.NoError(s.t, err)
	s.said("tenon:refused=")
	require.NoError(s.t, s.github.SetOpen(s.repo, s.pull, false))
	s.answerTo(s.pull, "/tenon fix the words")
}
