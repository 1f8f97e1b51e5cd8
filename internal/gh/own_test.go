package gh_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestTheAnswersOfAJobAreFoundWhereverTheyAre(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := newWorld(t)
	c, repo := w.job(t, usual())
	var want []int64
	for _, at := range []port.Place{conversation(w.pull), {Number: w.pull, Kind: port.Review}} {
		_, err := c.Post(ctx, repo, at, "something else")
		require.NoError(t, err)
		said, err := c.Post(ctx, repo, at, "done <!-- mark -->")
		require.NoError(t, err)
		want = append(want, said.ID)
	}
	_, err := w.Comment("mona", "octo-org/hello-joint", w.pull, "copied <!-- mark -->")
	require.NoError(t, err)
	list, err := c.OwnComments(ctx, repo, w.pull, true, "mark")
	require.NoError(t, err)
	var got []int64
	for _, one := range list {
		got = append(got, one.ID)
	}
	require.Equal(t, want, got)
	list, err = c.OwnComments(ctx, repo, w.pull, false, "mark")
	require.NoError(t, err)
	require.Len(t, list, 1, "an issue has no reviews")
	_, err = c.OwnComments(ctx, repo, 99, false, "mark")
	require.ErrorIs(t, err, port.ErrNotFound)
}

func TestOfManyCommentsTheNewestAreReadForAnswers(t *testing.T) {
	t.Parallel()
	path := root + "/issues/17/comments"
	d := newFakeAPI(t)
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	d.on("GET "+path,
		linked(d, path, 1, 40, []written{{1, marker, tenon, noon, 0}}),
		linked(d, path, 37, 40, []written{{37, marker, tenon, noon, 0}}),
		linked(d, path, 38, 40, []written{{38, "x", tenon, noon, 0}}),
		linked(d, path, 39, 40, []written{}),
		linked(d, path, 40, 40, []written{{40, marker, tenon, noon, 0}}))
	list, err := d.client(t).OwnComments(context.Background(), joint, 17, false, marker)
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, int64(40), list[2].ID)
	require.Len(t, d.calls("GET "+path), 5)
}
