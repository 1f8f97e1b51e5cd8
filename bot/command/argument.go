package command

// Argument is what follows the options of a command. Every argument except SomeText ends with the line of the command.
type Argument int

const (
	_ Argument = iota
	// NoArgument makes any further word a mistake.
	NoArgument
	// AnyWords ignores the rest of the line.
	AnyWords
	// SomeText is everything up to the end of the comment. It must not be empty, except where the issue takes its place.
	SomeText
	// Numbers is a list such as "1,3-5".
	Numbers
	// OptionalNumbers is such a list, or nothing, which means all.
	OptionalNumbers
	// OptionalChoices is a list such as "C3 theirs C4 ours, theirs", or nothing.
	OptionalChoices
	// Branches are names of branches with spaces between them, at least one; choices for its conflicts may follow a single
	// one.
	Branches
	// OptionalRun is the id of a run, or nothing, which means the newest one.
	OptionalRun
)
