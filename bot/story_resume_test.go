package bot_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// resumable is a story that has to end alike, whenever its process is killed.
type resumable struct {
	// open sets the scene up to the command; play gives it, without handling it.
	open func(t *testing.T) *story
	play func(s *story)
}

var resumables = map[string]resumable{
	"backport": backported, "update": updated, "a fork": forkReview, "a choice": fixWithAChoice,
	"a refused fix": refusedFix, "a fix that is held": heldBack, "a fix that fails its test": testedTwice,
	"a tick of an offer": tickOfAnOffer, "apply of what breaks a file": applyOfABreak,
	"fix": {
		func(t *testing.T) *story {
			// A reply that fits again wherever it was applied: only looking for the commit keeps it from being made twice.
			return newStory(t, "COMMIT: fix: greet\n\n"+edit("main.go", "func main() {", "// Hello.\nfunc main() {"))
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `main.go`") },
	},
	"fix with a repair": {
		func(t *testing.T) *story {
			return newStory(t, halfReplies()[0], edit("greet.go", greetLine, betterGreet))
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `main.go` and `greet.go`") },
	},
	"fix that breaks a file": {
		func(t *testing.T) *story { return newStory(t, breaksMain+faster, breaksMain) },
		func(s *story) { s.pull.Comment("maria", "/tenon fix `main.go` and `speed.txt`") },
	},
	"fix by git": {
		func(t *testing.T) *story {
			s := newStory(t, edit("main.go", "func main() {", "// Hello.\nfunc main() {"))
			s.settings("commits: push\n")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `main.go`") },
	},
	"fix on a line": {
		func(t *testing.T) *story { return newStory(t, faster) },
		func(s *story) { s.pull.ReviewComment("maria", "speed.txt", 1, "/tenon fix this") },
	},
	"fix on an issue": {
		func(t *testing.T) *story {
			s := newStory(t, goodbye)
			s.pull = s.issue("")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `main.go`") },
	},
	"fix on a fork": {
		func(t *testing.T) *story {
			s := newStory(t, edit("theirs.txt", "one", "zero\none"))
			s.fromFork("stranger")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `theirs.txt`") },
	},
	"fix with suggestions": {
		func(t *testing.T) *story {
			s := newStory(t, forkReply)
			s.fromFork("stranger")
			s.pull.RefuseEdits()
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `theirs.txt`") },
	},
	"fix of a label": {
		func(t *testing.T) *story { return newStory(t, faster) },
		func(s *story) { s.pull.Label("maria", "tenon") },
	},
	"ask": {
		func(t *testing.T) *story { return newStory(t, "NEED: greet.go", "It greets.") },
		func(s *story) { s.pull.Comment("maria", "/tenon ask what is `main.go`?") },
	},
	"address": {
		func(t *testing.T) *story {
			s := newStory(t, twoRemarks+edit("a.go", "var x = 1", "var x = 10")+"REMARK 2: Fine as it is.\n")
			s.reviewed()
			s.pull.ReviewComment("maria", "a.go", 3, "Make it 10.")
			s.pull.ReviewComment("maria", "b.go", 3, "Why?")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon address") },
	},
	"preview": {
		func(t *testing.T) *story { return newStory(t, threeEdits) },
		func(s *story) { s.pull.Comment("maria", previewThree) },
	},
	"apply": {
		func(t *testing.T) *story {
			s := newStory(t, threeEdits)
			s.preview(previewThree)
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon apply 1,2") },
	},
	"apply of a comment": {
		func(t *testing.T) *story { return newStory(t) },
		func(s *story) { s.pull.Comment("maria", "/tenon apply\n\n"+threeEdits) },
	},
	"tick": {
		func(t *testing.T) *story {
			s := newStory(t, threeEdits)
			s.preview(previewThree)
			return s
		},
		func(s *story) { s.pull.Said()[0].Tick("maria", 2) },
	},
	"retry": {
		func(t *testing.T) *story {
			s := newStory(t, halfReplies(edit("greet.go", greetLine, betterGreet))...)
			s.say(fixWords)
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon retry") },
	},
	"undo": {
		func(t *testing.T) *story {
			s := newStory(t, goodbye)
			s.say("/tenon fix `main.go`")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon undo") },
	},
	"undo by a button": {
		func(t *testing.T) *story {
			s := newStory(t, goodbye)
			s.say("/tenon fix `main.go`")
			return s
		},
		func(s *story) { s.Repo.Press("maria", s.Repo.CheckRuns()[0], "undo") },
	},
	"run": {
		func(t *testing.T) *story {
			s := newStory(t, tidyReply+edit("main.go", helloLine, byeLine))
			s.say("/tenon fix `main.go`")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon run 2") },
	},
	"status": {func(t *testing.T) *story { return newStory(t) },
		func(s *story) { s.pull.Comment("maria", "/tenon status") }},
	"config": {func(t *testing.T) *story { return newStory(t) },
		func(s *story) { s.pull.Comment("maria", "/tenon config") }},
	"help": {func(t *testing.T) *story { return newStory(t) }, func(s *story) { s.pull.Comment("victor", "/tenon help") }},
	"cancel": {func(t *testing.T) *story { return newStory(t) },
		func(s *story) { s.pull.Comment("maria", "/tenon cancel") }},
	"refusal": {func(t *testing.T) *story { return newStory(t) },
		func(s *story) { s.pull.Comment("stranger", "/tenon fix it") }},
	"problem": {func(t *testing.T) *story { return newStory(t) },
		func(s *story) { s.pull.Comment("maria", "/tenon fxi it") }},
}

// Whatever write the process dies after, which is before the next one: in the end all is as if it had not died. What
// was recorded is not asked for again.
func TestKilledAtAnyWriteARunEndsAsIfItHadNotBeen(t *testing.T) {
	t.Parallel()
	for name, r := range everyResumable() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := r.open(t)
			asked, writes := len(s.Model.Questions()), s.Writes()
			r.play(s)
			s.Run()
			want, calls := s.outcome(), len(s.Model.Questions())-asked
			points := s.Writes() - writes
			require.Positive(t, points)
			for at := 1; at <= points; at++ {
				again := r.open(t)
				asked := len(again.Model.Questions())
				again.KillAt(at)
				r.play(again)
				again.Run()
				require.Equal(t, want, again.outcome(), "killed at write %d of %d", at, points)
				require.Empty(t, again.Queue.DeadLetters())
				require.LessOrEqual(t, len(again.Model.Questions())-asked, calls+1, "killed at write %d", at)
			}
		})
	}
}

var (
	sha      = regexp.MustCompile(`\b[0-9a-f]{7,40}\b`)
	duration = regexp.MustCompile(`\b[0-9.]+ s\b|in \d+ min`)
	number   = regexp.MustCompile(`-?\b300\d{7}\b`)
	usage    = regexp.MustCompile(`\| \d+ \| \d+ \|`)
)

// outcome is all that a story came to, but for what differs from one time to the next.
func (s *story) outcome() (list []string) {
	s.t.Helper()
	for number := 1; s.Repo.Thread(number) != nil; number++ {
		thread := s.Repo.Thread(number)
		list = append(list, fmt.Sprintf("#%d %s: %s", number, thread.Title(), thread.Text()))
		for _, c := range s.sorted(thread) {
			list = append(list, fmt.Sprintf("#%d %s %s: %s %v", number, c.Kind(), c.Author(), c.Body(), reactions(c)))
		}
	}
	for _, branch := range s.Repo.Branches("") {
		for _, c := range s.Repo.Commits(branch) {
			list = append(list, fmt.Sprintf("%s: %s by %s, verified %v", branch, c.Message, c.Author, c.Verified))
		}
		for _, name := range []string{"main.go", "greet.go", "speed.txt", "new.txt", "a.go"} {
			data, _ := s.Repo.File(branch, name)
			list = append(list, fmt.Sprintf("%s %s: %s", branch, name, data))
		}
	}
	open := map[string]bool{} // a check whose id was not recorded is made again, and the first is left as it was
	for _, c := range s.Repo.CheckRuns() {
		if c.Status == "completed" {
			open[fmt.Sprintf("check %s %s %v", c.Conclusion, c.Title, c.Buttons)] = true
		}
	}
	list = append(list, fmt.Sprint(open))
	for i, text := range list {
		text = sha.ReplaceAllString(text, "SHA")
		text = number.ReplaceAllString(text, "ID")
		text = usage.ReplaceAllString(text, "| n | m |")
		list[i] = duration.ReplaceAllString(text, "N s")
	}
	return list
}

// sorted are the comments of a thread, people's first; when the app's were made is another story.
func (s *story) sorted(thread *bottest.Thread) (list []*bottest.Comment) {
	for _, kind := range []port.EventKind{port.IssueComment, port.Review, port.ReviewComment} {
		list = append(list, thread.Comments(kind)...)
	}
	return list
}

// GitHub's clock is behind: the answer of an attempt that died is found anyway.
func TestAnAnswerIsFoundAlthoughGitHubsClockIsBehind(t *testing.T) {
	t.Parallel()
	for _, skew := range []time.Duration{-9 * time.Minute, 0, 9 * time.Minute} {
		s := newStory(t, goodbye)
		s.GitHub.Skew(skew)
		s.After("Announce").Kill()
		got := s.say("/tenon fix `main.go`")
		require.Contains(t, got.answer, " · 1 edit committed")
		require.Len(t, s.pull.Answers(), 1, skew)
	}
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.pull.RefuseEdits()
	s.GitHub.Skew(-9 * time.Minute)
	s.After("Suggest").Kill()
	s.say("/tenon fix `theirs.txt`")
	require.Len(t, s.pull.Comments(port.ReviewComment), 1)

	s = newStory(t, twoRemarks+edit("a.go", "var x = 1", "var x = 10"))
	s.GitHub.Skew(-9 * time.Minute)
	s.reviewed()
	thread := s.pull.ReviewComment("maria", "a.go", 3, "Make it 10.")
	s.After("Post").Of("thread=").Kill()
	s.say("/tenon address")
	require.Len(t, s.repliesTo(thread), 1)
}

// The push was made, and before its answer came somebody else pushed on top: the commit is found anyway.
func TestKilledAfterThePushAndTheBranchWentOn(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.After("Upload").Do(func() { s.push(map[string]string{"main.go": "package main // anew\n"}) })
	s.After("Upload").Kill()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Commits("speed"), 1)
	require.Equal(t, "package main // anew\n", s.File("speed", "main.go"))
}

// The pull request was merged with the commit in it before the process could record it.
func TestKilledAfterThePushAndThePullRequestWasMerged(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.After("Upload").Do(func() { s.pull.Merge() })
	s.After("Upload").Kill()
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 edit committed\\\n[`")
	require.NotContains(t, got.answer, "is merged")
	require.Len(t, s.Commits("speed"), 1)
	require.Contains(t, s.File("main", "main.go"), "goodbye")
}

// Where the commits cannot be looked through, none is made a second time.
func TestAResumedRunThatCannotLookForItsCommitWaits(t *testing.T) {
	t.Parallel()
	insert := edit("main.go", "func main() {", "// Hello.\nfunc main() {")
	s := newStory(t, insert)
	s.After("Upload").Kill()
	s.Before("FindCommit").Fail(bottest.Retryable(time.Minute))
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Len(t, s.Commits("speed"), 1)

	s = newStory(t, edit("theirs.txt", "one", "zero\none"))
	fork := s.fromFork("stranger")
	s.After("Commit").Kill()
	s.Before("Tips").Of("stranger/lathe").Nth(2).Fail(bottest.Retryable(time.Minute))
	s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "zero\none\ntwo\nthree\n", theirs(t, fork))
}

func TestKilledWhenItHasSaidThatACommandWaits(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.while(func() {
		s.pull.Comment("maria", "/tenon fix `main.go` again")
		s.NotifyQueued()
		s.Before("Charge").Kill()
	})
	s.Model.Says(goodbye, farewell)
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Len(t, s.pull.Answers(), 2)
	require.NotContains(t, strings.Join(s.pull.Answers(), "\n"), "Waiting")
	require.Len(t, s.Commits("speed"), 2)
}

// An event that ends the process each time becomes a dead letter, the thread is told, and later commands are served.
func TestAnEventThatKillsTheProcessIsGivenUp(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	for i := range bottest.MaxDeaths {
		s.Before("Upload").Nth(i + 1).Kill()
	}
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, []string{"eyes", "confused"}, got.reactions)
	require.Contains(t, got.answer, "An internal error kept tenon from finishing this")
	require.Contains(t, got.answer, s.LastEvent().Delivery)
	require.Len(t, s.Calls("Upload"), bottest.MaxDeaths)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

// The commit was made, and before the process could record it, it died; a cancel does not undo that, and nobody is told
// so.
func TestACancelOfWhatDiedAfterItsPushLetsItFinish(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.After("Upload").Kill()
	s.Before("Permission").Nth(2).Do(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
		require.Equal(t, 1, s.saying("**Too late to cancel**"))
	})
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, reactions(c))
	require.Len(t, s.Commits("speed"), 1)
	require.Equal(t, 1, s.saying(" · 1 edit committed"))
}

// A run that died is cancelled before it is taken up again: its answer says so.
func TestACancelOfWhatDiedIsToldInItsAnswer(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.After("Announce").Kill()
	c := s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Before("Start").Nth(2).Fail(errors.New("busy"))
	s.Before("Start").Nth(3).Do(func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	})
	s.Run()
	require.Contains(t, reactions(c), "confused")
	require.Subset(t, []string{"eyes", "confused"}, reactions(c), "👀 may be lost with the post that kills")
	require.Equal(t, 1, s.saying("**Cancelled** by `maria`"))
	require.Empty(t, s.Commits("speed"))
}

// A resumed run that finds its record in one form of the world, and the thread in another.
func TestAResumedRunSeesThatTheThreadWasClosed(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Upload").Do(func() { s.pull.SetOpen(false) })
	s.Before("Upload").Kill()
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, "this pull request is closed")
	require.Empty(t, s.Commits("speed"))
}
