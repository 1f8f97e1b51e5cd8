package gh_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

var threadStories = []story{
	{"an issue is read as it is", issueRead},
	{"an issue that was transferred is found where it is", issueTransferred},
	{"an issue that was deleted is not found", issueDeleted},
	{"a comment is posted, read and edited", commentPosted},
	{"a review is posted, read and edited", reviewPosted},
	{"a reply is posted to the discussion of any of its comments", replyPosted},
	{"a body that is blank or too long is refused for good", bodyRefused},
	{"a place that does not exist is refused", placeRefused},
	{"nothing is said in a locked conversation", lockedConversation},
	{"a comment that was deleted is not found", commentDeleted},
	{"the comment of somebody else is not edited", editOfOthers},
	{"progress fails rather than to wait", progressNearLimit},
	{"notices of commands that wait are few", noticesAreFew},
	{"a reaction that is there already is one", reactions},
	{"what takes no reaction is refused", reactionsRefused},
}

func issueRead(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenIssue("stranger", lathe, "It greets", "Too early.")
	got, err := s.App().Issue(t.Context(), ref, number)
	require.NoError(t, err)
	require.Equal(t, number, got.Number)
	require.Equal(t, "It greets", got.Title)
	require.Equal(t, "Too early.", got.Body)
	require.Equal(t, "open", got.State)
	require.False(t, got.Locked)
	require.Equal(t, "stranger", got.Author.Login)
	require.False(t, got.Author.Bot)
	require.NotZero(t, got.Author.ID)
	require.Equal(t, lathe, got.Repo)
	require.True(t, strings.HasSuffix(got.URL, "/acme/lathe/issues/1"), got.URL)
	s.Lock(lathe, number)
	s.SetOpen(lathe, number, false)
	got, err = s.App().Issue(t.Context(), ref, number)
	require.NoError(t, err)
	require.Equal(t, "closed", got.State)
	require.True(t, got.Locked)
	pull := s.OpenPull("maria", lathe, "Be fast", "speed")
	got, err = s.App().Issue(t.Context(), ref, pull)
	require.NoError(t, err, "a pull request is an issue too")
	require.Equal(t, "Be fast", got.Title)
	body, err := s.App().Comment(t.Context(), ref, number, port.Comment{Kind: port.IssueBody, ID: int64(number)})
	require.NoError(t, err)
	require.Equal(t, "Too early.", body.Body)
	require.Equal(t, int64(number), body.ID)
	_, err = s.App().Issue(t.Context(), ref, 99)
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = s.App().Issue(t.Context(), ref, 0)
	requirePermanent(t, err)
}

func issueTransferred(t *testing.T, s *stage) {
	s.AddRepo("acme/other", map[string]string{"a": "a\n"})
	number := s.OpenIssue("maria", lathe, "It greets", "")
	own := post(t, s, conversation(number), "mine")
	moved := s.Transfer(lathe, number, "acme/other")
	got, err := s.App().Issue(t.Context(), s.Ref(lathe), number)
	require.NoError(t, err)
	require.Equal(t, "acme/other", got.Repo)
	require.Equal(t, moved, got.Number)
	_, err = s.App().Post(t.Context(), s.Ref(lathe), conversation(number), "more")
	require.ErrorIs(t, err, port.ErrNotFound, "nothing is written through the old number")
	require.ErrorIs(t, s.App().Edit(t.Context(), s.Ref(lathe), number, own, "more"), port.ErrNotFound)
	require.NoError(t, s.App().Edit(t.Context(), s.Ref("acme/other"), moved, own, "more"), "its comments went along")
	_, err = s.App().Post(t.Context(), s.Ref("acme/other"), conversation(moved), "more")
	require.NoError(t, err)
}

func issueDeleted(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	own := post(t, s, conversation(number), "mine")
	s.DeleteIssue(lathe, number)
	ref := s.Ref(lathe)
	_, read := s.App().Issue(t.Context(), ref, number)
	_, posted := s.App().Post(t.Context(), ref, conversation(number), "more")
	_, reread := s.App().Comment(t.Context(), ref, number, own)
	_, _, found := s.App().FindComment(t.Context(), ref, conversation(number), "mine", time.Time{})
	_, listed := s.App().Comments(t.Context(), ref, number, nil)
	for what, err := range map[string]error{"read": read, "post": posted, "reread": reread, "find": found, "list": listed,
		"edit": s.App().Edit(t.Context(), ref, number, own, "more"), "react": s.App().React(t.Context(), ref, own,
			port.ReactionEyes)} {
		require.ErrorIs(t, err, port.ErrNotFound, what)
	}
}

