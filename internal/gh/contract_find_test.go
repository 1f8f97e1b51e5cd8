package gh_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const mark = "<!-- tenon:run=abcdefghijkl -->"

var findStories = []story{
	{"a comment of the app is found by its marker, where it is", markFound},
	{"a comment that was made before is not found", markOfBefore},
	{"a marker that somebody copied does not count", markCopied},
	{"a marker is found among many comments", markAmongMany},
	{"the newest comments of a conversation are read", newestComments},
	{"the search wants a marker and a place", findRefused},
}

func markFound(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	other := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 3, "Why?")
	places := []port.Place{conversation(number), {Number: number, Kind: port.Review}, below(number, first)}
	for i, at := range places {
		body := fmt.Sprintf("Done. <!-- tenon:run=%d -->", i)
		made := post(t, s, at, body)
		for j, where := range append(places, below(number, other)) {
			got, ok, err := s.App().FindComment(t.Context(), s.Ref(lathe), where, fmt.Sprintf("<!-- tenon:run=%d -->", i),
				time.Time{})
			require.NoError(t, err)
			require.Equal(t, i == j, ok, "made at %s, looked for at %s", at.Kind, where.Kind)
			if ok {
				require.Equal(t, made, got)
			}
		}
	}
	post(t, s, places[0], "First. "+mark)
	newest := post(t, s, places[0], "Second. "+mark)
	got, ok, err := s.App().FindComment(t.Context(), s.Ref(lathe), places[0], mark, time.Time{})
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, newest.ID, got.ID, "the newest")
	got, ok, err = s.App().FindComment(t.Context(), s.Ref(lathe), places[0], mark, time.Time{}, newest.ID)
	require.NoError(t, err)
	require.True(t, ok)
	require.NotEqual(t, newest.ID, got.ID, "the one before")
	_, ok, err = s.App().FindComment(t.Context(), s.Ref(lathe), places[0], mark, time.Time{}, newest.ID, got.ID)
	require.NoError(t, err)
	require.False(t, ok)
}

// A comment that was edited since was made before anyway.
func markOfBefore(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	for _, at := range []port.Place{conversation(number), {Number: number, Kind: port.Review}, below(number, first)} {
		begun := s.Now()
		made := post(t, s, at, mark)
		s.Pass(time.Hour)
		require.NoError(t, s.App().Edit(t.Context(), s.Ref(lathe), number, made, "edited "+mark))
		for since, want := range map[time.Time]bool{begun: true, begun.Add(-10 * time.Minute): true,
			begun.Add(time.Minute): false} {
			_, ok, err := s.App().FindComment(t.Context(), s.Ref(lathe), at, mark, since)
			require.NoError(t, err)
			require.Equal(t, want, ok, "%s since %s, made at %s", at.Kind, since, begun)
		}
	}
}

func markCopied(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	s.Comment("maria", lathe, number, "> "+mark)
	s.Comment("other[bot]", lathe, number, mark)
	s.Review("victor", lathe, number, mark)
	s.Reply("victor", lathe, number, first, mark)
	for _, at := range []port.Place{conversation(number), {Number: number, Kind: port.Review}, below(number, first)} {
		_, ok, err := s.App().FindComment(t.Context(), s.Ref(lathe), at, mark, time.Time{})
		require.NoError(t, err)
		require.False(t, ok, at.Kind)
	}
}

func markAmongMany(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	early := post(t, s, conversation(number), "early "+mark)
	for i := range 220 {
		s.Comment("maria", lathe, number, fmt.Sprint(i))
	}
	late := post(t, s, conversation(number), "late <!-- tenon:run=late -->")
	for marker, want := range map[string]port.Comment{mark: early, "<!-- tenon:run=late -->": late} {
		got, ok, err := s.App().FindComment(t.Context(), s.Ref(lathe), conversation(number), marker, time.Time{})
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, want.ID, got.ID)
	}
}

func newestComments(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	for i := range 150 {
		s.Comment("maria", lathe, number, fmt.Sprint(i))
	}
	list, err := s.App().Comments(t.Context(), s.Ref(lathe), number, nil)
	require.NoError(t, err)
	require.NotEmpty(t, list)
	require.LessOrEqual(t, len(list), 100)
	require.Equal(t, "149", list[len(list)-1].Body)
	require.Equal(t, "148", list[len(list)-2].Body)
	require.Equal(t, "maria", list[0].Author.Login)
	_, err = s.App().Comments(t.Context(), s.Ref(lathe), 99, nil)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func findRefused(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	_, _, err := s.App().FindComment(t.Context(), s.Ref(lathe), conversation(number), "", time.Time{})
	requirePermanent(t, err)
	_, _, err = s.App().FindComment(t.Context(), s.Ref(lathe), port.Place{Number: number, Kind: port.IssueBody}, mark,
		time.Time{})
	requirePermanent(t, err)
	_, _, err = s.App().FindComment(t.Context(), s.Ref(lathe), conversation(99), mark, time.Time{})
	require.ErrorIs(t, err, port.ErrNotFound)
}
