package bot_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// slowRuns are records that take a moment to be written, in which something happens. Once a record is on its way,
// nothing keeps it from being written.
type slowRuns struct {
	port.Runs
	meanwhile func()
}

func (r slowRuns) Record(ctx context.Context, ev port.Event, run, name string, step port.Step) error {
	if record.Committing.In(port.Run{Steps: map[string]port.Step{name: step}}) {
		r.meanwhile()
		ctx = context.WithoutCancel(ctx)
	}
	return r.Runs.Record(ctx, ev, run, name, step)
}

// Whoever cancels a run that has not recorded yet that it will commit is told that nothing was committed.
func TestACancelWhileThePointOfNoReturnIsRecordedIsInTime(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.bot.Runs = slowRuns{s.Queue, func() {
		s.pull.Comment("maria", "/tenon cancel")
		s.RunImmediate()
	}}
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.Equal(t, 1, s.saying("which was running; nothing was committed"), s.pull.Answers())
	require.Equal(t, 1, s.saying("**Cancelled** by `maria`. Nothing was committed."))
	require.Empty(t, s.Commits("speed"))
	require.Empty(t, s.Queue.DeadLetters())
}
