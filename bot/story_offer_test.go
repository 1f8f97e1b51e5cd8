package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// fasterReply is a reply that the branch of the pull request does not take.
var fasterReply = "COMMIT: fix: be faster\n\n" + faster

// offered gives a command whose edits the branch refuses, and returns the comment with the box.
func (s *story) offered(command string) *bottest.Comment {
	s.t.Helper()
	s.Repo.Protect("speed", "Changes must be made through a pull request.")
	s.say(command)
	return s.offer()
}

// offer is the newest comment with a box that opens a pull request.
func (s *story) offer() *bottest.Comment {
	s.t.Helper()
	var found *bottest.Comment
	for _, c := range s.pull.Said() {
		if strings.Contains(c.Body(), "<!-- tenon:offer=") {
			require.Nil(s.t, found, "one offer")
			found = c
		}
	}
	require.NotNil(s.t, found)
	return found
}

// opened returns the pull requests that boxes opened.
func (s *story) opened() (list []*bottest.Thread) {
	for _, name := range s.Repo.Branches("tenon/pull-") {
		if p := s.Repo.PullOf(name); p != nil {
			list = append(list, p)
		}
	}
	return list
}

// The offer, and the pull request, are made once, wherever the process dies.
var (
	refusedFix = resumable{
		func(t *testing.T) *story {
			s := newStory(t, fasterReply)
			s.Repo.Protect("speed", "No.")
			return s
		},
		func(s *story) { s.pull.Comment("maria", "/tenon fix `speed.txt`") },
	}
	tickOfAnOffer = resumable{
		func(t *testing.T) *story {
			s := newStory(t, fasterReply)
			s.offered("/tenon fix `speed.txt`")
			return s
		},
		func(s *story) { s.offer().Tick("maria", 1) },
	}
)

func TestABoxOpensAPullRequestAgainstABranchThatTakesNoCommits(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		s := newStory(t, fasterReply)
		s.addVictor()
		s.settings("commits: " + commits + "\n")
		c := s.offered("/tenon fix `speed.txt`")
		require.Equal(t, port.IssueComment, c.Port().Kind, "only there can people tick boxes")
		require.Contains(t, c.Body(), "- [ ] **1** Open a pull request against it with this edit")
		require.Empty(t, s.opened(), "nobody has ticked it")

		s.tick("victor", c, 1)
		require.Len(t, s.opened(), 1)
		pull := s.opened()[0]
		branch := s.Repo.Branches("tenon/pull-")[0]
		data, _ := s.Repo.File(branch, "speed.txt")
		require.Equal(t, "faster\n", data)
		require.Equal(t, "fast\n", s.File("speed", "speed.txt"), "the branch itself is left alone")
		require.Equal(t, "speed", pull.Base())
		require.Equal(t, "fix: be faster", pull.Title())
		require.True(t, pull.Draft())
		require.Contains(t, pull.Text(),
			"For #1: `speed` does not accept commits from this app, so `victor` asked for them here.")
		require.Contains(t, c.Body(), "✅ Opened pull request [#")
		require.NotContains(t, c.Body(), "[ ]")
		require.Len(t, s.Model.Questions(), 1, "no model is asked")

		s.say("/tenon retry")
		require.Contains(t, s.pull.LastAnswer(), "Nothing is left to retry here", "what is there is not asked for again")
	}
}

// Whoever may not write may not tick, and a box that somebody else wrote is none.
func TestOnlyTheOfferItselfOpensAPullRequestAndOnlyForWhoeverMayWrite(t *testing.T) {
	t.Parallel()
	s := newStory(t, fasterReply)
	s.addVictor()
	c := s.offered("/tenon fix `speed.txt`")
	s.Repo.SetRole("victor", port.PermissionTriage)
	s.Before("Permission").Do(func() { s.Repo.SetRole("victor", port.PermissionTriage) })
	s.Repo.SetRole("victor", port.PermissionWrite) // GitHub let the tick pass
	s.tick("victor", c, 1)
	require.Empty(t, s.opened())
	require.Contains(t, c.Body(), "- [ ] **1**", "the tick is gone")

	copied := s.pull.Comment("maria", c.Body())
	s.tick("maria", copied, 1)
	require.Empty(t, s.opened())
}