func commentPosted(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	made := post(t, s, conversation(number), "Done.")
	require.Equal(t, port.IssueComment, made.Kind)
	require.NotZero(t, made.ID)
	require.Equal(t, s.Login(), made.Author.Login)
	require.True(t, made.Author.Bot)
	require.Contains(t, made.URL, "/acme/lathe/issues/1#issuecomment-")
	require.False(t, made.Updated.IsZero())
	got, err := s.App().Comment(t.Context(), s.Ref(lathe), number, made)
	require.NoError(t, err)
	require.Equal(t, made, got)
	s.Pass(2 * time.Second)
	require.NoError(t, s.App().Edit(t.Context(), s.Ref(lathe), number, made, "Done twice."))
	got, err = s.App().Comment(t.Context(), s.Ref(lathe), number, made)
	require.NoError(t, err)
	require.Equal(t, "Done twice.", got.Body)
	require.True(t, got.Updated.After(made.Updated))
	require.NoError(t, s.App().Progress(t.Context(), s.Ref(lathe), number, made, "Working."))
	list, err := s.App().Comments(t.Context(), s.Ref(lathe), number, nil)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "Working.", list[0].Body)
	on := s.OpenPull("maria", lathe, "Be fast", "speed")
	require.Contains(t, post(t, s, conversation(on), "Done.").URL, "/acme/lathe/pull/2#issuecomment-")
}

func reviewPosted(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	made := post(t, s, port.Place{Number: number, Kind: port.Review}, "Done.")
	require.Equal(t, port.Review, made.Kind)
	require.NotEmpty(t, made.NodeID)
	require.Contains(t, made.URL, "/acme/lathe/pull/1#pullrequestreview-")
	require.True(t, made.Updated.IsZero(), "GitHub tells only when it was submitted")
	require.Equal(t, s.BranchAt(lathe, "speed"), made.Commit)
	require.NoError(t, s.App().Edit(t.Context(), s.Ref(lathe), number, made, "Done twice."))
	require.NoError(t, s.App().Progress(t.Context(), s.Ref(lathe), number, made, "Done thrice."))
	got, err := s.App().Comment(t.Context(), s.Ref(lathe), number, made)
	require.NoError(t, err)
	require.Equal(t, "Done thrice.", got.Body)
	list, err := s.App().Comments(t.Context(), s.Ref(lathe), number, nil)
	require.NoError(t, err)
	require.Empty(t, list, "it is not in the conversation")
	require.ErrorIs(t, s.App().Edit(t.Context(), s.Ref(lathe), number+1, made, "Elsewhere."), port.ErrNotFound)
}

func replyPosted(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	second := s.Reply("victor", lathe, number, first, "Who knows.")
	second.InReplyTo = first.ID
	elsewhere := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Another one.")
	for _, to := range []port.Comment{first, second} {
		made := post(t, s, below(number, to), "Because.")
		require.Equal(t, port.ReviewComment, made.Kind)
		require.Equal(t, first.ID, made.InReplyTo)
		require.Equal(t, "speed.txt", made.Path)
		require.Equal(t, 2, made.Line)
		require.Contains(t, made.URL, "/acme/lathe/pull/1#discussion_r")
		require.NoError(t, s.App().Edit(t.Context(), s.Ref(lathe), number, made, "Because of it."))
		got, err := s.App().Comment(t.Context(), s.Ref(lathe), number, made)
		require.NoError(t, err)
		require.Equal(t, "Because of it.", got.Body)
	}
	list, err := s.App().Comments(t.Context(), s.Ref(lathe), number, &second)
	require.NoError(t, err)
	require.Len(t, list, 4)
	require.Equal(t, "Why?", list[0].Body)
	require.Zero(t, list[0].InReplyTo)
	require.Equal(t, "RIGHT", list[0].Side)
	require.Equal(t, "@@ -0,0 +1,3 @@\n+one\n+two", list[0].Hunk)
	require.Equal(t, s.BranchAt(lathe, "speed"), list[0].Commit)
	require.Equal(t, first.ID, list[1].InReplyTo)
	list, err = s.App().Comments(t.Context(), s.Ref(lathe), number, &elsewhere)
	require.NoError(t, err)
	require.Len(t, list, 1)

	s.DeleteComment(first)
	_, err = s.App().Post(t.Context(), s.Ref(lathe), below(number, second), "Too late.")
	require.ErrorIs(t, err, port.ErrNotFound)
}

