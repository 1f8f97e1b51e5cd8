package gh

// Tokens counts the tokens that are kept.
func (c *Client) Tokens() int {
	c.minted.mu.Lock()
	defer c.minted.mu.Unlock()
	return len(c.minted.entries)
}

// LimitResponses bounds the bytes of a response.
func (c *Client) LimitResponses(n int64) { c.limiter.maxBytes = n }

// NewKnownPace is newKnownPace.
var NewKnownPace = newKnownPace
