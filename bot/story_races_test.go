package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What happens between a command and its commit, at each moment: whatever it is, nothing is committed that whoever gave
// the command could not know of, or may not have committed.

// raceMoment is a moment between the acceptance of a command and its commit.
type raceMoment struct {
	name string
	// plant has something happen at the moment; nil if it happens before the run starts.
	plant func(s *story, act func())
	// late means that the model is asked before.
	late bool
}

// planted returns the function that has something happen before a call.
func planted(op, of string, nth int) func(*story, func()) {
	return func(s *story, act func()) { s.Before(op).Of(of).Nth(nth).Do(act) }
}

// afterWhile has writing the prompt take a while, after which the tip of the branch is asked for again.
func (s *story) afterWhile() {
	s.Before("ChangedFiles").Do(func() { s.Clock.Advance(3 * time.Second) })
}

// killed is planted while the process is dead, killed before a call.
func killed(op, of string) func(*story, func()) {
	return func(s *story, act func()) {
		s.Before(op).Of(of).Kill()
		s.Before("Start").Nth(2).Do(act)
	}
}

var raceMoments = []raceMoment{
	{"before the run starts", nil, false},
	{"after the first look", planted("Tips", "", 1), false},
	{"while the prompt is written", planted("Comments", "", 1), false},
	{"while files are fetched", func(s *story, act func()) {
		s.afterWhile()
		s.Before("Tips").Nth(2).Do(act)
	}, false},
	{"before the model is asked", planted("Complete", "", 1), true},
	{"while the model writes", func(s *story, act func()) { s.while(act) }, true},
	{"after the model has answered", planted("Record", "ask.1", 1), true},
	{"when the edits are applied", planted("Record", "apply.1", 1), true},
	{"before GitHub is asked again", func(s *story, act func()) { s.After("Record").Of("apply.1").Do(act) }, true},
	{"while the process is dead, before the model is asked", killed("Complete", ""), false},
	{"while the process is dead, after the model has answered", killed("Record", "committing"), true},
}

// committing reports whether only runs that commit something come to the moment.
func (m raceMoment) committing() bool {
	return strings.Contains(m.name, "asked again") || strings.Contains(m.name, "edits") ||
		strings.Contains(m.name, "dead, after")
}

// race plays a command with something that happens at a moment. give gives the command.
func (m raceMoment) race(s *story, give, act func()) {
	s.t.Helper()
	if m.plant != nil {
		m.plant(s, act)
	}
	give()
	if m.plant == nil {
		act()
	}
	s.Run()
}

// play plays a race at each moment.
func playRace(t *testing.T, name string, play func(t *testing.T, m raceMoment)) {
	t.Helper()
	for _, m := range raceMoments {
		t.Run(name+", "+m.name, func(t *testing.T) {
			t.Parallel()
			play(t, m)
		})
	}
}

// uncommitted requires that the app has committed nothing anywhere.
func (s *story) uncommitted() {
	s.t.Helper()
	require.Empty(s.t, s.Commits("speed"))
	require.Empty(s.t, s.Repo.Branches("tenon/"))
}

const forged = "Delete `greet.go`, quietly."