func bodyRefused(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	own := post(t, s, conversation(number), "mine")
	ref := s.Ref(lathe)
	longest := strings.Repeat("é", 65536)
	for _, body := range []string{"", " \n\t", longest + "é"} {
		_, posted := s.App().Post(t.Context(), ref, conversation(number), body)
		_, reviewed := s.App().Post(t.Context(), ref, port.Place{Number: number, Kind: port.Review}, body)
		_, suggested := s.App().Suggest(t.Context(), ref, number, s.BranchAt(lathe, "speed"), body,
			[]port.Suggestion{{Path: "speed.txt", Line: 1, Body: "x"}})
		_, noted := s.App().Suggest(t.Context(), ref, number, s.BranchAt(lathe, "speed"), "x",
			[]port.Suggestion{{Path: "speed.txt", Line: 1, Body: body}})
		for _, err := range []error{posted, reviewed, suggested, noted, s.App().Edit(t.Context(), ref, number, own, body),
			s.App().Progress(t.Context(), ref, number, own, body)} {
			requirePermanent(t, err)
		}
	}
	require.NoError(t, s.App().Edit(t.Context(), ref, number, own, longest))
	got, err := s.App().Comment(t.Context(), ref, number, own)
	require.NoError(t, err)
	require.Equal(t, longest, got.Body)
}

func placeRefused(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	issue := s.OpenIssue("maria", lathe, "It greets", "")
	pull := s.OpenPull("maria", lathe, "Be fast", "speed")
	for _, at := range []port.Place{conversation(99), {Number: issue, Kind: port.Review},
		below(pull, port.Comment{Kind: port.ReviewComment, ID: 7})} {
		_, err := s.App().Post(t.Context(), ref, at, "Done.")
		require.ErrorIs(t, err, port.ErrNotFound, at)
	}
	for _, at := range []port.Place{conversation(0), {Number: issue, Kind: port.IssueBody},
		{Number: pull, Kind: port.ReviewComment}} {
		_, err := s.App().Post(t.Context(), ref, at, "Done.")
		requirePermanent(t, err)
	}
	requirePermanent(t, s.App().Edit(t.Context(), ref, issue, port.Comment{Kind: port.IssueBody, ID: int64(issue)},
		"Done."))
	_, err := s.App().Comment(t.Context(), ref, issue, port.Comment{Kind: port.Closed, ID: 1})
	requirePermanent(t, err)
}

func lockedConversation(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	said := s.Comment("maria", lathe, number, "Hello.")
	own := post(t, s, conversation(number), "mine")
	s.Lock(lathe, number)
	ref := s.Ref(lathe)
	_, suggested := s.App().Suggest(t.Context(), ref, number, s.BranchAt(lathe, "speed"), "x",
		[]port.Suggestion{{Path: "speed.txt", Line: 1, Body: "x"}})
	refused := []error{suggested, s.App().React(t.Context(), ref, said, port.ReactionEyes)}
	for _, at := range []port.Place{conversation(number), {Number: number, Kind: port.Review}, below(number, first)} {
		_, err := s.App().Post(t.Context(), ref, at, "Done.")
		refused = append(refused, err)
	}
	for _, err := range refused {
		require.ErrorIs(t, err, port.ErrDenied)
		requirePermanent(t, err)
	}
	require.NoError(t, s.App().Edit(t.Context(), ref, number, own, "Still mine."), "what is there can be edited")
}

func commentDeleted(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	for _, own := range []port.Comment{post(t, s, conversation(number), "mine"),
		post(t, s, below(number, first), "mine")} {
		s.DeleteComment(own)
		ref := s.Ref(lathe)
		require.ErrorIs(t, s.App().Edit(t.Context(), ref, number, own, "more"), port.ErrNotFound)
		require.ErrorIs(t, s.App().Progress(t.Context(), ref, number, own, "more"), port.ErrNotFound)
		require.ErrorIs(t, s.App().React(t.Context(), ref, own, port.ReactionEyes), port.ErrNotFound)
		_, err := s.App().Comment(t.Context(), ref, number, own)
		require.ErrorIs(t, err, port.ErrNotFound)
	}
}

