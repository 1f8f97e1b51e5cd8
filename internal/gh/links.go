package gh

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

// Links returns the addresses of the pages of a thread's repository.
func (c *Client) Links(t port.Thread) port.Links { return links.Of(t) }

// Has reports whether GitHub has a feature: all of them.
func (c *Client) Has(port.Feature) bool { return true }
