package history

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// possibleIn is what can be done with each run of a recorded story, oldest first, after the first n of them.
func possibleIn(t *testing.T, story string, n int) (all []string) {
	t.Helper()
	q := &queue{runs: recordedRuns(t, "../../testdata/runs/"+story+".txtar")}
	q.runs = q.runs[len(q.runs)-n:]
	for i := len(q.runs) - 1; i >= 0; i-- {
		h := Thread{Queue: &queue{runs: q.runs[:i+1]}, Event: q.runs[i].Event}
		run, err := h.load(q.runs[i])
		require.NoError(t, err)
		p, err := h.Possible(t.Context(), run, commandOf)
		require.NoError(t, err)
		all = append(all, fmt.Sprintf("undo %t retry %t apply %v", p.Undo, p.Retry, p.Apply))
	}
	return all
}

func TestWhatCanBeDoneWithARunChangesWithLaterRuns(t *testing.T) {
	t.Parallel()
	const nothing = "undo false retry false apply []"
	const made = "undo true retry false apply []"
	require.Equal(t, []string{preview("1 2 3")}, possibleIn(t, "commands-on-pages", 1))
	require.Equal(t, []string{preview("2"), made}, possibleIn(t, "commands-on-pages", 2), "two are committed")
	require.Equal(t, []string{preview("1 2 3"), nothing, made}, possibleIn(t, "commands-on-pages", 3),
		"what was undone can be applied again, and the undo can be undone")
	half := "undo true retry true apply []"
	require.Equal(t, []string{half}, possibleIn(t, "retry", 1), "an edit failed")
}

func TestWhatIsLeftOfAPreviewCanBeApplied(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		preview("4"), "undo false retry true apply []", "undo true retry false apply []", "undo true retry false apply []",
	}, possibleIn(t, "preview-seen", 4), "one changed meanwhile, and was seen anew")
	require.Contains(t, possibleIn(t, "fix-breaks-a-file", 1)[0], "apply []", "it is not on record what was seen")
}

// preview is a preview with these edits left.
func preview(left string) string { return "undo false retry false apply [" + left + "]" }

func TestWithARunThatCannotBeReadNothingCanBeDone(t *testing.T) {
	t.Parallel()
	q := &queue{}
	q.add(t, "shown", 12, "/tenon preview it", previewed(t, inReply(fits("a.go", 0))...)...)
	h, _ := q.thread()
	run, err := h.load(q.runs[0])
	require.NoError(t, err)
	p, err := h.Possible(t.Context(), run, commandOf)
	require.NoError(t, err)
	require.Equal(t, Possible{}, p, "it is not known what people were shown of the preview")
	q.damage("shown", "context")
	p, err = h.Possible(t.Context(), Run{record.Record{ID: "shown", Forgotten: true}, port.Event{}}, commandOf)
	require.NoError(t, err)
	require.Equal(t, Possible{}, p)
	q.err = errBroken
	_, err = h.Possible(t.Context(), run, commandOf)
	require.ErrorIs(t, err, errBroken)
}