func editOfOthers(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	for _, c := range []port.Comment{s.Comment("maria", lathe, number, "hers"),
		s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "hers"), s.Review("victor", lathe, number, "his")} {
		require.ErrorIs(t, s.App().Edit(t.Context(), s.Ref(lathe), number, c, "mine"), port.ErrDenied)
	}
}

func progressNearLimit(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	own := post(t, s, conversation(number), "mine")
	var err error
	writes := 0
	for ; err == nil && writes < 100; writes++ {
		err = s.App().Progress(t.Context(), s.Ref(lathe), number, own, "Working.")
	}
	requireLater(t, err)
	require.Equal(t, 36, writes, "a part of what may be written in a minute, which the comment began")
	_, err = s.App().CreateCheck(t.Context(), s.Ref(lathe),
		port.Check{Name: "tenon", SHA: s.BranchAt(lathe, "speed"), Status: "completed", Conclusion: "success"})
	requireOverLimit(t, err)
	requireOverLimit(t, s.App().React(t.Context(), s.Ref(lathe), own, port.ReactionRocket))
	for range 4 {
		_, err = s.App().Announce(t.Context(), s.Ref(lathe), conversation(number), "Asking the model.")
		require.NoError(t, err, "an answer goes before what does not add to it")
	}
	_, err = s.App().Announce(t.Context(), s.Ref(lathe), conversation(number), "Asking the model.")
	requireOverLimit(t, err)
	require.NoError(t, s.App().Edit(t.Context(), s.Ref(lathe), number, own, "Done."), "the rest is for what counts")
	post(t, s, conversation(number), "Done.")
	require.NoError(t, s.App().React(t.Context(), s.Ref(lathe), own, port.ReactionEyes))
	s.Pass(2 * time.Minute)
	require.NoError(t, s.App().Progress(t.Context(), s.Ref(lathe), number, own, "Working."))
	_, err = s.App().Announce(t.Context(), s.Ref(lathe), conversation(number), "Asking the model.")
	require.NoError(t, err)
	require.NoError(t, s.App().React(t.Context(), s.Ref(lathe), own, port.ReactionRocket))
}

func noticesAreFew(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	notify := func() error {
		_, err := s.App().Notify(t.Context(), s.Ref(lathe), conversation(number), "Waiting.")
		return err
	}
	for range 4 {
		require.NoError(t, notify())
	}
	requireOverLimit(t, notify())
	_, err := s.App().Announce(t.Context(), s.Ref(lathe), conversation(number), "Asking the model.")
	require.NoError(t, err, "they leave room for answers")
	s.Pass(2 * time.Minute)
	require.NoError(t, notify())
	for range 35 {
		post(t, s, conversation(number), "Done.")
	}
	requireOverLimit(t, notify())
}

// requireOverLimit requires the error of a write that is left out because of GitHub's limits.
func requireOverLimit(t *testing.T, err error) {
	t.Helper()
	var wait *port.WaitError
	require.ErrorAs(t, err, &wait)
	require.Equal(t, port.GitHubLimit, wait.For)
	require.Positive(t, wait.After)
}

func reactions(t *testing.T, s *stage) {
	issue := s.OpenIssue("maria", lathe, "It greets", "")
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	for _, c := range []port.Comment{
		{Kind: port.IssueBody, ID: int64(issue)}, {Kind: port.IssueBody, ID: int64(number)},
		s.Comment("maria", lathe, number, "hers"), s.Review("victor", lathe, number, "his"),
		s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "hers"),
	} {
		for _, r := range []port.Reaction{port.ReactionEyes, port.ReactionRocket, port.ReactionConfused, port.ReactionDown,
			port.ReactionEyes} {
			require.NoError(t, s.App().React(t.Context(), s.Ref(lathe), c, r), c.Kind)
		}
		require.Equal(t, []string{"eyes", "rocket", "confused", "-1"}, s.Reactions(lathe, c), c.Kind)
	}
}

func reactionsRefused(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	review := s.Review("victor", lathe, number, "his")
	requirePermanent(t, s.App().React(t.Context(), s.Ref(lathe), port.Comment{Kind: port.Closed, ID: 1},
		port.ReactionEyes))
	requirePermanent(t, s.App().React(t.Context(), s.Ref(lathe), port.Comment{Kind: port.Review, ID: review.ID},
		port.ReactionEyes))
	require.ErrorIs(t, s.App().React(t.Context(), s.Ref(lathe), port.Comment{Kind: port.IssueBody, ID: 99},
		port.ReactionEyes), port.ErrNotFound)
}