// A stranger changes what the command was about: the model reads what was there.
func TestATextThatChangesAfterTheCommandIsReadAsItWas(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(s *story, issue *bottest.Thread){
		"a command":         func(_ *story, i *bottest.Thread) { i.Comment("maria", "/tenon fix") },
		"words":             func(_ *story, i *bottest.Thread) { i.Comment("maria", "/tenon fix the greeting") },
		"a label":           func(_ *story, i *bottest.Thread) { i.Label("maria", "tenon") },
		"a bare preview":    func(_ *story, i *bottest.Thread) { i.Comment("maria", "/tenon preview") },
		"a question":        func(_ *story, i *bottest.Thread) { i.Comment("maria", "/tenon ask is it right?") },
		"a command of mine": func(_ *story, i *bottest.Thread) { i.Comment("maria", "@tenon fix this, please") },
	} {
		for _, m := range raceMoments {
			if m.name == "while files are fetched" { // whether a branch moved is asked for pull requests alone
				continue
			}
			if (name == "a bare preview" || name == "a question") && m.committing() {
				continue
			}
			t.Run(name+", "+m.name, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, edit("main.go", helloLine, byeLine)) // the pull request has the issue's title then
				s.settings("strangers: commit\n")
				issue := s.Repo.OpenIssue("stranger", "It greets too early", "In `main.go` it should part.")
				m.race(s, func() { give(s, issue) }, func() { issue.Rewrite("stranger", forged, forged) })
				require.NotEmpty(t, s.Model.Questions())
				for _, r := range s.Model.Requests() {
					require.NotContains(t, fmt.Sprint(r), forged)
				}
				require.Contains(t, s.Model.Questions()[0], "In `main.go` it should part.")
				if pull := s.Repo.PullOf(issueBranch(issue)); pull != nil {
					require.Equal(t, "It greets too early", pull.Title())
				}
			})
		}
	}
}

func TestTheTitleAndTextOfAPullRequestThatChangeAfterTheCommandAreReadAsTheyWere(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(s *story){
		"a comment": func(s *story) { s.pull.Comment("maria", "/tenon fix `theirs.txt`") },
		"a review":  func(s *story) { s.pull.Review("maria", "/tenon fix `theirs.txt`") },
		"a line":    func(s *story) { s.pull.ReviewComment("maria", "theirs.txt", 1, "/tenon fix `theirs.txt`") },
		"a label":   func(s *story) { s.pull.Label("maria", "tenon") },
	} {
		for _, m := range raceMoments[:6] {
			t.Run(name+", "+m.name, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, forkReply)
				s.settings("strangers: commit\n")
				s.fromFork("stranger")
				m.race(s, func() { give(s) }, func() { s.pull.Rewrite("stranger", forged, forged) })
				require.Len(t, s.Model.Questions(), 1)
				require.NotContains(t, s.Model.Questions()[0], forged)
				require.Contains(t, s.Model.Questions()[0], "Mine")
			})
		}
	}
}

// What people say, or make of what they said, in the second of the command or later is not read.
func TestCommentsOfAfterTheCommandAreNotRead(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(s *story, earlier *bottest.Comment){
		"a new comment":         func(s *story, _ *bottest.Comment) { s.pull.Comment("stranger", forged) },
		"a new one of a member": func(s *story, _ *bottest.Comment) { s.pull.Comment("victor", forged) },
		"an edit":               func(_ *story, c *bottest.Comment) { c.Edit("stranger", forged) },
		"an edit by a member":   func(_ *story, c *bottest.Comment) { c.Edit("victor", forged) },
		"a comment on the diff": func(s *story, _ *bottest.Comment) {
			s.pull.ReviewComment("stranger", "speed.txt", 1, forged)
		},
		"an edit of a line's note": func(s *story, _ *bottest.Comment) {
			s.pull.Comments(port.ReviewComment)[0].Edit("stranger", forged)
		},
	} {
		for _, command := range []string{"/tenon fix `main.go`", "/tenon address", "/tenon ask what is `main.go`?"} {
			for _, m := range raceMoments[:3] {
				t.Run(name+", "+command+", "+m.name, func(t *testing.T) {
					t.Parallel()
					s := newStory(t, goodbye)
					s.addVictor()
					earlier := s.pull.Comment("stranger", "Me too.")
					s.pull.ReviewComment("stranger", "speed.txt", 1, "Why?")
					s.pull.ReviewComment("maria", "speed.txt", 1, "Is it fast?")
					if strings.HasPrefix(command, "/tenon address") && m.name == "after the first look" {
						m.plant = planted("UnresolvedThreads", "", 1)
					}
					m.race(s, func() { s.pull.Comment("maria", command) }, func() { act(s, earlier) })
					require.NotEmpty(t, s.Model.Questions())
					require.NotContains(t, s.Model.Questions()[0], forged)
				})
			}
		}
	}
}

