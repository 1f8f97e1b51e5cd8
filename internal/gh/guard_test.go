package gh_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestNothingIsWrittenWithoutTheLease(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(comment, response{status: 201, body: `{"id":1}`})
	d.on(getPull, ok(`{"number":17,"head":{"ref":"x"},"base":{"ref":"main"}}`))
	app := d.client(t)
	ctx := port.WithGuard(t.Context(), func(context.Context) error { return port.ErrLeaseLost })
	_, err := app.Post(ctx, joint, conversation(17), "too late")
	require.ErrorIs(t, err, port.ErrLeaseLost)
	require.Empty(t, d.calls(comment))
	_, err = app.PullRequest(ctx, joint, 17) // reading harms nobody
	require.NoError(t, err)
}

func TestALeaseThatIsLostInAWaitIsNoticed(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(comment, refusal(429, "secondary", "Retry-After", "3"), response{status: 201, body: `{"id":1}`})
	begun := d.Now()
	ctx := port.WithGuard(t.Context(), func(context.Context) error {
		if d.Now().Sub(begun) >= 3*time.Second {
			return port.ErrLeaseLost
		}
		return nil
	})
	_, err := d.client(t).Post(ctx, joint, conversation(17), "too late")
	require.ErrorIs(t, err, port.ErrLeaseLost)
	require.Len(t, d.calls(comment), 1)
}

func TestALeaseThatCannotBeConfirmedIsNoFaultOfGitHub(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	gone := errors.New("the database is gone")
	ctx := port.WithGuard(t.Context(), func(context.Context) error { return gone })
	_, err := d.client(t).Post(ctx, joint, conversation(17), "too late")
	require.ErrorIs(t, err, gone)
	require.NotContains(t, err.Error(), "reaching")
}
