package conversation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// block is an edit block that replaces one line of a file; an empty find makes the file.
func block(path, find, replace string) string {
	if find != "" {
		find += "\n"
	}
	return path + "\n<<<<<<< SEARCH\n" + find + "=======\n" + replace + "\n>>>>>>> REPLACE\n"
}

// answered is a conversation of one turn, which has all blocks of the answer in its plan.
func answered(t *testing.T, kind record.TurnKind, answer port.Answer) Conversation {
	t.Helper()
	return then(t, Conversation{}, kind, answer, nil)
}

// then adds a turn, and plans as a run does.
func then(t *testing.T, c Conversation, kind record.TurnKind, answer port.Answer,
	results []engine.Result) Conversation {
	t.Helper()
	turn := record.Turn{Kind: kind, Answer: answer}
	turn.Plan = c.PlanAfter(turn, results)
	next, err := c.With(turn)
	require.NoError(t, err)
	return next
}

// script is a model that knows its answers in advance, and the files that its edits are tried on.
type script struct {
	files   map[string]string
	answers []port.Answer
}

// run has the whole conversation, and returns the questions after the first.
func (s script) run(t *testing.T, kind record.TurnKind) (c Conversation, asked []string) {
	t.Helper()
	ask := ""
	for kind != "" {
		require.NotEmpty(t, s.answers, "nobody expected the question %q", ask)
		turn := record.Turn{Kind: kind, Ask: ask, Answer: s.answers[0]}
		s.answers = s.answers[1:]
		turn.Plan = c.PlanAfter(turn, s.try(t, c))
		next, err := c.With(turn)
		require.NoError(t, err)
		c = next
		if kind, ask = c.Next(s.try(t, c), "nonce"); ask != "" {
			asked = append(asked, ask)
		}
	}
	require.Empty(t, s.answers, "the model was asked less often than expected")
	return c, asked
}

// try applies the plan of a conversation, and changes nothing.
func (s script) try(t *testing.T, c Conversation) []engine.Result {
	t.Helper()
	out, err := engine.Apply(s.tree(), c.Blocks(), engine.Options{DryRun: true, Verify: findBroken})
	require.NoError(t, err)
	return out.Results
}

// findBroken finds a problem in each line with the word BROKEN, which stands for what no parser takes.
func findBroken(_ string, _, after []byte) (v engine.Verification) {
	for i, line := range strings.Split(string(after), "\n") {
		if strings.Contains(line, "BROKEN") {
			v.Problems = append(v.Problems,
				engine.FileProblem{Line: i + 1, Message: "expected '}', found " + line, Syntax: true})
		}
	}
	return v
}

func (s script) tree() engine.MemTree {
	tree := engine.MemTree{}
	for name, text := range s.files {
		tree[name] = []byte(text)
	}
	return tree
}

// says are answers of a few tokens each.
func says(texts ...string) (answers []port.Answer) {
	for _, text := range texts {
		answers = append(answers, port.Answer{Text: text, Usage: port.Usage{In: 1000, Out: 100}})
	}
	return answers
}