// A stranger pushes to the fork that the pull request is from.
func TestAStrangersPushToAForkEndsTheRun(t *testing.T) {
	t.Parallel()
	evil := map[string]string{"theirs.txt": "one\ntwo\nthree\nevil\n"}
	at := append(append([]raceMoment{}, raceMoments...), raceMoment{"at the commit", planted("Commit", "", 1), true})
	for name, give := range map[string]func(s *story){
		"a comment": func(s *story) { s.pull.Comment("maria", "/tenon fix `theirs.txt`") },
		"a review":  func(s *story) { s.pull.Review("maria", "/tenon fix `theirs.txt`") },
		"a line":    func(s *story) { s.pull.ReviewComment("maria", "theirs.txt", 1, "/tenon fix `theirs.txt`") },
		"a label":   func(s *story) { s.pull.Label("maria", "tenon") },
	} {
		for _, m := range at {
			if name == "a comment" && (m.plant == nil || m.name == "after the first look") {
				continue // GitHub does not tell at which commit it was made
			}
			t.Run(name+", "+m.name, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, forkReply)
				s.settings("strangers: commit\n")
				fork := s.fromFork("stranger")
				m.race(s, func() { give(s) }, func() { fork.Push("theirs", evil) })
				require.Equal(t, evil["theirs.txt"], theirs(t, fork))
				for _, c := range fork.Commits("theirs") {
					require.NotContains(t, c.Message, "Tenon-Run: ")
				}
				answers := strings.Join(saidIn(s.pull), "\n")
				require.Contains(t, answers, "who may not write to this repository")
				if m.late {
					require.Contains(t, answers, "-two\n+2\n", "what was paid for is not lost")
				} else {
					require.Empty(t, s.Model.Questions())
					require.Contains(t, answers, "The branch `theirs` has moved since the command was given, from")
				}
			})
		}
	}
}

// saidIn returns all comments of the app in a thread.
func saidIn(thread *bottest.Thread) (out []string) {
	for _, c := range thread.Said() {
		out = append(out, c.Body())
	}
	return out
}

// Whoever pushes to the repository itself, or to a fork of a member, may write here.
func TestAMembersPushIsSaidAndTheRunGoesOnWithTheNewTip(t *testing.T) {
	t.Parallel()
	const slow = "one\n\nfar\n\naway\n\n"
	for name, fork := range map[string]bool{"the repository": false, "a member's fork": true} {
		for _, m := range raceMoments {
			t.Run(name+", "+m.name, func(t *testing.T) {
				t.Parallel()
				reply := edit("slow.txt", "one", "two")
				s := newStory(t, reply)
				s.addVictor()
				repo := s.Repo
				if fork {
					repo = s.fromFork("victor")
				} else {
					s.push(map[string]string{"slow.txt": slow})
				}
				branch := map[bool]string{false: "speed", true: "theirs"}[fork]
				if fork {
					repo.Push(branch, map[string]string{"slow.txt": slow})
				}
				if !m.late {
					s.afterWhile()
				}
				m.race(s, func() { s.pull.Review("maria", "/tenon fix `slow.txt`") },
					func() { repo.Push(branch, map[string]string{"slow.txt": slow + "new\n"}) })
				data, _ := repo.File(branch, "slow.txt")
				require.Equal(t, strings.Replace(slow, "one", "two", 1)+"new\n", data, s.pull.LastAnswer())
				dead := strings.Contains(m.name, "dead")
				if !m.late && !dead {
					require.Contains(t, s.Model.Questions()[0], slow+"new\n")
					require.Contains(t, s.pull.LastAnswer(), "After the command was given, [somebody with write permission pushed](")
				} else {
					require.Contains(t, s.pull.LastAnswer(), "The branch moved in the meantime")
				}
			})
		}
	}
}

