package port_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestAnOriginIsShortWhateverTheEvent(t *testing.T) {
	t.Parallel()
	for _, kind := range []port.EventKind{port.IssueComment, port.ReviewComment, port.Review, port.IssueBody, port.Labeled,
		port.Ticked} {
		ev := port.Event{Kind: kind, Repo: port.RepoRef{Installation: math.MaxInt64, ID: math.MaxInt64},
			Label: strings.Repeat("€\x00", 100), Before: strings.Repeat("b", 1<<16),
			Comment: port.Comment{ID: math.MaxInt64, Updated: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)}}
		require.Regexp(t, `^[0-9a-z_/]{60,110}$`, ev.Origin())
	}
}

func TestAnActWithoutATimeHasNoOrigin(t *testing.T) {
	t.Parallel()
	at := port.Comment{ID: 7, Updated: time.Unix(1, 0)}
	require.NotEmpty(t, port.Event{Kind: port.IssueComment, Comment: at}.Origin())
	require.Empty(t, port.Event{Kind: port.Pressed, Comment: at}.Origin())
	require.Empty(t, port.Event{Kind: port.Closed, Comment: at}.Origin())
	require.Empty(t, port.Event{Kind: port.IssueComment, Comment: port.Comment{ID: 7}}.Origin())
	require.Empty(t, port.Event{Kind: port.IssueComment, Comment: port.Comment{Updated: at.Updated}}.Origin())
}

func TestAnActWithoutATimeIsKnownByWhatWasSigned(t *testing.T) {
	t.Parallel()
	for _, kind := range []port.EventKind{port.Pressed, port.Closed, port.Review} {
		first := port.Event{Kind: kind, Delivery: "1", Signed: "a"}
		again, another := first, first
		again.Delivery, another.Signed = "2", "b"
		require.NotEmpty(t, first.Origin())
		require.Equal(t, first.Origin(), again.Origin())
		require.NotEqual(t, first.Origin(), another.Origin())
	}
}

func TestTextsThatBordersTellApartAreTwoOrigins(t *testing.T) {
	t.Parallel()
	ticked := func(before, after string) string {
		return port.Event{Kind: port.Ticked, Before: before,
			Comment: port.Comment{ID: 7, Body: after, Updated: time.Unix(1, 0)}}.Origin()
	}
	require.NotEqual(t, ticked("ab", "c"), ticked("a", "bc"))
	require.Equal(t, ticked("a", "b"), ticked("a", "b"))
}
