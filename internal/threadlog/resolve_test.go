package threadlog_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/marks"
)

// choose has maria tick the box of a choice for a conflict.
func (s *story) choose(c *bottest.Comment, id, choice int) {
	s.t.Helper()
	s.Clock.Advance(30 * time.Second)
	c.Choose("maria", id, choice)
	s.Run()
}

// conflicting returns a story in which three files conflict.
func conflicting(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	files := func(text string) map[string]string {
		return map[string]string{"a.txt": "a " + text + "\n", "b.txt": "b " + text + "\n", "c.txt": "c " + text + "\n"}
	}
	s.Repo.Push("main", files("before"))
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.Repo.Push("speed", files("ours"))
	s.Repo.Push("main", files("theirs"))
	return s
}

func TestEachTickOfAConflictIsAJobThatKnowsTheOthers(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: open Which?\nC3: new\n```\nc new\n```\n")
	require.Contains(t, s.say("/tenon resolve"), "3 conflicts, 2 open")
	c := s.newest()
	s.choose(c, 2, 0)
	require.Contains(t, visible(c.Body()), "3 conflicts, 1 open")
	s.choose(c, 3, 3)
	require.Contains(t, visible(c.Body()), "✅ **Merge branch 'main' into speed**")
	require.Len(t, marks.In(c.Body()), 3, "of the answer and of two ticks")
	for name, want := range map[string]string{"a.txt": "a theirs\n", "b.txt": "b ours\n", "c.txt": "c new\n"} {
		require.Equal(t, want, s.File("speed", name))
	}
	require.Len(t, s.Model.Questions(), 1)
	require.Contains(t, s.say("/tenon undo"), "files reverted")
	require.Equal(t, "a ours\n", s.File("speed", "a.txt"))
}

func TestAJobSettlesByNameWhatAnEarlierOneShowed(t *testing.T) {
	t.Parallel()
	s := conflicting(t, "C1: theirs\nC2: open Which?\nC3: new\n```\nc new\n```\n")
	s.say("/tenon resolve")
	require.Contains(t, s.say("/tenon resolve C2 theirs"), "3 conflicts, 1 open")
	require.Contains(t, s.say("/tenon apply"), "✅ **Merge branch 'main' into speed**")
	require.Equal(t, "b theirs\n", s.File("speed", "b.txt"))
	require.Equal(t, "c new\n", s.File("speed", "c.txt"))
}
