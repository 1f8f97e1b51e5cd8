package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// note has somebody begin a review thread on a line of the pull request's own files.
func (s *stage) note(as, path string, line int, body string) int64 {
	s.t.Helper()
	id, err := s.github.ReviewComment(as, s.repo, s.pull, sim.Place{Path: path, Line: line}, body)
	require.NoError(s.t, err)
	s.ahead.Add(1)
	return id
}

// repliesIn are what the app said in a review thread.
func (s *stage) repliesIn(thread int64) (out []string) {
	s.t.Helper()
	list, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(s.t, err)
	for _, c := range list {
		if c.InReplyTo == thread && c.User == s.github.BotLogin() {
			out = append(out, c.Body)
		}
	}
	return out
}

// reviewed pushes files that review threads can be in.
func (s *stage) reviewed() {
	s.t.Helper()
	_, err := s.github.Push(s.repo, "speed", map[string]string{"a.go": "package a\n\nvar x = 1\n",
		"b.go": "package a\n\nvar y = 2\n"}, "Add variables\n")
	require.NoError(s.t, err)
}

const twoRemarks = "COMMIT: fix: use better numbers\n\nREMARK 1: `x` is 10 now, as @eve and #1 want; closes #2\n\n"

// issue opens an issue and has somebody comment there.
func (s *stage) issue(body, comment string) (number int, id int64) {
	s.t.Helper()
	number, err := s.github.OpenIssue("maria", s.repo, "It greets too early", body)
	require.NoError(s.t, err)
	return number, s.commentIn(number, comment)
}

func (s *stage) commentIn(number int, comment string) int64 {
	s.t.Helper()
	id, err := s.github.Comment("maria", s.repo, number, comment)
	require.NoError(s.t, err)
	return id
}

// pullOf is the newest pull request from a branch.
func (s *stage) pullOf(branch string) sim.PullState {
	s.t.Helper()
	list, err := s.github.Pulls(s.repo)
	require.NoError(s.t, err)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Head == "acme:"+branch {
			return list[i]
		}
	}
	require.FailNow(s.t, "no pull request from "+branch, s.log.all())
	return sim.PullState{}
}

// threeEdits are of one file each; a fourth does not fit.
var threeEdits = "COMMIT: fix: be polite\n\n" + edit("main.go", helloLine, byeLine) + edit("greet.go", greetLine,
	betterGreet) + edit("new.txt", "", "new")

// preview has maria ask for a preview, and returns the comment that shows it.
func (s *stage) preview(command string) sim.Comment {
	s.t.Helper()
	return s.previewIn(s.pull, command)
}

func (s *stage) previewIn(number int, command string) sim.Comment {
	s.t.Helper()
	s.commentIn(number, command)
	var shown sim.Comment
	s.until("a preview", func() bool {
		list, err := s.github.Comments(s.repo, number)
		require.NoError(s.t, err)
		shown = list[len(list)-1]
		return strings.Contains(shown.Body, "<!-- tenon:preview=")
	})
	return shown
}

// shown is a comment as it is now.
func (s *stage) shown(number int, id int64) string {
	s.t.Helper()
	list, err := s.github.Comments(s.repo, number)
	require.NoError(s.t, err)
	for _, c := range list {
		if c.ID == id {
			return c.Body
		}
	}
	require.FailNow(s.t, "the comment is gone")
	return ""
}

// tick has somebody tick boxes of a preview, as GitHub's page does: all of them in one edit.
func (s *stage) tick(as string, c sim.Comment, numbers ...int) {
	s.t.Helper()
	body := s.shown(s.pull, c.ID)
	for _, n := range numbers {
		require.Contains(s.t, body, fmt.Sprintf("- [ ] **%d** ", n))
		body = strings.Replace(body, fmt.Sprintf("- [ ] **%d** ", n), fmt.Sprintf("- [x] **%d** ", n), 1)
	}
	require.NoError(s.t, s.github.EditComment(as, c.ID, body))
}

// boxLine is the line of a box in a preview.
func (s *stage) boxLine(c sim.Comment, n int) string {
	s.t.Helper()
	for line := range strings.Lines(s.shown(s.pull, c.ID)) {
		if strings.Contains(line, fmt.Sprintf("] **%d** ", n)) {
			return line
		}
	}
	return ""
}

func (s *stage) untilBox(c sim.Comment, n int, want string) {
	s.t.Helper()
	s.until(fmt.Sprintf("box %d to say %q", n, want), func() bool { return strings.Contains(s.boxLine(c, n), want) })
}

// halfReplies are those of a fix of which one edit is made and one is not, whatever the model is told.
func halfReplies(more ...string) []string {
	bad := edit("greet.go", badGreet, betterGreet)
	return append([]string{edit("main.go", helloLine, byeLine) + bad, bad, bad}, more...)
}

// saying counts the answers that contain a text.
func (s *stage) saying(text string) (n int) {
	s.t.Helper()
	for _, a := range s.answers() {
		if strings.Contains(a, text) {
			n++
		}
	}
	return n
}

const tidyReply = "COMMIT: fix: say goodbye\n\nThe rest is for the shell:\n\n```sh\nmkdir -p cmd/greet\ngit mv " +
	"greet.go cmd/greet\ngo test ./...\ngit rm main_test.go\ngit mv speed.txt .github/workflows/speed.yml\n```\n\n"

// ends waits until the app's reactions to something of a kind are these.
func (s *stage) ends(kind string, id int64, want ...string) {
	s.t.Helper()
	s.until(fmt.Sprintf("the reactions %v", want), func() bool {
		list, err := s.github.Reactions(kind, id)
		require.NoError(s.t, err)
		var have []string
		for _, r := range list {
			have = append(have, r.Content)
		}
		return slices.Equal(want, have)
	})
}

// lastDelivery is the newest delivery of an event.
func (s *stage) lastDelivery(event string) simhttp.Delivery {
	s.t.Helper()
	var last simhttp.Delivery
	for _, d := range s.github.Deliveries() {
		if d.Event == event {
			last = d
		}
	}
	require.NotEmpty(s.t, last.GUID, "no delivery of %s", event)
	return last
}

var runMark = regexp.MustCompile(`<!-- tenon:run=([a-z0-9]{12}) -->`)

// told is the result of a command.
type told struct{ verdict, answer, run string }

// say has maria comment on the pull request, and waits for the answer's last word.
func (s *stage) say(body string) told {
	s.t.Helper()
	return s.sayIn(s.pull, body)
}

func (s *stage) sayIn(number int, body string) told {
	s.t.Helper()
	before := s.answersIn(number)
	r := s.settled(s.commentIn(number, body))
	var fresh []string
	for _, answer := range s.answersIn(number) {
		mark := runMark.FindString(answer)
		known := slices.ContainsFunc(before, func(b string) bool { return runMark.FindString(b) == mark })
		if !known && !strings.Contains(answer, "<!-- tenon:preview=") && mark != "" {
			fresh = append(fresh, answer)
		}
	}
	require.Len(s.t, fresh, 1)
	return told{r[len(r)-1], fresh[0], runMark.FindStringSubmatch(fresh[0])[1]}
}

// push has somebody else commit to the branch.
func (s *stage) push(files map[string]string) {
	s.t.Helper()
	s.pushTo("speed", files)
}

// pushTo commits files to a branch, and returns the commit.
func (s *stage) pushTo(branch string, files map[string]string) (sha string) {
	s.t.Helper()
	sha, err := s.github.Push(s.repo, branch, files, "Meanwhile\n")
	require.NoError(s.t, err)
	return sha
}

const bigReply = "COMMIT: fix: say goodbye\n\n"
