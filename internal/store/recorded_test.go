package store

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// recordedEvent and recordedRun are rows as storetest.Recorded writes them.
type recordedEvent struct {
	Delivery, Thread string
	Installation     int64
	Version, Aside   int
}

type recordedRun struct {
	ID    string
	Steps []struct {
		Step    string
		Version int
	}
}

// What past versions stored is read whole: an event of today's form would be stored again as it is.
func TestRecordedEventsAndStepsAreRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/runs/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			var head recordedEvent
			for _, f := range archive.Files {
				data := bytes.TrimSuffix(f.Data, []byte("\n"))
				switch filepath.Base(f.Name) {
				case "row.json":
					head = recordedEvent{}
					require.NoError(t, json.Unmarshal(data, &head))
				case "event.json":
					requireEvent(t, row{
						delivery: head.Delivery, thread: head.Thread, installation: head.Installation, lane: lane(head.Aside),
						version: head.Version, body: string(data),
					})
				case "run.json":
					if strings.Contains(f.Name, "/step/") { // the record of the command "run"
						continue
					}
					var run recordedRun
					require.NoError(t, json.Unmarshal(data, &run))
					require.Equal(t, port.RunID(head.Delivery), run.ID)
					for _, s := range run.Steps {
						require.NotZero(t, s.Version, s.Step)
					}
				}
			}
		})
	}
}

func requireEvent(t *testing.T, stored row) {
	t.Helper()
	ev, err := decodeEvent(stored)
	require.NoError(t, err)
	require.Equal(t, stored.lane == immediateLane, ev.Immediate)
	if stored.version != versionOf(ev) {
		return
	}
	again, err := encodeEvent(ev)
	require.NoError(t, err)
	again.origin, again.sender, again.closed = "", 0, false // which this program makes of the event
	require.Equal(t, stored, again)
}
