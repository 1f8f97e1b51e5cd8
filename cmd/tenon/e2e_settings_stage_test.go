package main

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// done has somebody give a command, and requires that something is committed.
func (s *stage) done(as, command string) {
	s.t.Helper()
	commits := len(s.commits())
	require.Contains(s.t, s.settled(s.comment(as, command)), "rocket")
	require.Len(s.t, s.commits(), commits+1)
}

// refused has somebody give a command, and requires that it is refused in these words: no model is asked, and nothing
// is committed.
func (s *stage) refused(as, command string, words ...string) {
	s.t.Helper()
	asked := len(s.model.questions())
	s.refusedAfterAsking(as, command, words...)
	require.Len(s.t, s.model.questions(), asked)
}

// refusedAfterAsking is refused for a command of which the model's reply is not applied.
func (s *stage) refusedAfterAsking(as, command string, words ...string) {
	s.t.Helper()
	commits := len(s.commits())
	require.Contains(s.t, s.settled(s.comment(as, command)), "confused")
	answers := s.answers()
	for _, w := range words {
		require.Contains(s.t, answers[len(answers)-1], w)
	}
	require.Len(s.t, s.commits(), commits)
}

// overBudget requires that a command is refused for a budget that is used up.
func (s *stage) overBudget(as, budget string) {
	s.t.Helper()
	s.refused(as, "/tenon fix `greet.go`", "The budget for "+budget+", so the model was not asked.")
}

// member gives somebody a role in the repository.
func (s *stage) member(login string, role entity.Role) {
	s.t.Helper()
	require.NoError(s.t, s.github.AddUser(login))
	require.NoError(s.t, s.github.SetRole(s.repo, login, role))
}

// organisationSays changes the settings of the organisation.
func (s *stage) organisationSays(text string) {
	s.t.Helper()
	owner, _, _ := strings.Cut(s.repo, "/")
	_, err := s.github.Push(owner+"/.github", "main", map[string]string{".github/tenon.yml": text}, "Set tenon up\n")
	require.NoError(s.t, err)
}

// tip is the newest commit of the pull request's branch.
func (s *stage) tip() sim.Commit {
	s.t.Helper()
	list, err := s.github.Commits(s.repo, "speed")
	require.NoError(s.t, err)
	return list[0]
}

// pullsFromTenon are the pull requests from branches of the app.
func (s *stage) pullsFromTenon() (from []sim.PullState) {
	s.t.Helper()
	list, err := s.github.Pulls(s.repo)
	require.NoError(s.t, err)
	for _, p := range list {
		if strings.Contains(p.Head, ":tenon/") {
			from = append(from, p)
		}
	}
	return from
}
