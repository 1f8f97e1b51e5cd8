package gh_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const marker = "<!-- tenon:run=abc -->"

type author struct {
	Login string `json:"login"`
	Type  string `json:"type"`
}

type written struct {
	ID        int64     `json:"id"`
	Body      string    `json:"body"`
	User      author    `json:"user"`
	CreatedAt time.Time `json:"created_at"`
	InReplyTo int64     `json:"in_reply_to_id,omitempty"`
}

var (
	tenon = author{"tenon[bot]", "Bot"}
	noon  = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
)

func TestTheAppFindsItsOwnComment(t *testing.T) {
	t.Parallel()
	path := root + "/issues/17/comments"
	for name, c := range map[string]struct {
		list []written
		want int64
	}{
		"there is none":                     {nil, 0},
		"its own":                           {[]written{{1, "done " + marker, tenon, noon, 0}}, 1},
		"the newest of two":                 {[]written{{1, marker, tenon, noon, 0}, {2, marker, tenon, noon, 0}}, 2},
		"a copy by a person does not count": {[]written{{1, marker, author{"mona", "User"}, noon, 0}}, 0},
		"nor one by another App":            {[]written{{1, marker, author{"other[bot]", "Bot"}, noon, 0}}, 0},
		"nor by a person of that name":      {[]written{{1, marker, author{"tenon[bot]", "User"}, noon, 0}}, 0},
		"another run's does not count":      {[]written{{1, "<!-- tenon:run=xyz -->", tenon, noon, 0}}, 0},
		"in the same second":                {[]written{{1, marker, tenon, noon.Truncate(time.Second), 0}}, 1},
		"an older one, edited since":        {[]written{{1, marker, tenon, noon.Add(-time.Hour), 0}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFakeAPI(t)
			d.on("GET "+path, linked(d, path, 1, 1, c.list))
			got, found, err := d.client(t).FindComment(context.Background(), joint, conversation(17), marker,
				noon.Add(700*time.Millisecond))
			require.NoError(t, err)
			require.Equal(t, c.want != 0, found)
			require.Equal(t, c.want, got.ID)
			require.Equal(t, "page=1&per_page=100&since=2026-11-20T12%3A00%3A00Z", d.calls("GET " + path)[0].query)
		})
	}
}

func TestALongConversationIsReadFromItsEnd(t *testing.T) {
	t.Parallel()
	path := root + "/issues/17/comments"
	d := newFakeAPI(t)
	d.on("GET "+path,
		linked(d, path, 1, 40, []written{{1, marker, tenon, noon, 0}}),
		linked(d, path, 40, 40, []written{{4000, "x", tenon, noon, 0}}),
		linked(d, path, 39, 40, []written{{3900, marker, tenon, noon, 0}, {3901, "x", tenon, noon, 0}}))
	got, found, err := d.client(t).FindComment(context.Background(), joint, conversation(17), marker, time.Time{})
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, int64(3900), got.ID)
	asked := d.calls("GET " + path)
	require.Equal(t, []string{"page=1&per_page=100", "page=40&per_page=100", "page=39&per_page=100"},
		[]string{asked[0].query, asked[1].query, asked[2].query})

	d.on("GET "+path, linked(d, path, 1, 40, []written{}))
	_, found, err = d.client(t).FindComment(context.Background(), joint, conversation(17), marker, time.Time{})
	require.NoError(t, err)
	require.False(t, found)
	require.Len(t, d.calls("GET "+path), 3+10, "a search ends")
}

func TestAReplyIsFoundInItsThreadAlone(t *testing.T) {
	t.Parallel()
	path := root + "/pulls/17/comments"
	first := &port.Comment{Kind: port.ReviewComment, ID: 100}
	later := &port.Comment{Kind: port.ReviewComment, ID: 102, InReplyTo: 100}
	for _, to := range []*port.Comment{first, later} {
		d := newFakeAPI(t)
		d.on("GET "+path,
			linked(d, path, 1, 3, []written{{300, marker, tenon, noon, 200}}), // another thread
			linked(d, path, 2, 3, []written{{103, marker, author{"mona", "User"}, noon, 100}, {101, marker, tenon, noon, 100}}))
		got, found, err := d.client(t).FindComment(context.Background(), joint, inThreadOf(17, to), marker, noon)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, int64(101), got.ID)
		asked := d.calls("GET " + path)
		require.Len(t, asked, 2)
		require.Equal(t, "direction=desc&page=2&per_page=100&since=2026-11-20T12%3A00%3A00Z&sort=created", asked[1].query)
	}
}

func TestASearchThatFailsFindsNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	_, found, err := d.client(t).FindComment(ctx, joint, conversation(17), marker, noon)
	require.ErrorIs(t, err, port.ErrNotFound)
	require.False(t, found)
	_, _, err = d.client(t).FindComment(ctx, joint, conversation(17), "", noon)
	require.ErrorContains(t, err, "marker is empty")
	_, _, err = d.client(t, withoutSlug).FindComment(ctx, joint, conversation(17), marker, noon)
	require.ErrorContains(t, err, fmt.Sprintf("GitHub answered %d", 404), "who the App is must be known")
}
