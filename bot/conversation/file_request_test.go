package conversation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

func TestAModelAsksForFilesOnLinesOfTheirOwn(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"I must see more.\n\nNEED: a.go\n- NEED: `b.go`\n**NEED:** c.go\r\n": {"a.go", "b.go", "c.go"},
		"NEED: a.go\nNEED: a.go\n":         {"a.go"},
		"NEED:\nNEED: ``\nneed: a.go":      nil,
		"There is no NEED: a.go":           nil,
		"NEED: a\u202eb.go\nNEED: \x1b[8m": nil,
		strings.Repeat("NEED: a\nNEED: b\nNEED: c\nNEED: d\nNEED: e\nNEED: f\n", 9): {"a", "b", "c", "d", "e"},
		"": nil,
	} {
		require.Equal(t, want, FileRequests(text), text)
	}
}

func TestTheFilesThatWereShownLaterExtendThePrompt(t *testing.T) {
	t.Parallel()
	a, b := retrieve.ShownFile{Path: "a.go"}, retrieve.ShownFile{Path: "b.go"}
	first := record.Prompt{Selection: retrieve.Selection{Shown: map[string]string{"a.go": "1"},
		Files: []retrieve.ShownFile{a}}}
	more := record.Prompt{Selection: retrieve.Selection{
		Shown: map[string]string{"b.go": "2"}, Files: []retrieve.ShownFile{b},
		ReadOnly: map[string]string{"b.go": "AWS access key"},
		LeftOut:  []retrieve.LeftOut{{Path: "c.go", Why: "it is too large"}},
	}}
	c := Conversation{Turns: []record.Turn{{}, {More: &more}, {}}}
	require.Equal(t, record.Prompt{Selection: retrieve.Selection{
		Shown: map[string]string{"a.go": "1", "b.go": "2"}, Files: []retrieve.ShownFile{a, b},
		ReadOnly: map[string]string{"b.go": "AWS access key"},
		LeftOut:  []retrieve.LeftOut{{Path: "c.go", Why: "it is too large"}},
	}}, c.ExtendPrompt(first), "the record of a prompt without secrets has no map of them")
	require.Equal(t, map[string]string{"a.go": "1"}, first.Shown, "the first prompt is as it was")
	require.Nil(t, first.ReadOnly)
	require.Nil(t, Conversation{}.ExtendPrompt(record.Prompt{}).Shown, "a pasted text showed nothing")
}