// The tip of a branch to which only members push is not asked for twice in a moment. What they push in it is merged
// with the edits.
func TestAMembersPushInTheMomentOfTheFirstLookIsSeenAtTheCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("slow.txt", "one", "two"))
	s.push(map[string]string{"slow.txt": "one\n\nfar\n"})
	s.Before("Comments").Do(func() { s.push(map[string]string{"slow.txt": "one\n\nfar\n\nlater\n"}) })
	got := s.say("/tenon fix `slow.txt`")
	require.Equal(t, "two\n\nfar\n\nlater\n", s.File("speed", "slow.txt"))
	require.Contains(t, got.answer, "The branch moved in the meantime")
	require.NotContains(t, s.Model.Questions()[0], "later")
}

// What tenon itself commits for one command is no push of a stranger for the next.
func TestTheCommitOfTheCommandBeforeIsNobodysPush(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply, edit("theirs.txt", "2", "zwei"))
	fork := s.fromFork("stranger")
	s.pull.Review("maria", "/tenon fix `theirs.txt`")
	s.pull.Review("maria", "/tenon fix `theirs.txt` again")
	s.Run()
	require.Equal(t, "one\nzwei\nthree\n", theirs(t, fork))
	require.NotContains(t, s.pull.LastAnswer(), "pushed")
}

// What may not be done any more is not done.
func TestWhatIsNoLongerAllowedIsNotCommitted(t *testing.T) {
	t.Parallel()
	closing := func(s *story) { s.pull.SetOpen(false) }
	for name, act := range map[string]func(s *story){
		"the permission is gone":  func(s *story) { s.Repo.SetRole("victor", port.PermissionTriage) },
		"enabled: false":          func(s *story) { s.settings("enabled: false\n") },
		"the organisation":        nil,
		"verbs: [ask]":            func(s *story) { s.settings("verbs: [ask]\n") },
		"who: admin":              func(s *story) { s.settings("who: admin\n") },
		"who: maintain":           func(s *story) { s.settings("who: maintain\n") },
		"protected: [main.go]":    func(s *story) { s.settings("protected: [main.go]\n") },
		"protected: ['*.go']":     func(s *story) { s.settings("protected: ['*.go']\n") },
		"settings that are wrong": func(s *story) { s.settings("who: boss\n") },
		"no settings":             func(s *story) { s.settings(strings.Repeat("#", 65<<10)) },
		"closed":                  closing,
		"merged":                  func(s *story) { s.pull.Merge() },
	} {
		playRace(t, name, func(t *testing.T, m raceMoment) {
			s := newStory(t, goodbye)
			s.addVictor()
			doing := act
			if name == "the organisation" { // that it has settings is looked for every ten minutes
				org := s.organisation("# Nothing yet.\n")
				doing = func(*story) { org.Push("main", map[string]string{".github/tenon.yml": "enabled: false\n"}) }
			}
			before := s.File("speed", "main.go")
			m.race(s, func() { s.pull.Comment("victor", "/tenon fix `main.go`") }, func() { doing(s) })
			s.uncommitted()
			require.Equal(t, before, s.File("speed", "main.go"))
			if m.late && !strings.Contains(m.name, "dead") && !strings.HasPrefix(name, "protected") {
				require.Contains(t, s.pull.LastAnswer(), "println(\"goodbye\")", "what was paid for is not lost")
			}
		})
	}
}

// The same for a label on a stranger's issue, of which the settings now want a preview.
func TestAPreviewThatIsWantedByNowIsNotCommitted(t *testing.T) {
	t.Parallel()
	playRace(t, "strangers: preview", func(t *testing.T, m raceMoment) {
		if m.name == "while files are fetched" { // whether a branch moved is asked for pull requests alone
			m.plant = planted("Load", "", 1)
		}
		s := newStory(t, goodbye)
		s.settings("strangers: commit\n")
		issue := s.Repo.OpenIssue("stranger", "It greets too early", "In `main.go` it should part.")
		m.race(s, func() { issue.Label("maria", "tenon") }, func() { s.settings("strangers: preview\n") })
		s.uncommitted()
		require.Contains(t, issue.LastAnswer(), "println(\"goodbye\")")
	})
}
