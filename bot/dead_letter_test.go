package bot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

type busyError struct{}

func (busyError) Error() string { return "GitHub answered 502: <secret-host>" }

func (busyError) RetryAfter() time.Duration { return time.Minute }

func TestADeadLetterSaysWhatAPersonCanDo(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		cause error
		says  string
	}{
		"a permission that is missing": {
			fmt.Errorf("committing: %w", port.ErrDenied), "GitHub does not let this app finish this",
		},
		"GitHub is down": {fmt.Errorf("reading: %w", busyError{}), "GitHub did not answer, or failed, each time"},
		"GitHub cannot be reached": {
			fmt.Errorf("reaching it: %w", &net.OpError{Op: "dial", Err: errors.New("refused")}),
			"GitHub did not answer, or failed, each time",
		},
		"it took too long": {
			fmt.Errorf("reading: %w", context.DeadlineExceeded), "GitHub did not answer, or failed, each time",
		},
		"anything else": {
			errors.New("index out of range: <secret-host>"), "An internal error kept tenon from finishing this",
		},
		"a death": {errors.New("the program ended"), "An internal error kept tenon from finishing this"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			text := deadLetterText(port.Event{Delivery: "d1"}, c.cause, record.Record{}, false, nil)
			require.Contains(t, text, c.says)
			require.Contains(t, text, "delivery `d1`")
			require.NotContains(t, text, c.cause.Error(), "no internals")
			require.NotContains(t, text, "secret")
		})
	}
}
