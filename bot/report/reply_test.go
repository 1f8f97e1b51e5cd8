package report

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

// asked is a conversation about a question, to which the model gave these answers.
func asked(answers ...port.Answer) conversation.Job {
	j := conversation.Job{Prompt: record.Prompt{Base: headSHA, Selection: retrieve.Selection{
		Shown: map[string]string{"a.go": "sum", "odd name.go": "sum"},
		Files: []retrieve.ShownFile{{Path: "a.go", Why: "named"}},
	}}}
	for _, a := range answers {
		j.Conversation.Turns = append(j.Conversation.Turns, record.Turn{Kind: record.TurnAsk, Answer: a})
		j.Conversation.Replies = append(j.Conversation.Replies, engine.Parse(a.Text, engine.ParseOptions{}))
	}
	return j
}

var askCosts = record.Costs{Took: took, Run: runID}

const askFoot = "\n\n<details><summary>Details</summary>\n\n" +
	"<details><summary>The model saw 1 file</summary>\n\n- `a.go`: named\n\n</details>\n\n" +
	"<sub>4.2 s</sub>\n\n</details>"

func TestAnAnswerLinksThePlacesThatTheModelSaw(t *testing.T) {
	t.Parallel()
	const blob = lathe + "/blob/" + headSHA
	for text, want := range map[string]string{
		"See `a.go`.":                 "See [`a.go`](" + blob + "/a.go).",
		"See `a.go:12`":               "See [`a.go:12`](" + blob + "/a.go#L12)",
		"See `a.go:12-14`":            "See [`a.go:12-14`](" + blob + "/a.go#L12)",
		"See `a.go:12–14`":            "See [`a.go:12–14`](" + blob + "/a.go#L12)",
		"See `odd name.go:3`":         "See [`odd name.go:3`](" + blob + "/odd%20name.go#L3)",
		"See `b.go:12`":               "See `b.go:12`",
		"See `a.go:x`":                "See `a.go:x`",
		"**Yes**, <b>@jan</b> <img/>": "Yes, `<b>@jan</b>` `<img/>`",
		"":                            "The model gave no answer. Rephrase the question.",
	} {
		body := AskBody(asked(port.Answer{Text: text}), askCosts, onLathe)
		require.Equal(t, want+askFoot, body)
		page(t, body)
	}
}

func TestEditsInAnAnswerAreNotMade(t *testing.T) {
	t.Parallel()
	block := "a.go\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	const hint = ", and nothing was applied. `/tenon fix <what>` asks for the change and commits it."
	require.Equal(t, "Like so:\n\nThe model also wrote 1 edit"+hint+askFoot,
		AskBody(asked(port.Answer{Text: "Like so:\n\n" + block}), askCosts, onLathe))
	require.Equal(t, "The model also wrote 2 edits"+hint+askFoot,
		AskBody(asked(port.Answer{Text: block + "\n" + block}), askCosts, onLathe),
		"there is nothing to be asked in other words")
}

func TestAnAnswerSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	j := asked(port.Answer{Text: "Half of", Cut: true}, port.Answer{})
	j.Conversation.Turns[1].Fault = "The provider is overloaded."
	require.Equal(t, "Half of\n\n"+
		"The model's reply was cut off at its length limit. Give the command again for what is missing. "+
		"The model could not be asked again. The provider is overloaded."+askFoot, AskBody(j, askCosts, onLathe))
}

func TestALongAnswerFits(t *testing.T) {
	t.Parallel()
	j := asked(port.Answer{Text: strings.Repeat("@ä ", 20_000)})
	for range 20 {
		path := strings.Repeat("ä", 4000)
		j.Prompt.LeftOut = append(j.Prompt.LeftOut, retrieve.LeftOut{Path: path, Why: "it is not text"})
	}
	body := AskBody(j, askCosts, onLathe)
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.True(t, strings.HasSuffix(body, "<sub>4.2 s</sub>\n\n</details>"))
}
