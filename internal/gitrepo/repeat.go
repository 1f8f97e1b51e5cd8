package gitrepo

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
)

// repeatDelays are the waits before a request is sent again that failed because of the server or the connection,
// without jitter.
var repeatDelays = retry.Delays{300 * time.Millisecond, 1500 * time.Millisecond, 4 * time.Second}

// attempt sends a call to a URL of the repository, and repeats it if the server fails or cannot be reached. Reading can
// be repeated. A push is repeated only if it was never sent: otherwise verifyPush finds out whether it was made.
func (r *remote) attempt(ctx context.Context, at string, c call) (*response, error) {
	for _, delay := range repeatDelays {
		resp, err := r.sendOnce(ctx, at, c)
		if err == nil || !mayRepeat(c, err) {
			return resp, err
		}
		var slept error
		port.Waiting(ctx, func() { slept = r.sleep(ctx, retry.Jitter(delay)) })
		if slept != nil {
			return nil, err
		}
	}
	return r.sendOnce(ctx, at, c)
}

// mayRepeat reports whether a call that ended with err can be sent again at once.
func mayRepeat(c call, err error) bool {
	var wait *port.WaitError
	var op *net.OpError
	var dns *net.DNSError
	if !errors.As(err, &wait) || wait.For != port.GitHubOutage || wait.After > 0 || errors.Is(err, errUnauthorized) ||
		errors.Is(err, errTimeout) {
		return false
	}
	isPush := c.service == receivePack && c.body != nil
	return !isPush || errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial"
}
