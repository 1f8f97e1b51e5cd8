package conversation

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestAnExplanationHasNoLineThatIsMeantForTenon(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"It was lost.\n\nCOMMIT: fix: return it\n":                  "It was lost.",
		"**COMMIT:** fix: return it\nI made it.":                    "I made it.",
		"Now it is checked.\n\nREMARK 1: done\n\n> REMARK #2: no\n": "Now it is checked.",
		"I made it.\n2. NEED: b.go\nFIND: total":                    "I made it.",
		"NO CHANGE: `a.go` is right.":                               "`a.go` is right.",
		"**NO CHANGE:** it is right.\n\nIndeed.":                    "it is right.\n\nIndeed.",
		"`NO CHANGE`\n\n*It* is right.":                             "*It* is right.",
		"NO CHANGE – it is right.":                                  "it is right.",
		"COMMIT: fix: it":                                           "",
		"Nobody calls it:\n\n```sh\ngit rm a.go\n```\n":             "Nobody calls it.",
		"It is:\n\n```go\nx := 1\n\ny := 2\n```":                    "It is:\n\n```go\nx := 1\n\ny := 2\n```",
		"Here are the edits:\n\n" + block("a.go", "a", "b"):         "",
		"It was lost:\n\n" + block("a.go", "a", "b"):                "It was lost.",
		"`a.go`\n\nIt was lost.\n\n" + block("a.go", "a", "b"):      "It was lost.",
		"It was lost.\n\nReturn it.\n\n" + block("a.go", "a", "b"):  "It was lost.",
		"It was lost.\n```":                                         "It was lost.",
	} {
		require.Equal(t, want, answered(t, record.TurnFix, port.Answer{Text: text}).Reply().Explanation, "%q", text)
	}
}

func TestAnExplanationDoesNotRepeatWhatSeveralRoundsSaid(t *testing.T) {
	t.Parallel()
	c, _ := script{files: map[string]string{"a.go": "c\n"}, answers: says("I have to see it.\n\nNEED: b.go\n",
		"The error of `Listen` was lost.\n\nCOMMIT: fix: it\n\n"+block("a.go", "a", "b"),
		"Sorry, here is the edit again.\n\nThe error that `Listen` returns\nwas lost.\n\nThe file has tabs, not blanks.\n\n"+
			"COMMIT: fix: it\n\n"+block("a.go", "c", "d"))}.run(t, record.TurnFix)
	require.Equal(t, "The error of `Listen` was lost.\n\nThe file has tabs, not blanks.", c.Reply().Explanation)

	unanswered := answered(t, record.TurnFix, port.Answer{Text: "I have to see it.\n\nNEED: b.go\n"})
	unanswered, err := unanswered.With(record.Turn{Kind: record.TurnFileRequest, Fault: "The budget is used up."})
	require.NoError(t, err)
	require.Equal(t, "I have to see it.", unanswered.Reply().Explanation, "it is all that was said")
}

// Wherever an answer is cut off, no half of a line, of a sentence or of a block is part of the explanation.
func TestAnExplanationHasNoFragment(t *testing.T) {
	t.Parallel()
	whole := "The error was lost. So it\nended in a nil pointer.\n\nCOMMIT: fix: it\n\nReturn it.\n\n```go\na.go\n" +
		"<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n\n" +
		"Log it.\n\n```go\nb.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n"
	var explained []string
	for n := range len(whole) {
		c := answered(t, record.TurnFix, port.Answer{Text: whole[:n], Cut: true})
		explained = append(explained, c.Reply().Explanation)
		rest := port.Answer{Text: "Log it.\n\nb.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"}
		if explained[n] != "" {
			require.Equal(t, explained[n], then(t, c, record.TurnContinue, rest, nil).Reply().Explanation,
				"the rest is not a part of it")
		}
	}
	require.Subset(t, []string{"", "The error was lost.", "The error was lost. So it\nended in a nil pointer."}, explained)
	require.Contains(t, explained, "The error was lost.")

	c := answered(t, record.TurnFix, port.Answer{Text: "a.go\n<<<<<<< SEARCH\na\n", Cut: true})
	c = then(t, c, record.TurnContinue, port.Answer{Text: "=======\nb\n>>>>>>> REPLACE\n"}, nil)
	require.Empty(t, c.Reply().Explanation, "nor what a model goes on with in the middle of a block")
}
