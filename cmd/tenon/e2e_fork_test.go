package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gh/ghtest"
)

// fromFork opens a pull request from a fork, with the stage's speed.txt in it.
func (s *stage) fromFork(pull ghtest.Pull) {
	s.t.Helper()
	fork, err := s.github.Fork(s.repo, "stranger")
	require.NoError(s.t, err)
	_, err = s.github.Push(fork, "theirs", map[string]string{"theirs.txt": "one\ntwo\nthree\n"}, "Theirs\n")
	require.NoError(s.t, err)
	pull.As, pull.Repo, pull.Title, pull.Head = "stranger", s.repo, "Mine", "stranger:theirs"
	s.pull, err = s.github.OpenPull(pull)
	require.NoError(s.t, err)
}

const forkReply = "theirs.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"

func TestAForkThatMaintainersMayEditGetsTheCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(ghtest.Pull{})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "rocket")
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\n2\nthree\n", string(data))
	require.Contains(t, s.answers()[0], "**Applied 1")
}

func TestAForkThatMaintainersMayNotEditGetsSuggestionsAndAPatch(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(ghtest.Pull{NoMaintainerEdits: true})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "confused")
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\nthree\n", string(data))
	require.Contains(t, s.answers()[0], "has not allowed edits by maintainers")
	require.Contains(t, s.answers()[0], "-two\n+2\n", "the patch")
	notes, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(t, err)
	require.Len(t, notes, 1)
	require.Contains(t, notes[0].Body, "```suggestion\n2\n```")
}
