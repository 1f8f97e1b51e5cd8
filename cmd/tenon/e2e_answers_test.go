package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

var update = flag.Bool("update", false, "write the golden files again")

const answersDir = "testdata/answers"

// What people read, whole, for one typical case of each command: a file in testdata/answers each.
func TestTheAnswersAsPeopleReadThem(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(*stage){
		"on a pull request": answersOnAPull,
		"of an update":      answersOfAnUpdate,
		"of a resolution":   answersOfAResolution,
		"of a backport":     answersOfABackport,
		"of a retry":        answersOfARetry,
		"of an ambiguity":   answersOfAnAmbiguity,
		"of a preview":      answersOfAPreview,
		"of a broken file":  answersOfABrokenFile,
		"with a caution":    answersWithACaution,
		"of a review":       answersOfAReview,
		"of CI":             answersOfCI,
		"of CI, unread":     answersOfCIWithoutLogs,
		"on an issue":       answersOnAnIssue,
		"on a fork":         answersOnAFork,
		"in a line":         answersInALine,
		"refusals":          answersThatRefuse,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.push(serverFiles)
			play(s)
		})
	}
}

func TestEveryCommandHasAnAnswerToRead(t *testing.T) {
	t.Parallel()
	for _, c := range command.All() {
		require.FileExists(t, filepath.Join(answersDir, c.Verb+".md"))
	}
}

const startFile = `package server

import "net/http"

// Start serves until the listener is closed.
func Start(s *Server) error {
	l, err := s.Listen()
	s.Log.Print("listening on ", l.Addr())
	return http.Serve(l, s)
}
`

var serverFiles = map[string]string{
	"server/start.go": startFile,
	"server/stop.go": "package server\n\n// Stop closes the listener.\nfunc (s *Server) Stop() " +
		"{\n\ts.listener.Close()\n}\n",
	"server/old.go": "package server\n\nfunc oldStart() {}\n",
}

const (
	listenLine = "\tl, err := s.Listen()"
	checkLines = listenLine + "\n\tif err != nil {\n\t\treturn err\n\t}"
	stopLines  = "func (s *Server) Stop() {\n\ts.listener.Close()\n}"
	stopBetter = "func (s *Server) Stop() error {\n\treturn s.listener.Close()\n}"
)

func answersOnAPull(s *stage) {
	s.start()
	s.model.script("The error of `Listen` was lost, so a port in use ended in a nil pointer.\n\nCOMMIT: fix(server): " +
		"return the error of Listen\n\nReturn the error before the listener is used.\n\n" +
		edit("server/start.go", listenLine, checkLines) +
		"Return the error of `Close` too.\n\n" + edit("server/stop.go", stopLines, stopBetter) +
		"Nobody calls `oldStart` any more:\n\n```sh\ngit rm server/old.go\ngo test ./server\n```\n")
	s.golden("fix", s.answerTo(s.pull,
		"/tenon fix the nil check in `server/start.go`, and return the error in `server/stop.go`"))
	s.golden("run", s.answerTo(s.pull, "/tenon run 1"))
	s.golden("undo", s.answerTo(s.pull, "/tenon undo"))
	s.model.script("`Start` calls `s.Listen` in `server/start.go:7` and does not look at the error before it uses the " +
		"listener in `server/start.go:8`.\n\nSo a port that is in use ends in a nil pointer:\n\n- `Listen` returns no " +
		"listener, and an error,\n- `l.Addr()` is called anyway.\n")
	s.golden("ask", s.answerTo(s.pull, "/tenon ask what happens in `server/start.go` when the port is in use?"))
}

func answersOfAnUpdate(s *stage) {
	s.start()
	s.golden("update-nothing", s.answerTo(s.pull, "/tenon update"))
	s.pushTo("main", map[string]string{"greet.go": "package main // theirs\n", "later.txt": "later\n"})
	s.golden("update", s.answerTo(s.pull, "/tenon update"))
	s.push(map[string]string{"main.go": "package main // ours\n"})
	s.pushTo("main", map[string]string{"main.go": "package main // theirs\n"})
	s.golden("update-conflict", s.answerTo(s.pull, "/tenon update"))
}

