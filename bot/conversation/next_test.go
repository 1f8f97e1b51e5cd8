package conversation

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

func TestAConversationGoesOnUntilItsEditsFit(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": "one\ntwo\nthree\n"}
	right, wrong := block("a.go", "two", "2"), block("a.go", "zwei", "2")
	unclosed := "a.go\n<<<<<<< SEARCH\nthree\n"
	for story, c := range map[string]struct {
		turns   string // the kinds of questions that are asked
		answers []string
		result  string // what the edits make of a.go; empty for none that fits
	}{
		"at once":                     {"fix", []string{right}, "one\n2\nthree\n"},
		"after a repair":              {"fix repair", []string{wrong, right}, "one\n2\nthree\n"},
		"no third repair":             {"fix repair repair", []string{wrong, wrong, wrong}, ""},
		"after a reply without edits": {"fix blocks", []string{"I would.", right}, "one\n2\nthree\n"},
		"no edits at all":             {"fix blocks", []string{"I would.", "I still would."}, ""},
		"after files were shown":      {"fix need", []string{"NEED: a.go", right}, "one\n2\nthree\n"},
		"after three rounds": {
			"fix need need need", []string{"NEED: a.go", "FIND: two", "NEED: a.go:1-2", right}, "one\n2\nthree\n",
		},
		"no fourth round": {
			"fix need need need blocks", []string{"NEED: a.go", "NEED: b.go", "NEED: c.go", "NEED: d.go", right},
			"one\n2\nthree\n",
		},
		"edits ask for nothing":     {"fix", []string{right + "\nNEED: b.go"}, "one\n2\nthree\n"},
		"a repair asks for nothing": {"fix repair repair", []string{wrong, "NEED: a.go", right}, "one\n2\nthree\n"},
		"after a reply without edits, a round": {
			"fix blocks need", []string{"I would.", "NEED: a.go", right}, "one\n2\nthree\n",
		},
		"after an answer was cut off": {
			"fix continue", []string{right + unclosed, block("a.go", "three", "3")}, "one\n2\n3\n",
		},
		"an answer is continued once": {"fix continue", []string{right + unclosed, unclosed}, "one\n2\nthree\n"},
		"four calls at most": {
			"fix blocks repair repair", []string{"I would.", wrong, wrong, wrong}, "",
		},
		"four calls at most beside three rounds": {
			"fix need need need blocks repair repair",
			[]string{"NEED: a.go", "NEED: b.go", "NEED: c.go", "I would.", wrong, wrong, wrong}, "",
		},
		"nothing is to be changed":            {"fix", []string{"NO CHANGE: it is right."}, ""},
		"a failure that no words fix":         {"fix", []string{block("../a.go", "two", "2")}, ""},
		"review threads that need no edits":   {"address", []string{"REMARK 1: It is right."}, ""},
		"review threads without an answer":    {"address blocks", []string{"It is right.", "REMARK 1: It is right."}, ""},
		"a question":                          {"ask", []string{"It is two."}, ""},
		"a question with edits in its answer": {"ask", []string{"It could be:\n\n" + wrong}, ""},
		"a question, and three rounds": {
			"ask need need need", []string{"NEED: a.go", "NEED: b.go", "FIND: two", "NEED: d.go"}, "",
		},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := script{files: files, answers: says(c.answers...)}
			first, _, _ := strings.Cut(c.turns, " ")
			talk, _ := s.run(t, record.TurnKind(first))
			var turns []string
			for _, turn := range talk.Turns {
				turns = append(turns, string(turn.Kind))
			}
			require.Equal(t, c.turns, strings.Join(turns, " "))
			tree := s.tree()
			_, err := engine.Apply(tree, talk.Blocks(), engine.Options{})
			require.NoError(t, err)
			require.Equal(t, cmp.Or(c.result, files["a.go"]), string(tree["a.go"]))
		})
	}
}

func TestAnAnswerThatTheProviderCutOffIsContinuedOnce(t *testing.T) {
	t.Parallel()
	cut := port.Answer{Text: "It waits", Cut: true}
	for kind, ask := range map[record.TurnKind]string{
		record.TurnAsk: prompts.GoOn(), record.TurnFix: prompts.Continue(0),
	} {
		c := answered(t, kind, cut)
		next, text := c.Next(nil, "nonce")
		require.Equal(t, record.TurnContinue, next)
		require.Equal(t, ask, text)
		next, _ = then(t, c, record.TurnContinue, cut, nil).Next(nil, "nonce")
		require.NotEqual(t, record.TurnContinue, next)
	}
}

