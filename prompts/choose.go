package prompts

// Offered is a file that a model may choose before it is shown any code.
type Offered struct {
	Path string
	// Lines is how many lines it has; 0 if that is not known.
	Lines int
	// Outline are lines of it that define what fits the task best, each with its number in front; it may be empty.
	Outline []string
}

// ChooseInput is what a model is told before it chooses files. All but Offered, Most and Nonce may be empty.
type ChooseInput struct {
	// Issue, Thread, Title and Task are as in Input.
	Issue       *Issue
	Thread      []Remark
	Title, Task string
	// Offered are the files to choose from, the likeliest first, Most is how many of them may be chosen.
	Offered []Offered
	Most    int
	// Nonce is in the delimiters around data, as in Input.
	Nonce string
}

// Choose returns the system prompt and the user's message for the choice of the files that are shown for a task. The
// system prompt is always the same.
func Choose(in ChooseInput) (system, user string) {
	return static("choose.md"), render("choose.md", in)
}
