package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestRemarksAreOnLinesOfTheirOwnOutsideOfBlocks(t *testing.T) {
	t.Parallel()
	text := "<think>\nREMARK 9: thought\n</think>\nREMARK 1: One.\n**REMARK 2:** Two.\n- REMARK #3: Three.\nNo REMARK " +
		"4: four\n" +
		"a.txt\n```\n<<<<<<< SEARCH\n=======\nREMARK 5: in a file\n>>>>>>> REPLACE\n```\nREMARK 6:\nREMARK 7: Seven.\r\n"
	got := map[int]string{}
	for _, r := range remarksIn(text, engine.Parse(text, engine.ParseOptions{})) {
		got[r.thread] = r.text
	}
	require.Equal(t, map[int]string{1: "One.", 2: "Two.", 3: "Three.", 6: "", 7: "Seven."}, got)
}

func TestOnlyAnAnswerAboutReviewThreadsHasRemarks(t *testing.T) {
	t.Parallel()
	remark := port.Answer{Text: "REMARK 1: Done."}
	require.True(t, answered(t, record.TurnAddress, remark).HasRemarks())
	require.False(t, answered(t, record.TurnFix, remark).HasRemarks())
	require.False(t, answered(t, record.TurnAddress, port.Answer{Text: "Done."}).HasRemarks())
	require.False(t, Conversation{}.HasRemarks())
}

// threads are three review threads, two of them in one file.
var threads = record.Prompt{Reviews: []record.ReviewThread{
	{Number: 1, Path: "a.go", Line: 10}, {Number: 2, Path: "a.go", Line: 50}, {Number: 3, Path: "b.go"},
}}

// outcomes says for each thread what was remarked and which lines were edited.
func outcomes(c Conversation, results ...record.Result) (out []string) {
	for _, o := range ThreadOutcomes(threads, c, results) {
		text := o.Remark
		for _, r := range o.Results {
			text += " +" + r.Path
			for range r.Line / 10 {
				text += "'"
			}
		}
		out = append(out, text)
	}
	return out
}

func TestAnEditBelongsToTheThreadOfTheRemarkBeforeIt(t *testing.T) {
	t.Parallel()
	c := answered(t, record.TurnAddress, port.Answer{Text: "REMARK 2: Two.\n\n" + block("a.go", "a", "b") +
		"\nREMARK 3: Three.\n\n" +
		block("a.go", "c", "d") + "\n" + block("b.go", "e", "f")})
	got := outcomes(c, record.Result{Path: "a.go", Line: 10}, record.Result{Path: "a.go", Line: 20},
		record.Result{Path: "b.go"})
	require.Equal(t, []string{"", "Two. +a.go'", "Three. +a.go'' +b.go"}, got)
}

func TestAnEditWithoutARemarkBelongsToTheNearestThreadOfItsFile(t *testing.T) {
	t.Parallel()
	c := answered(t, record.TurnAddress, port.Answer{Text: block("a.go", "a", "b") + "\n" + block("a.go", "c", "d") +
		"\n" +
		block("old.go", "e", "f") + "\n" + block("c.go", "g", "h") + "\nREMARK 9: There is no such thread.\nREMARK 1:\n"})
	got := outcomes(c, record.Result{Path: "a.go", Line: 20}, record.Result{Path: "a.go", Line: 40},
		record.Result{Path: "b.go", Line: 10}, record.Result{Path: "c.go", Line: 10})
	require.Equal(t, []string{" +a.go''", " +a.go''''", " +b.go'"}, got, "c.go has no thread")
	silent := ThreadOutcomes(threads, answered(t, record.TurnAddress, port.Answer{Text: "REMARK 1: Done."}), nil)
	require.False(t, silent[0].Silent())
	require.True(t, silent[1].Silent())
}

func TestACorrectionBelongsToTheThreadOfWhatItCorrects(t *testing.T) {
	t.Parallel()
	c := answered(t, record.TurnAddress, port.Answer{Text: "REMARK 2: Two.\n\n" + block("a.go", "wrong", "b")})
	failed := []engine.Result{{Block: c.Blocks()[0], Path: "a.go", Status: engine.Failed, Reason: engine.NotFound}}
	corrected := then(t, c, record.TurnRepair, port.Answer{Text: block("a.go", "right", "b")}, failed)
	require.Equal(t, []string{"", "Two. +a.go'", ""}, outcomes(corrected, record.Result{Path: "a.go", Line: 10}))

	again := then(t, c, record.TurnRepair, port.Answer{Text: "REMARK 1: Rather one.\n\n" + block("a.go", "right", "b")},
		failed)
	require.Equal(t, []string{"Rather one. +a.go'", "Two.", ""}, outcomes(again, record.Result{Path: "a.go", Line: 10}))
}

func TestResultsThatAreMissingAreNobodys(t *testing.T) {
	t.Parallel()
	c := answered(t, record.TurnAddress, port.Answer{Text: block("a.go", "a", "b") + "\n" + block("b.go", "c", "d")})
	require.Equal(t, []string{" +a.go'", "", ""}, outcomes(c, record.Result{Path: "a.go", Line: 10}))
	require.Nil(t, ThreadOutcomes(record.Prompt{}, c, nil))
}
