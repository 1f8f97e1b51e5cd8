package gh_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	newCheck = "POST " + root + "/check-runs"
	oldCheck = "PATCH " + root + "/check-runs/8"
)

func TestACheckCarriesTheRunAndItsThread(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	d.on(newCheck, response{status: 201, body: `{"id":8}`})
	d.on(oldCheck, ok(`{"id":8}`))
	id, err := c.CreateCheck(ctx, joint, port.Check{Name: "tenon", SHA: "c1", Run: "abc", Thread: 17,
		Status: "in_progress", Title: "Reading"})
	require.NoError(t, err)
	require.Equal(t, int64(8), id)
	require.JSONEq(t, `{"name":"tenon","head_sha":"c1","external_id":"abc/17","status":"in_progress","output":{"title":`+
		`"Reading","summary":"Reading"}}`, d.calls(newCheck)[0].body)
	require.JSONEq(t, `{"repository_ids":[700],"permissions":{"metadata":"read","checks":"write","statuses":"read",`+
		`"contents":"read"}}`,
		d.calls(mintPath)[0].body)

	require.NoError(t, c.UpdateCheck(ctx, joint, 8, port.Check{SHA: "c2", Status: "completed", Conclusion: "success",
		URL:     "https://x/",
		Buttons: []port.CheckButton{{Label: "Undo", Description: "Revert it", Verb: "undo"}}}))
	require.JSONEq(t, `{"status":"completed","conclusion":"success","details_url":"https://x/","actions":[{"label":`+
		`"Undo","description":"Revert it","identifier":"undo"}]}`,
		d.calls(oldCheck)[0].body, "empty fields stay as they are")
}

func TestManyAnnotationsGoOutInTurns(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	notes := func(n int) []port.Annotation {
		list := make([]port.Annotation, n)
		for i := range list {
			list[i] = port.Annotation{Path: "a.go", StartLine: i + 1, Level: "warning", Message: "no such line"}
		}
		return list
	}
	type sent struct {
		Status string
		Output struct {
			Title, Summary string
			Annotations    []struct {
				StartLine int `json:"start_line"`
				EndLine   int `json:"end_line"`
			}
		}
	}
	for n, turns := range map[int][]int{0: {0}, 50: {50}, 51: {50, 1}, 120: {50, 50, 20},
		900: {50, 50, 50, 50, 50, 50, 50, 50, 50, 50}} {
		d := newFakeAPI(t)
		d.on(newCheck, response{status: 201, body: `{"id":8}`})
		d.on(oldCheck, ok(`{}`))
		_, err := d.client(t).CreateCheck(ctx, joint, port.Check{Name: "tenon", SHA: "c1", Status: "completed", Title: "t",
			Summary: "s", Annotations: notes(n)})
		require.NoError(t, err)
		var got []int
		for i, call := range append(d.calls(newCheck), d.calls(oldCheck)...) {
			var s sent
			require.NoError(t, json.Unmarshal([]byte(call.body), &s))
			got = append(got, len(s.Output.Annotations))
			require.Equal(t, "t", s.Output.Title)
			require.Equal(t, i == 0, s.Status != "", "the state goes with the first")
			if n > 0 {
				require.Equal(t, i*50+1, s.Output.Annotations[0].StartLine)
				require.Equal(t, i*50+1, s.Output.Annotations[0].EndLine)
			}
		}
		require.Equal(t, turns, got)
	}
	d := newFakeAPI(t)
	d.on(newCheck, response{status: 201, body: `{"id":8}`})
	id, err := d.client(t).CreateCheck(ctx, joint, port.Check{Name: "tenon", SHA: "c1", Title: "t",
		Annotations: notes(51)})
	require.ErrorIs(t, err, port.ErrNotFound)
	require.Equal(t, int64(8), id, "it is there anyway")
}

func TestWhatIsTooLongForACheckIsCut(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	d.on(newCheck, response{status: 201, body: `{"id":8}`})
	long := strings.Repeat("é", 70000)
	_, err := d.client(t).CreateCheck(ctx, joint, port.Check{Name: "tenon", SHA: "c1", Title: long, Summary: long,
		Text:        long,
		Annotations: []port.Annotation{{Path: "a", StartLine: 1, Level: "notice", Title: long, Message: long}}})
	require.NoError(t, err)
	var sent struct {
		Output struct {
			Title, Summary, Text string
			Annotations          []struct{ Title, Message string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(d.calls(newCheck)[0].body), &sent))
	for text, most := range map[string]int{sent.Output.Title: 65535, sent.Output.Summary: 65535, sent.Output.Text: 65535,
		sent.Output.Annotations[0].Title: 255} {
		require.Equal(t, most, utf8.RuneCountInString(text))
		require.True(t, strings.HasSuffix(text, "é…"))
	}
	message := sent.Output.Annotations[0].Message
	require.LessOrEqual(t, len(message), 64<<10)
	require.True(t, strings.HasSuffix(message, "é…"))
}

func TestACheckThatGitHubRefusesIsNotSent(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := newFakeAPI(t)
	c := d.client(t)
	fits := port.CheckButton{Label: strings.Repeat("é", 20), Description: strings.Repeat("é", 40),
		Verb: strings.Repeat("é", 20)}
	for i, wrong := range []port.Check{
		{Buttons: []port.CheckButton{fits, fits, fits, fits}},
		{Buttons: []port.CheckButton{{Label: fits.Label + "x"}}},
		{Buttons: []port.CheckButton{{Description: fits.Description + "x"}}},
		{Buttons: []port.CheckButton{{Verb: fits.Verb + "x"}}},
		{Summary: "without a title"},
	} {
		_, err := c.CreateCheck(ctx, joint, wrong)
		var p permanent
		require.ErrorAs(t, err, &p, fmt.Sprint(i))
		require.True(t, p.Permanent())
		require.Error(t, c.UpdateCheck(ctx, joint, 8, wrong))
	}
	require.Empty(t, d.got)
	d.on(oldCheck, ok(`{}`))
	require.NoError(t, c.UpdateCheck(ctx, joint, 8, port.Check{Buttons: []port.CheckButton{fits, fits, fits}}))
}

func TestTheTownTakesTheCheck(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	w := newWorld(t)
	id, err := w.app.CreateCheck(ctx, w.repo, port.Check{Name: "tenon", SHA: w.tip(t, "feature/x").SHA,
		Run: "abc", Thread: w.pull, Status: "queued"})
	require.NoError(t, err)
	notes := make([]port.Annotation, 70)
	for i := range notes {
		notes[i] = port.Annotation{Path: "server/start.go", StartLine: 1, EndLine: 1, Level: "failure", Title: "Block",
			Message: "not found"}
	}
	require.NoError(t, w.app.UpdateCheck(ctx, w.repo, id, port.Check{Status: "completed", Conclusion: "failure",
		Title: "Failed", Summary: "s", Text: "t",
		Annotations: notes, Buttons: []port.CheckButton{{Label: "Retry", Description: "Ask again", Verb: "retry"}}}))
	runs, err := w.CheckRuns(hello)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.Equal(t, "failure", runs[0].Conclusion)
	require.Equal(t, 70, runs[0].Annotations)
	require.Equal(t, []string{"retry"}, runs[0].Actions)
}