func TestAnAnswerThatJustEndsIsContinuedTwice(t *testing.T) {
	t.Parallel()
	broken := port.Answer{Text: "It waits", Cut: true, Broken: true}
	c := answered(t, record.TurnFix, broken)
	for range maxContinues {
		next, _ := c.Next(nil, "nonce")
		require.Equal(t, record.TurnContinue, next)
		c = then(t, c, record.TurnContinue, broken, nil)
	}
	next, _ := c.Next(nil, "nonce")
	require.NotEqual(t, record.TurnContinue, next)
	require.True(t, c.Reply().Broken)
}

// Parts that an outage broke off do not count as calls, and their number is bounded.
func TestPartsOfAnAnswerAreKeptWithinBounds(t *testing.T) {
	t.Parallel()
	broken := port.Answer{Text: "It waits", Cut: true, Broken: true, RetryAt: time.Unix(1, 0)}
	for want, plan := range map[int]func(n int) []record.BlockRef{
		1 + maxContinues: func(int) []record.BlockRef { return nil },
		1 + maxWithEdits: func(n int) []record.BlockRef { return make([]record.BlockRef, n) },
	} {
		var c Conversation
		for n := 1; ; n++ {
			turn := record.Turn{Kind: record.TurnContinue, Answer: broken, Plan: plan(n)}
			if n == 1 {
				turn.Kind = record.TurnFix
			}
			if !c.Keeps(turn) {
				require.Equal(t, want, n-1)
				break
			}
			c.Turns, c.Replies = append(c.Turns, turn), append(c.Replies, engine.Parse(turn.Answer.Text, engine.ParseOptions{}))
			next, _ := c.Next(nil, "nonce")
			require.Equal(t, record.TurnContinue, next)
			require.True(t, c.EndsInOutage())
		}
		require.True(t, c.MayAskAgain(), "no call counts")
	}
}

func TestNothingIsAskedAfterAFault(t *testing.T) {
	t.Parallel()
	c, err := answered(t, record.TurnFix, port.Answer{Text: "I would."}).With(record.Turn{Kind: record.TurnBlocks,
		Fault: "No answer."})
	require.NoError(t, err)
	kind, ask := c.Next(nil, "nonce")
	require.Empty(t, kind)
	require.Empty(t, ask)
}

// A command that has taken its tokens is not answered further, though there is something to repair.
func TestACommandThatHasTakenItsTokensAsksNoMore(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		usage port.Usage
		more  bool
	}{
		"little":                         {port.Usage{In: 10_000, Out: 1000}, true},
		"just enough for another call":   {port.Usage{In: policy.MaxTokensIn / 2, Out: policy.MaxTokensOut - 1}, true},
		"another call would be too much": {port.Usage{In: policy.MaxTokensIn/2 + 1, Out: 1000}, false},
		"too many tokens out":            {port.Usage{In: 10_000, Out: policy.MaxTokensOut}, false},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			talk := answered(t, record.TurnFix, port.Answer{Text: block("a.txt", "x", "y"), Usage: c.usage})
			results := []engine.Result{{Block: talk.Blocks()[0], Status: engine.Failed, Reason: engine.NotFound, Path: "a.txt"}}
			kind, _ := talk.Next(results, "nonce")
			require.Equal(t, c.more, kind == record.TurnRepair)
		})
	}
}

func TestARequestHasTheWholeConversationInItsOrder(t *testing.T) {
	t.Parallel()
	first := record.Prompt{Request: port.Request{Model: "fast", System: "You edit.",
		Messages: []port.Message{{Role: "user", Text: "Fix it."}}}}
	c := Conversation{}
	require.Equal(t, first.Request, c.Request(first, ""))
	var sent []string
	for i, text := range []string{"one", "two"} {
		ask := ""
		if i > 0 {
			ask = fmt.Sprintf("ask %d", i)
		}
		next, err := c.With(record.Turn{Ask: ask, Answer: port.Answer{Text: text}})
		require.NoError(t, err)
		c = next
	}
	r := c.Request(first, "ask 2")
	for _, m := range r.Messages {
		sent = append(sent, m.Role+": "+m.Text)
	}
	require.Equal(t, []string{"user: Fix it.", "assistant: one", "user: ask 1", "assistant: two", "user: ask 2"}, sent)
	require.Equal(t, "You edit.", r.System)
	require.Equal(t, "fast", r.Model)
	require.Len(t, first.Request.Messages, 1, "the first prompt is as it was")
}

func TestBlocksThatAreSentAgainAreInThePlanOnce(t *testing.T) {
	t.Parallel()
	a, b := block("a.go", "a", "b"), block("b.go", "a", "b")
	c := answered(t, record.TurnFix, port.Answer{Text: a})
	c = then(t, c, record.TurnContinue, port.Answer{Text: a + "\n" + b}, nil)
	require.Equal(t, []record.BlockRef{{Turn: 0, Block: 0}, {Turn: 1, Block: 1}}, c.Plan())
	require.Len(t, c.Turns[0].Plan, 1)
}
