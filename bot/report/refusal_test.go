package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestARefusalIsOneSentenceOfPlainText(t *testing.T) {
	t.Parallel()
	const broken = "The file would no longer parse (line 4: expected `}`)."
	for want, row := range map[string]record.Result{
		"The same lines are at lines 3, 1,200 and 7 more.": {
			Reason: string(engine.Ambiguous), Places: []int{3, 1200}, MorePlaces: 7},
		"Line 9 is not what the edit expected.":                     {Reason: string(engine.NotFound), Differs: 9},
		"The file does not have the lines that the model expected.": {Reason: string(engine.NotFound)},
		broken: {
			Reason: string(engine.SyntaxError), Problems: []record.Problem{{Line: 4, Text: "expected `}`", Syntax: true}}},
		"No file can be written there: the path begins with a slash.": {
			Reason: string(engine.UnsafePath), Detail: "Unsafe path: the path begins with a slash"},
		"The file is protected, because the settings say so.": {
			Reason: string(engine.ProtectedPath), Detail: "The settings say so."},
		"It adds an invisible <b>.": {Reason: string(engine.Unusual), Detail: "It adds an invisible <b>"},
		"It could not be made.":     {Reason: "of a later version"},
	} {
		require.Equal(t, want, Refusal(row))
	}
	for reason := range faults {
		require.Regexp(t, `^[A-Z].*[^.]\.$`, Refusal(record.Result{Reason: string(reason)}))
	}
}
