package llm

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
)

// took returns what an attempt took: by the provider's figures, or else nothing for a request that was refused, and an
// estimate for a whole answer. It returns nil for an attempt that broke off, whose cost is not known.
func took(req port.Request, answer port.Answer, failed *fault) *port.Usage {
	usage := answer.Usage
	if failed != nil {
		usage = failed.usage
	}
	switch {
	case usage.In+usage.Out > 0:
		return &usage
	case failed != nil && failed.refused:
		return &port.Usage{}
	case failed != nil || answer.Cut:
		return nil
	}
	return &port.Usage{In: int(req.Tokens()), Out: len(answer.Text) / port.BytesPerToken}
}

// expired are the statuses with which a server in between says that it gave up waiting: what is behind it may have
// worked on the request.
var expired = []int{
	http.StatusRequestTimeout, http.StatusBadGateway, http.StatusGatewayTimeout,
	524, // Cloudflare: a timeout occurred
}

// isRefusal reports whether the status of a response says that there was no answer.
func isRefusal(status int) bool { return status != http.StatusOK && !slices.Contains(expired, status) }
