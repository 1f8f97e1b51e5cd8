package record

// source is where an apply takes blocks from: a preview, or the text of a comment.
type Source struct {
	// Preview is its run.
	Preview string `json:"preview,omitempty"`
	// Text is what the comment says, Author who wrote it.
	Text   string `json:"text,omitempty"`
	Author string `json:"author,omitempty"`
	URL    string `json:"url,omitempty"`
}
