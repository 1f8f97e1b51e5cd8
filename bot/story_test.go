package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/testdata"
)

// story is a world with a bot in it, and a pull request of acme/lathe.
type story struct {
	*bottest.World
	t    *testing.T
	bot  *bot.Bot
	pull *bottest.Thread
}

// newStory returns a story in which the model gives replies. The pull request is of maria, from the branch speed with
// speed.txt.
func newStory(t *testing.T, replies ...string) *story {
	t.Helper()
	w := bottest.New(t)
	s := &story{World: w, t: t}
	s.bot = &bot.Bot{
		GitHub: w.GitHub, Repos: w.Repos, Model: w.Model, Runs: w.Queue, Queue: w.Queue, Budget: w.Budget, Watches: w.Queue,
		Audit:  w.Queue,
		Policy: policy.ServerPolicy(policy.Layer{}), Models: []port.ModelInfo{{Name: bottest.ModelName}},
		Slug: bottest.Slug, Now: w.Clock.Now, Log: w.Log,
	}
	w.Handler = s.bot
	w.Model.Says(replies...)
	s.pull = w.Pull("speed", map[string]string{"speed.txt": "fast\n"})
	return s
}

// told is the result of a command.
type told struct {
	// reactions are the app's to the command, verdict is the last of them.
	reactions []string
	verdict   string
	// answer is the one answer to the command, run its run.
	answer, run string
}

// say has maria give a command on the pull request, and handles all that there is to handle.
func (s *story) say(body string) told {
	s.t.Helper()
	return s.sayIn(s.pull, body)
}

func (s *story) sayIn(thread *bottest.Thread, body string) told {
	s.t.Helper()
	return s.sayAs("maria", thread, body)
}

func (s *story) sayAs(who string, thread *bottest.Thread, body string) told {
	s.t.Helper()
	s.Clock.Advance(30 * time.Second) // people take their time, and GitHub's limits are far
	c := thread.Comment(who, body)
	ev := s.LastEvent()
	s.Run()
	return s.told(thread, c, ev)
}

// told is the result of an event so far.
func (s *story) told(thread *bottest.Thread, c *bottest.Comment, ev port.Event) told {
	s.t.Helper()
	out := told{run: port.RunID(ev.Delivery)}
	if c != nil {
		out.reactions = reactions(c)
	}
	if n := len(out.reactions); n > 0 {
		out.verdict = out.reactions[n-1]
	}
	if found := s.answersTo(thread, out.run); len(found) > 0 {
		require.Len(s.t, found, 1, "one answer to a command")
		out.answer = found[0]
	}
	return out
}

// reactions are the app's to a comment, with the eyes first: they are added beside the work.
func reactions(c *bottest.Comment) []string {
	list := c.Reactions()
	if i := slices.Index(list, "eyes"); i >= 0 {
		list = slices.Insert(slices.Delete(list, i, i+1), 0, "eyes")
	}
	return list
}

// answersTo are the answers of a run in a thread.
func (s *story) answersTo(thread *bottest.Thread, run string) (list []string) {
	for _, c := range thread.Said() {
		if strings.Contains(c.Body(), "<!-- tenon:run="+run+" -->") {
			list = append(list, c.Body())
		}
	}
	return list
}

// saying counts what the app said on the pull request that contains a text.
func (s *story) saying(text string) (n int) {
	for _, a := range s.pull.Answers() {
		if strings.Contains(a, text) {
			n++
		}
	}
	return n
}

// while has something happen while the model writes its last reply.
func (s *story) while(f func()) { s.Model.While(f) }

// settings sets the repository up, on its default branch.
func (s *story) settings(text string) {
	s.t.Helper()
	s.Repo.Push("main", map[string]string{".github/tenon.yml": text})
}

// organisation makes the organisation's repository for settings.
func (s *story) organisation(text string) *bottest.Repo {
	return s.GitHub.AddRepo("acme/.github", map[string]string{".github/tenon.yml": text})
}

// victor may write.
func (s *story) addVictor() { s.Repo.SetRole("victor", port.PermissionWrite) }

// push commits files to the branch of the pull request.
func (s *story) push(files map[string]string) {
	s.t.Helper()
	s.Repo.Push("speed", files)
}

// steps are the names of what the run of the newest event recorded, sorted.
func (s *story) steps() (names []string) {
	for name := range s.Queue.Steps(s.LastEvent().Delivery) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// edit is a block of a reply.
func edit(path, find, put string) string {
	return testdata.Edit(path, find, put)
}

// bare is an edit block without a fence.
func bare(path, find, put string) string {
	return path + "\n<<<<<<< SEARCH\n" + find + "\n=======\n" + put + "\n>>>>>>> REPLACE\n"
}

const (
	helloLine   = testdata.HelloLine
	byeLine     = testdata.ByeLine
	greetLine   = testdata.GreetLine
	betterGreet = testdata.BetterGreet
	badGreet    = testdata.BadGreet
)

var (
	// goodbye is a reply that fits; farewell fits after it.
	goodbye  = testdata.Reply("goodbye")
	farewell = edit("main.go", byeLine, "\tprintln(\"farewell\")")
	// faster is one for the pull request's own file.
	faster = edit("speed.txt", "fast", "faster")
	// threeEdits are of one file each.
	threeEdits = "COMMIT: fix: be polite\n\n" + edit("main.go", helloLine, byeLine) + edit("greet.go", greetLine,
		betterGreet) + edit("new.txt", "", "new")
)

// halfReplies are those of a fix of which one edit is made and one is not, whatever the model is told.
func halfReplies(more ...string) []string {
	bad := edit("greet.go", badGreet, betterGreet)
	return append([]string{edit("main.go", helloLine, byeLine) + bad, bad, bad}, more...)
}

// issueBranch is the branch of an issue.
func issueBranch(issue *bottest.Thread) string { return fmt.Sprintf("tenon/issue-%d", issue.Number()) }

// issue opens an issue of maria.
func (s *story) issue(body string) *bottest.Thread {
	s.t.Helper()
	return s.Repo.OpenIssue("maria", "It greets too early", body)
}
