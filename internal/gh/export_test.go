package gh

// Tokens counts the tokens that are kept.
func (c *Client) Tokens() int {
	c.tokens.mu.Lock()
	defer c.tokens.mu.Unlock()
	return len(c.tokens.entries)
}

// LimitAnswers bounds the bytes of an answer.
func (c *Client) LimitAnswers(n int64) { c.limiter.most = n }
