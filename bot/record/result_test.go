package record

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestAStatusIsRecordedInTheWordsOfTheEngine(t *testing.T) {
	t.Parallel()
	for recorded, of := range map[Status]engine.Status{
		StatusApplied: engine.Applied, StatusFailed: engine.Failed, StatusSkipped: engine.Skipped,
	} {
		require.Equal(t, of.String(), string(recorded))
		data, err := json.Marshal(Result{Path: "a", Status: recorded})
		require.NoError(t, err)
		require.JSONEq(t, `{"path":"a","status":"`+of.String()+`","reply_line":0}`, string(data))
	}
}

func TestAnUnknownStatusCountsAsSkipped(t *testing.T) {
	t.Parallel()
	require.Equal(t, counts{Applied: 1, Failed: 2, Skipped: 2}, Count([]Result{
		{Status: StatusFailed}, {Status: StatusApplied}, {Status: StatusSkipped}, {Status: "held"}, {Status: StatusFailed},
	}))
	require.False(t, StatusApplied.Skipped())
	require.False(t, StatusFailed.Skipped())
}