func answersOfAResolution(s *stage) {
	s.model.script("C1: ours\nC2: open Is the limit meant to be 30 or 20 seconds?\nC3: new\n```\nvar Burst = 6\n```\n")
	const between = "\n// One.\n// Two.\n// Three.\n\n"
	limits := func(retries, wait, burst string) map[string]string {
		return map[string]string{"limits.go": "package main\n\nvar Retries = " + retries + "\n" + between +
			"var Wait = " + wait + "\n" + between + "var Burst = " + burst + "\n"}
	}
	s.pushTo("main", limits("1", "10", "1"))
	s.start()
	require.Equal(s.t, "rocket", s.say("/tenon update").verdict)
	s.push(limits("2", "30", "2"))
	s.pushTo("main", limits("3", "20", "4"))
	s.golden("resolve-open", s.answerTo(s.pull, "/tenon resolve"))
	s.golden("resolve-refused", s.answerTo(s.pull, "/tenon apply"))
	s.golden("resolve", s.answerTo(s.pull, "/tenon resolve C2 theirs C3 ours"))
}

func answersOfARetry(s *stage) {
	s.start()
	wrong := edit("server/stop.go", "func (s *Server) Stop() {\n\ts.close()\n}", stopBetter)
	s.model.script("The errors of `Listen` and `Close` were lost, so a port in use ended in a nil pointer.\n\n"+
		"COMMIT: fix(server): return all errors\n\n"+edit("server/start.go", listenLine, checkLines)+wrong, wrong, wrong)
	s.golden("fix-partly", s.answerTo(s.pull, "/tenon fix return all errors in `server/start.go` and `server/stop.go`"))
	s.model.script("COMMIT: fix(server): return the error of Close\n\n" + edit("server/stop.go", stopLines, stopBetter))
	s.golden("retry", s.answerTo(s.pull, "/tenon retry"))
	s.golden("retry-nothing", s.answerTo(s.pull, "/tenon retry"))
}

func answersOfAnAmbiguity(s *stage) {
	s.push(map[string]string{"server/status.go": "package server\n\nfunc ready() bool {\n\treturn true\n}\n\n" +
		"func healthy() bool {\n\treturn true\n}\n\nfunc open() bool {\n\treturn true\n}\n"})
	s.start()
	unclear := edit("server/status.go", "\treturn true\n}", "\treturn isOpen.Load()\n}")
	s.model.script("COMMIT: fix(server): ask isOpen\n\n"+unclear, unclear, unclear)
	s.golden("fix-ambiguous", s.answerTo(s.pull, "/tenon fix ask `isOpen` in `server/status.go`"))
}

func answersOfAPreview(s *stage) {
	s.start()
	misses := edit("server/old.go", "func oldest() {}", "func oldest() int { return 1 }")
	s.model.script("The errors of `Listen` and `Close` were lost.\n\nCOMMIT: fix(server): return the error of Listen\n\n"+
		"Return the error of `Listen` before the listener is used.\n\n"+edit("server/start.go", listenLine, checkLines)+
		"Tell the caller of `Stop` when the listener cannot be closed.\n\n"+edit("server/stop.go", stopLines, stopBetter)+
		misses, misses)
	c := s.preview("/tenon preview return all errors in `server`")
	s.golden("preview", c.Body)
	s.tick("maria", c, 1)
	s.untilBox(c, 1, "committed in [`")
	s.golden("preview.ticked", s.shown(s.pull, c.ID))
	s.golden("apply", s.answerTo(s.pull, "/tenon apply 2"))
	s.golden("apply-nothing", s.answerTo(s.pull, "/tenon apply"))
	s.golden("apply-pasted",
		s.answerTo(s.pull, "/tenon apply\n\n"+edit("server/old.go", "func oldStart() {}", "func oldStop() {}")))
}

