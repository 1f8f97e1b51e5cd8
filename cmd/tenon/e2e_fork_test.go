package main

import (
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// fromFork opens a pull request from a fork, with the stage's speed.txt in it.
func (s *stage) fromFork(pull sim.Pull) {
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
	s.fromFork(sim.Pull{})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "rocket")
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\n2\nthree\n", string(data))
	require.Contains(t, s.answers()[0], " · 1 edit committed")
}

func TestAForkThatMaintainersMayNotEditGetsSuggestionsAndAPatch(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(sim.Pull{NoMaintainerEdits: true})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "confused")
	data, err := s.github.File("stranger/lathe", "theirs", "theirs.txt")
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\nthree\n", string(data))
	require.Contains(t, s.answers()[0], `has not ticked "Allow edits by maintainers"`)
	require.Contains(t, s.answers()[0], "-two\n+2\n", "the patch")
	notes, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(t, err)
	require.Len(t, notes, 1)
	require.Contains(t, notes[0].Body, "```suggestion\n2\n```")
}

func TestKilledAfterThePushToAForkThereIsOneCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(sim.Pull{})
	s.startProcess()
	k := newKiller(s)
	k.at(simhttp.AfterEffect, isPush)
	id := s.comment("maria", "/tenon fix `theirs.txt`")
	k.wait()
	s.github.Gate(nil)
	s.startProcess()
	require.Contains(t, s.settled(id), "rocket")
	list, err := s.github.Commits("stranger/lathe", "theirs")
	require.NoError(t, err)
	require.Contains(t, list[0].Message, "Tenon-Run: ")
	require.NotContains(t, list[1].Message, "Tenon-Run: ")
	require.Len(t, s.answers(), 1)
}

func TestKilledBetweenSuggestionsAndTheirRecordTheyAreOfferedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	s.fromFork(sim.Pull{NoMaintainerEdits: true})
	s.startProcess()
	k := newKiller(s)
	var reviews atomic.Int32
	k.at(simhttp.AfterEffect, func(r *http.Request) bool { return isAnswer(r) && reviews.Add(1) == 1 })
	id := s.comment("maria", "/tenon fix `theirs.txt`")
	k.wait()
	s.github.Gate(nil)
	s.startProcess()
	require.Contains(t, s.settled(id), "confused")
	notes, err := s.github.ReviewComments(s.repo, s.pull)
	require.NoError(t, err)
	require.Len(t, notes, 1)
}

// A fork of an organisation takes pushes from nobody else, whatever its author allows.
func TestAForkOfAnOrganisationGetsSuggestions(t *testing.T) {
	t.Parallel()
	s := newStage(t, forkReply)
	require.NoError(t, s.github.AddOrg("guild", "stranger"))
	fork, err := s.github.Fork(s.repo, "guild")
	require.NoError(t, err)
	_, err = s.github.Push(fork, "theirs", map[string]string{"theirs.txt": "one\ntwo\nthree\n"}, "Theirs\n")
	require.NoError(t, err)
	s.pull, err = s.github.OpenPull(sim.Pull{As: "stranger", Repo: s.repo, Title: "Ours", Head: "guild:theirs"})
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `theirs.txt`")), "confused")
	require.Contains(t, s.answers()[0], "fork belongs to an organisation")
}