// A setting that came since, or a line of the patch that would be another one: nothing is opened.
func TestWhatWouldNotBeTheEditsThatWereShownIsNotOpened(t *testing.T) {
	t.Parallel()
	s := newStory(t, fasterReply)
	c := s.offered("/tenon fix `speed.txt`")
	s.settings("protected: [speed.txt]\n")
	s.tick("maria", c, 1)
	require.Empty(t, s.Repo.Branches("tenon/pull-"))
	require.Contains(t, s.pull.LastAnswer(), "would no longer be those that the answer shows")
	require.Contains(t, c.Body(), "- [ ] **1**")
}

// What a patch in an answer cannot carry is not seen by anybody, so it has no box.
func TestEditsThatAreNotShownWholeAreNotOffered(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]string{
		"too long":           edit("long.txt", "", strings.Repeat("a line of some length\n", 4000)),
		"carriage returns":   faster + edit("dos.txt", "one", "two"),
		"settings forbid it": faster,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, reply)
			s.push(map[string]string{"dos.txt": "one\r\n"})
			if name == "settings forbid it" {
				s.settings("verbs: [fix]\n")
			}
			s.Repo.Protect("speed", "No.")
			s.say("/tenon fix `dos.txt` and `speed.txt`")
			require.Zero(t, s.saying("tenon:offer="))
			require.Equal(t, 1, s.saying("a rule or protection of the branch keeps this app from writing to it"))
		})
	}
}

// Two people tick the box of copies of one page.
func TestASecondTickFindsThePullRequest(t *testing.T) {
	t.Parallel()
	s := newStory(t, fasterReply)
	s.addVictor()
	c := s.offered("/tenon fix `speed.txt`")
	was := c.Body()
	s.tick("maria", c, 1)
	c.Edit("victor", was)
	s.tick("victor", c, 1)
	require.Len(t, s.opened(), 1)
	require.Contains(t, s.pull.LastAnswer(), "The pull request with these edits already exists: #")
}

// The other commands that commit have their changes offered too.
func TestUndoRunAndApplyAreOffered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ path, want string }{
		"/tenon undo":  {"speed.txt", "fast\n"},
		"/tenon run 1": {"hello.go", ""},
		"/tenon apply\n\n" + edit("speed.txt", "slow", "faster"): {"speed.txt", "faster\n"},
	} {
		t.Run(name[:11], func(t *testing.T) {
			t.Parallel()
			s := newStory(t, edit("speed.txt", "fast", "slow")+"```bash\ngit mv greet.go hello.go\n```\n")
			s.say("/tenon fix `speed.txt`")
			s.tick("maria", s.offered(name), 1)
			require.Len(t, s.opened(), 1)
			data, ok := s.Repo.File(s.Repo.Branches("tenon/pull-")[0], c.path)
			require.True(t, ok)
			if c.want != "" {
				require.Equal(t, c.want, data)
			}
		})
	}
}

// The name of the new branch can be read from the offer, and anybody who may push can make it first.
func TestABranchThatSomebodyMadeInPlaceOfTheOfferedOneGetsNoCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, fasterReply)
	s.addVictor()
	c := s.offered("/tenon fix `speed.txt`")
	_, run, _ := strings.Cut(c.Body(), "tenon:offer=")
	name := "tenon/pull-1-" + run[:12]
	s.Repo.SetBranch(name, s.Repo.Branch("speed"))
	s.Repo.Push(name, map[string]string{"evil.txt": "evil\n"})
	s.tick("maria", c, 1)
	require.Empty(t, s.opened())
	require.Empty(t, s.Commits(name))
}