func answersOfABrokenFile(s *stage) {
	s.start()
	broken := edit("server/start.go", listenLine, strings.TrimSuffix(checkLines, "\n\t}"))
	s.model.script("COMMIT: fix(server): return all errors\n\n"+edit("server/stop.go", stopLines, stopBetter)+broken,
		broken, broken)
	const what = "return all errors in `server/start.go` and `server/stop.go`"
	s.golden("fix-broken", s.answerTo(s.pull, "/tenon fix "+what))
	s.golden("apply-broken", s.answerTo(s.pull, "/tenon apply 2"))
	s.push(serverFiles)
	s.model.script(edit("server/stop.go", stopLines, stopBetter)+broken, broken, broken)
	c := s.preview("/tenon preview " + what)
	s.golden("preview-broken", c.Body)
	s.golden("apply-but-broken", s.answerTo(s.pull, "/tenon apply"))
}

func answersOfAReview(s *stage) {
	s.start()
	s.model.script("COMMIT: fix(server): return the error of Listen\n\n" +
		"REMARK 1: The error of `Listen` is returned before the listener is used.\n\n" +
		edit("server/start.go", listenLine, checkLines) +
		"REMARK 2: `Close` is called once only, by `Stop`, so there is nothing to guard.\n")
	fixed := s.note("maria", "server/start.go", 7, "The error is lost here.")
	kept := s.note("maria", "server/stop.go", 5, "What if it is closed already?")
	s.note("maria", "server/old.go", 3, "Is this used?")
	s.golden("address", s.answerTo(s.pull, "/tenon address"))
	s.until("the answers in the threads", func() bool { return len(s.repliesIn(kept)) == 1 })
	s.golden("address.thread", s.repliesIn(fixed)[0])
	s.golden("address.unchanged", s.repliesIn(kept)[0])
}

func answersOnAnIssue(s *stage) {
	s.start()
	s.model.script("COMMIT: fix: say goodbye\n\n" + edit("main.go", helloLine, byeLine))
	number, err := s.github.OpenIssue("maria", s.repo, "It greets where it should part", "`main.go` should say goodbye.")
	require.NoError(s.t, err)
	s.golden("fix-on-an-issue", s.answerTo(number, "/tenon fix it as described"))
	s.golden("fix-on-an-issue.pull", s.pullOf(fmt.Sprintf("tenon/issue-%d", number)).Body)
	s.settings("main", "ready: allow\n")
	s.golden("ready", s.answerTo(number, "/tenon ready"))
}

func answersOnAFork(s *stage) {
	s.fromFork(sim.Pull{NoMaintainerEdits: true})
	s.start()
	s.model.script("COMMIT: docs: write the number as a digit\n\n" + forkReply)
	s.golden("fix-on-a-fork", s.answerTo(s.pull, "/tenon fix the number in `theirs.txt`"))
	notes, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(s.t, err)
	s.golden("fix-on-a-fork.suggestion", notes[0].Body)
}

func answersInALine(s *stage) {
	release := s.hold()
	s.start()
	s.model.script(goodReply)
	s.comment("maria", "/tenon fix the words in `main.go`")
	s.questioned(1)
	s.comment("maria", "/tenon fix the words in `greet.go` too")
	s.golden("waits", s.said("**Waiting**"))
	s.golden("status", s.answerTo(s.pull, "/tenon status"))
	s.golden("cancel", s.answerTo(s.pull, "/tenon cancel"))
	release()
	s.golden("cancel.fix", s.said("**Cancelled** by"))
}

