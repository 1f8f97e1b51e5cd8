// Package markdown reads and writes the Markdown of comments. It escapes what models, files and people wrote, tells
// what a reader of a page sees from what is hidden in it, and reads the check boxes of a preview.
package markdown
