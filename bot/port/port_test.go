package port

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAPermissionAllowsWhatNeedsNoMore(t *testing.T) {
	t.Parallel()
	all := []Permission{
		PermissionNone, PermissionRead, PermissionTriage, PermissionWrite, PermissionMaintain, PermissionAdmin,
	}
	for i, has := range all {
		for j, needed := range all {
			require.Equal(t, i >= j, has.Allows(needed), "%s for %s", has, needed)
		}
	}
	require.False(t, Permission("owner").Allows(PermissionNone), "one that GitHub may add")
	require.Equal(t, "none", PermissionNone.Words())
	require.Equal(t, "write permission", PermissionWrite.Words())
}

func TestARunHasTheSameIDForEveryAttemptAtItsDelivery(t *testing.T) {
	t.Parallel()
	id := RunID("334feb35-a326-41ce-bfcd-299b82db3d38")
	require.Equal(t, "g4yg7f4bquny", id, "runs of past versions keep their ids")
	require.True(t, IsRunID(id))
	require.NotEqual(t, id, RunID("334feb35-a326-41ce-bfcd-299b82db3d39"))
	for _, other := range []string{"", "g4yg7f4bqun", "g4yg7f4bqunyx", "G4YG7F4BQUNY", "g4yg7f4bqu y", "g4yg7f4bqu/y",
		"ümlautümla"} {
		require.False(t, IsRunID(other), other)
	}
}

func TestEventsOfAThreadHaveTheSameKey(t *testing.T) {
	t.Parallel()
	ev := Event{Repo: RepoRef{ID: 7, Owner: "acme", Name: "lathe"}, Thread: Thread{Number: 12, Pull: true}}
	require.Equal(t, "7#12", ev.ThreadKey())
	ev.Repo.Name = "mill"
	require.Equal(t, "7#12", ev.ThreadKey(), "a repository keeps its id when it is renamed")
	require.Equal(t, "acme/mill", ev.Repo.String())
	require.Equal(t, "pull request", ev.Thread.Kind())
	require.Equal(t, "issue", Thread{}.Kind())
}

func TestAModelIsAllowedInItsRepositories(t *testing.T) {
	t.Parallel()
	repo := RepoRef{Owner: "Acme", Name: "Lathe"}
	for want, lists := range map[bool][][]string{
		true:  {nil, {"acme/lathe"}, {"acme/*"}, {"other/*", "acme/lathe"}},
		false: {{"acme/mill"}, {"other/*"}, {"*"}, {"acme"}},
	} {
		for _, list := range lists {
			require.Equal(t, want, ModelInfo{Repositories: list}.Allows(repo), "%v", list)
		}
	}
}

func TestTokensAreEstimatedAndPriced(t *testing.T) {
	t.Parallel()
	r := Request{System: strings.Repeat("s", 300), Messages: []Message{{Text: strings.Repeat("u", 598)}, {Text: "ab"}}}
	require.EqualValues(t, 300, r.Tokens())
	u := Usage{In: 1_000_000, Cached: 500_000, Out: 100_000}
	require.InDelta(t, 1+0.5+1, Price{Input: 2, Cached: 1, Output: 10}.Of(u), 1e-9)
}

func TestLimitsThatAreNotGivenHaveDefaults(t *testing.T) {
	t.Parallel()
	require.Equal(t, Limits{20, 60, 3_000_000, 40_000_000}, Limits{}.WithDefaults())
	require.Equal(t, Limits{1, 2, 3, 4}, Limits{1, 2, 3, 4}.WithDefaults())
}

func TestErrorsSayWhatHappened(t *testing.T) {
	t.Parallel()
	resets := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for want, err := range map[string]error{
		"your commands today: the limit of 20 is reached until 2026-12-01T00:00:00Z": &OverBudget{
			Of: "your commands today", Limit: 20, Resets: resets,
		},
		"Reopen it.":                           &UserError{Text: "Reopen it."},
		"pushing main was rejected: protected": &RejectedError{"main", "protected"},
		"cancelled by maria":                   &CancelledError{"maria"},
	} {
		require.EqualError(t, err, want)
	}
}

func TestARemovedFileHasNoMode(t *testing.T) {
	t.Parallel()
	require.True(t, Change{Path: "a"}.Removed())
	require.False(t, Change{Path: "a", Mode: "100644"}.Removed())
}
