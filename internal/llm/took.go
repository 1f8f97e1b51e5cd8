package llm

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
)

// took returns what an attempt took: by the provider's figures if nothing followed them, or else nothing for a request
// that was refused, and an estimate of what was sent and received for any other, whether it was answered, failed or was
// cancelled. Figures in the middle of an answer are a lower bound: of them and the estimate, the larger ones count.
func took(req port.Request, got received, failed *fault) port.Usage {
	switch {
	case got.usage.In+got.usage.Out > 0 && !got.outdated:
		return got.usage
	case failed != nil && failed.refused:
		return port.Usage{}
	}
	return port.Usage{
		In:     max(int(req.Tokens()), got.usage.In),
		Cached: got.usage.Cached,
		Out:    max(got.bytes/port.BytesPerToken, got.usage.Out),
	}
}

// expired are the statuses with which a server in between says that it gave up waiting: what is behind it may have
// worked on the request.
var expired = []int{
	http.StatusRequestTimeout, http.StatusBadGateway, http.StatusGatewayTimeout,
	524, // Cloudflare: a timeout occurred
}

// isRefusal reports whether the status of a response says that there was no answer.
func isRefusal(status int) bool { return status != http.StatusOK && !slices.Contains(expired, status) }
