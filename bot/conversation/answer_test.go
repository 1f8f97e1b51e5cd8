package conversation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestAReplyIsWhatTheModelSaidInAllTurns(t *testing.T) {
	t.Parallel()
	c := answered(t, record.TurnFix, port.Answer{Text: "One.\n\n" + block("a.go", "a", "b"),
		Usage: port.Usage{In: 3, Cached: 2, Out: 1}})
	c = then(t, c, record.TurnContinue, port.Answer{
		Text: "**NO CHANGE**: it is right.", Cut: true, Usage: port.Usage{In: 5, Out: 7},
	}, nil)
	r := c.Reply()
	require.Equal(t, "One.\n\n**NO CHANGE**: it is right.", c.Prose())
	require.True(t, r.NoChange)
	require.True(t, r.Cut)
	require.Empty(t, r.Fault)
	require.Equal(t, port.Usage{In: 8, Cached: 2, Out: 8}, c.Usage())

	c, err := c.With(record.Turn{Kind: record.TurnRepair, Fault: "The budget is used up."})
	require.NoError(t, err)
	r = c.Reply()
	require.Equal(t, "The budget is used up.", r.Fault)
	require.True(t, r.NoChange, "the newest answer that there is counts")
	require.Equal(t, "**NO CHANGE**: it is right.", c.LastAnswer().Text)

	require.Zero(t, Conversation{}.Reply())
	require.Zero(t, Conversation{}.LastAnswer())
}

func TestNoChangeIsALineOfItsOwn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"NO CHANGE": true, "Hm.\n# NO CHANGE: it is right\n": true, "`NO CHANGE`\r\n": true, "There is NO CHANGE.": false,
		"no change": false, "": false,
	} {
		require.Equal(t, want, noChange(text), text)
	}
}

func TestProblemsThatTheNextAnswerResolvedAreNotTold(t *testing.T) {
	t.Parallel()
	unclosed := "a.go\n<<<<<<< SEARCH\na\n=======\nb\n"
	first := answered(t, record.TurnFix, port.Answer{Text: unclosed})
	require.NotEmpty(t, first.Problems())
	more := port.Answer{Text: block("a.go", "a", "b")}
	require.Empty(t, then(t, first, record.TurnContinue, more, nil).Problems())
	require.Equal(t, first.Problems(), then(t, first, record.TurnRepair, more, nil).Problems(),
		"a repair resolves none of them")
	faulty, err := first.With(record.Turn{Kind: record.TurnContinue, Fault: "No answer."})
	require.NoError(t, err)
	require.Equal(t, first.Problems(), faulty.Problems(), "nor does an answer that never came")
}

func TestSuggestedCommandsAreListedOnceAndLongOnesAreNotCarriedOut(t *testing.T) {
	t.Parallel()
	long := "git rm" + strings.Repeat(" docs/a.md", markdown.MaxCell/10)
	c := answered(t, record.TurnFix, port.Answer{Text: "```sh\ngit rm a.go\n" + long + "\n```\n"})
	c = then(t, c, record.TurnRepair, port.Answer{Text: "```sh\ngit rm a.go\ngo test ./...\n```\n"}, nil)
	var commands []string
	for _, s := range c.Suggestions() {
		commands = append(commands, s.Command)
		require.Equal(t, s.Command == "git rm a.go", s.Op != nil, s.Command)
	}
	require.Equal(t, []string{"git rm a.go", long, "go test ./..."}, commands)
	require.NotNil(t, c.Replies[0].Suggestions[1].Op, "the reply itself is as it was")
}

func TestTheAnswerToAQuestionIsTheLastOneWithItsContinuation(t *testing.T) {
	t.Parallel()
	say := func(kind record.TurnKind, text, fault string) record.Turn {
		return record.Turn{Kind: kind, Answer: port.Answer{Text: text}, Fault: fault}
	}
	c := Conversation{Turns: []record.Turn{
		say(record.TurnAsk, "NEED: a.go", ""), say(record.TurnFileRequest, "It waits ", ""),
		say(record.TurnContinue, "for the port.", ""),
		say(record.TurnContinue, "", "The budget is used up."),
	}}
	require.Equal(t, "It waits for the port.", c.AnswerText())
	require.True(t, c.IsQuestion())
	require.Empty(t, Conversation{}.AnswerText())
	require.False(t, Conversation{}.IsQuestion())
}
