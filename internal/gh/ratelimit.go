package gh

import (
	"context"
	"net/http"
	"time"
)

// MostWrites is how many writes GitHub accepts of an installation in an hour.
const MostWrites = writesPerHour

// RateLimit is how many requests GitHub accepts of an installation.
type RateLimit struct {
	// Left are those of Limit that are left until Reset.
	Left, Limit int
	Reset       time.Time
}

// RateLimit asks how many requests GitHub accepts of an installation. The question is not counted itself.
func (c *Client) RateLimit(ctx context.Context, installation int64) (RateLimit, error) {
	limited := c.limiter.roundTripper(c.paced(installation), reads)
	api := c.client(&authTransport{tokens: c.tokens, grant: grant{installation: installation, scope: counting},
		next: limited})
	var got struct {
		Resources struct {
			Core struct {
				Limit     int   `json:"limit"`
				Remaining int   `json:"remaining"`
				Reset     int64 `json:"reset"`
			} `json:"core"`
		} `json:"resources"`
	}
	if err := call(ctx, api, http.MethodGet, "rate_limit", nil, &got); err != nil {
		return RateLimit{}, c.explain(err, "asking for the rate limit of installation %d", installation)
	}
	core := got.Resources.Core
	return RateLimit{Left: core.Remaining, Limit: core.Limit, Reset: time.Unix(core.Reset, 0).UTC()}, nil
}
