package gh_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

var verificationStories = []story{
	{"a workflow is started on a branch and found by its commit", workflowStarted},
	{"a workflow that is not there, or cannot be started, is refused", workflowRefused},
	{"without actions to write, no workflow is started", startDenied},
	{"a branch is moved forward", branchMovedForward},
	{"a branch that does not exist is made", branchMade},
	{"a branch that somebody moved is left alone", branchMovedMeanwhile},
	{"a protected branch is not moved", protectedNotMoved},
	{"a branch is moved though the answer was lost", moveAnswerLost},
	{"a branch is deleted once", branchDeleted},
}

// scratch is what the names of the branches begin with on which edits are verified.
const scratch = "tenon/verify-"

func workflowStarted(t *testing.T, s *stage) {
	ctx, repo := t.Context(), s.Ref(lathe)
	for _, branch := range []string{"main", "speed"} {
		s.AddWorkflow(lathe, branch, "verify.yml", "workflow_dispatch")
	}
	for _, one := range []struct {
		conclusion string
		want       port.CheckOutcome
	}{{"success", port.CheckPassed}, {"failure", port.CheckFailed}, {"cancelled", port.CheckCancelled},
		{"skipped", port.CheckPassed}} {
		s.Push(lathe, "speed", files(map[string]string{"speed.txt": one.conclusion}), "Be faster")
		_, ok, err := s.App().WorkflowRun(ctx, repo, "verify.yml", tip(s))
		require.NoError(t, err)
		require.False(t, ok)
		require.NoError(t, s.App().StartWorkflow(ctx, repo, "verify.yml", "speed"))
		run, ok, err := s.App().WorkflowRun(ctx, repo, "verify.yml", tip(s))
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, port.CheckPending, run.Outcome)
		require.Empty(t, run.Conclusion)
		require.Contains(t, run.Page, "/actions/runs/")
		s.EndWorkflow(lathe, tip(s), "verify.yml", one.conclusion)
		ended, ok, err := s.App().WorkflowRun(ctx, repo, "verify.yml", tip(s))
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, run.ID, ended.ID)
		require.Equal(t, one.want, ended.Outcome)
		require.Equal(t, one.conclusion, ended.Conclusion)
	}
}

func workflowRefused(t *testing.T, s *stage) {
	ctx, repo := t.Context(), s.Ref(lathe)
	for _, branch := range []string{"main", "speed"} {
		s.AddWorkflow(lathe, branch, "push.yml", "push")
	}
	err := s.App().StartWorkflow(ctx, repo, "none.yml", "speed")
	require.ErrorIs(t, err, port.ErrNotFound)
	var rejected *port.RejectedError
	err = s.App().StartWorkflow(ctx, repo, "push.yml", "speed")
	require.ErrorAs(t, err, &rejected)
	require.Contains(t, rejected.Text, "workflow_dispatch")
	err = s.App().StartWorkflow(ctx, repo, "push.yml", "no-such-branch")
	require.ErrorAs(t, err, &rejected)
	for _, name := range []string{"", ".", "..", "../push.yml", "a/b.yml"} {
		requirePermanent(t, s.App().StartWorkflow(ctx, repo, name, "speed"))
	}
	_, _, err = s.App().WorkflowRun(ctx, repo, "none.yml", tip(s))
	require.ErrorIs(t, err, port.ErrNotFound)
}

func startDenied(t *testing.T, s *stage) {
	for _, branch := range []string{"main", "speed"} {
		s.AddWorkflow(lathe, branch, "verify.yml", "workflow_dispatch")
	}
	s.Grant(granted("actions:read"))
	err := s.App().StartWorkflow(t.Context(), s.Ref(lathe), "verify.yml", "speed")
	require.ErrorIs(t, err, port.ErrDenied)
}

func branchMovedForward(t *testing.T, s *stage) {
	ctx, repo := t.Context(), s.Ref(lathe)
	before := s.BranchAt(lathe, "main")
	require.NoError(t, s.App().MoveBranch(ctx, repo, "main", before, tip(s)))
	require.Equal(t, tip(s), s.BranchAt(lathe, "main"))
	require.NoError(t, s.App().MoveBranch(ctx, repo, "main", before, tip(s)), "an answer may have been lost")
	requirePermanent(t, s.App().MoveBranch(ctx, repo, "", before, tip(s)))
	requirePermanent(t, s.App().MoveBranch(ctx, repo, "main", before, ""))
}

func branchMade(t *testing.T, s *stage) {
	ctx, repo := t.Context(), s.Ref(lathe)
	require.NoError(t, s.App().MoveBranch(ctx, repo, "tenon/issue-7", "", tip(s)))
	require.Equal(t, tip(s), s.BranchAt(lathe, "tenon/issue-7"))
	require.NoError(t, s.App().MoveBranch(ctx, repo, "tenon/issue-7", "", tip(s)), "an answer may have been lost")
	require.ErrorIs(t, s.App().MoveBranch(ctx, repo, "tenon/issue-7", "", s.BranchAt(lathe, "main")), port.ErrMoved)
	require.Equal(t, tip(s), s.BranchAt(lathe, "tenon/issue-7"))
}

func branchMovedMeanwhile(t *testing.T, s *stage) {
	ctx, repo := t.Context(), s.Ref(lathe)
	before := s.BranchAt(lathe, "main")
	other := s.Push(lathe, "main", files(map[string]string{"other.txt": "other\n"}), "Other")
	require.ErrorIs(t, s.App().MoveBranch(ctx, repo, "main", before, tip(s)), port.ErrMoved)
	require.Equal(t, other, s.BranchAt(lathe, "main"))
	require.ErrorIs(t, s.App().MoveBranch(ctx, repo, "no-such-branch", before, tip(s)), port.ErrMoved)
	require.Empty(t, s.BranchAt(lathe, "no-such-branch"))
}

func protectedNotMoved(t *testing.T, s *stage) {
	before := s.BranchAt(lathe, "main")
	s.Protect(lathe, "main", "Changes must be made through a pull request.")
	err := s.App().MoveBranch(t.Context(), s.Ref(lathe), "main", before, tip(s))
	var rejected *port.RejectedError
	require.ErrorAs(t, err, &rejected)
	require.Contains(t, rejected.Text, "through a pull request")
	require.Equal(t, before, s.BranchAt(lathe, "main"))
}

func moveAnswerLost(t *testing.T, s *stage) {
	s.LoseMove()
	require.NoError(t, s.App().MoveBranch(t.Context(), s.Ref(lathe), "main", s.BranchAt(lathe, "main"), tip(s)))
	require.Equal(t, tip(s), s.BranchAt(lathe, "main"))
}

func branchDeleted(t *testing.T, s *stage) {
	ctx, repo := t.Context(), s.Ref(lathe)
	name := scratch + "abc123def456"
	s.Push(lathe, name, files(map[string]string{"speed.txt": "fast\n"}), "Be faster")
	require.NoError(t, s.App().DeleteBranch(ctx, repo, name))
	require.Empty(t, s.BranchAt(lathe, name))
	require.NoError(t, s.App().DeleteBranch(ctx, repo, name), "it is gone")
	requirePermanent(t, s.App().DeleteBranch(ctx, repo, ""))
	require.NotEmpty(t, s.BranchAt(lathe, "main"))
}