func answersThatRefuse(s *stage) {
	s.settings("main", "protected: [deploy]\nlabel: bot\nmodels: [model-1]\nlimits: {files: 5}\nlabl: bot\n")
	s.start()
	s.golden("help", s.answerTo(s.pull, "/tenon help"))
	s.golden("config", s.answerTo(s.pull, "/tenon config"))
	s.golden("unknown-verb", s.answerTo(s.pull, "/tenon fxi the nil check"))
	s.golden("unknown-option", s.answerTo(s.pull, "/tenon fix --modle large the nil check"))
	_, err := s.github.Comment("stranger", s.repo, s.pull, "/tenon fix it")
	require.NoError(s.t, err)
	s.golden("stranger", s.said("tenon:refused="))
	require.NoError(s.t, s.github.SetOpen(s.repo, s.pull, false))
	s.golden("closed", s.answerTo(s.pull, "/tenon fix the nil check"))
	require.NoError(s.t, s.github.SetOpen(s.repo, s.pull, true))
	s.settings("main", "enabled: false\n")
	s.golden("disabled", s.answerTo(s.pull, "/tenon fix the nil check"))
}

// script sets what the model says to the next questions.
func (m *modelServer) script(replies ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies = append(slices.Clip(m.replies[:min(len(m.asked), len(m.replies))]), replies...)
}

// answerMark is what each answer is known by.
var answerMark = regexp.MustCompile(`<!-- tenon:(?:run|refused)=\w+ -->`)

// answerTo has maria give a command, and waits for its answer's last word.
func (s *stage) answerTo(number int, command string) (answer string) {
	s.t.Helper()
	seen := map[string]bool{}
	for _, a := range s.answersIn(number) {
		seen[answerMark.FindString(a)] = true
	}
	s.commentIn(number, command)
	s.until("the answer to "+command, func() bool {
		for _, a := range s.answersIn(number) {
			ended := !strings.Contains(a, "**Working**") && !strings.Contains(a, "**Waiting** for") &&
				!strings.Contains(a, "tenon:suggestions=") // the review is edited once more after it is made
			if mark := answerMark.FindString(a); mark != "" && !seen[mark] && ended {
				answer = a
			}
		}
		return answer != ""
	})
	return answer
}

// golden compares an answer with its file.
func (s *stage) golden(name, answer string) {
	s.t.Helper()
	file := filepath.Join(answersDir, name+".md")
	got := s.normal(answer) + "\n"
	if *update {
		require.NoError(s.t, os.MkdirAll(answersDir, 0o755))
		require.NoError(s.t, os.WriteFile(file, []byte(got), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(s.t, err)
	require.Equal(s.t, string(want), got, file)
}

// What differs from one day to the next, and what stands for it: a number where things have to be told apart, by the
// order in which they come in the text.
var (
	anySHA   = regexp.MustCompile(`\b[0-9a-f]{40}\b`)
	anyRun   = regexp.MustCompile("(?:run |run `|undo |tenon:[a-z]+=)([a-z0-9]{12})\\b")
	anyID    = regexp.MustCompile(`300\d{7}\b`)
	duration = regexp.MustCompile(`\b\d+\.\d s\b`)
	resets   = regexp.MustCompile(`\b\d+ [A-Z][a-z]+ at \d\d:\d\d UTC`)
)

// normal replaces what differs from one day to the next.
func (s *stage) normal(text string) string {
	text = strings.ReplaceAll(text, strings.TrimSuffix(s.github.GitURL(), "/"), "https://github.com")
	for i, sha := range found(anySHA, text) {
		made := strings.Repeat(fmt.Sprintf("%07d", i+1), 6)[:40]
		text = strings.NewReplacer(sha, made, sha[:7], made[:7]).Replace(text)
	}
	for i, run := range found(anyRun, text) {
		text = strings.ReplaceAll(text, run, fmt.Sprintf("abc123def%03d", i+1))
	}
	for i, id := range found(anyID, text) {
		text = strings.ReplaceAll(text, id, fmt.Sprint(i+1))
	}
	text = duration.ReplaceAllString(text, "4.2 s")
	return resets.ReplaceAllString(text, "1 May at 00:00 UTC")
}

// found are the different matches of a pattern, or of its group, in order.
func found(pattern *regexp.Regexp, text string) []string {
	var out []string
	for _, m := range pattern.FindAllStringSubmatch(text, -1) {
		if last := m[len(m)-1]; !slices.Contains(out, last) {
			out = append(out, last)
		}
	}
	return out
}
