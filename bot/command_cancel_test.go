package bot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestAQueueTellsOnlyOfCommands(t *testing.T) {
	t.Parallel()
	r := runOf(t, &Bot{}, fixEvent())
	queued := func(login, body string) port.QueuedEvent {
		q := port.QueuedEvent{Event: fixEvent()}
		q.Event.Sender.Login, q.Event.Comment.Body = login, body
		return q
	}
	fix := queued("maria", "/tenon fix it")
	label, own := fix, fix
	label.Event.Kind, label.Event.Label = port.Labeled, "bug"
	own.Event.Kind, own.Event.Label = port.Labeled, "tenon"
	require.Equal(t, []port.QueuedEvent{fix, own}, r.queue().commandsIn([]port.QueuedEvent{
		queued("maria", "> /tenon fix it"), fix, queued("tenon[bot]", "/tenon fix it"), label, own,
	}))
}
