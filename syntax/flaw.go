package syntax

// A flaw is what the tokens of a file have that no whole file has.
type flaw struct {
	line    int
	message string
}
