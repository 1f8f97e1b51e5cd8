package reply

// Options control how a reply is read. The zero value reads every format.
type Options struct {
	// Fence is an additional line that opens and closes a fence, besides runs of three or more backticks or tildes. It is
	// for models that were told to use another fence, such as "<source>".
	Fence string
}
