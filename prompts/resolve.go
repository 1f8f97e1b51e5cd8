package prompts

// ResolveInput is what a model is told of conflicts that it is to settle. Texts are without secrets.
type ResolveInput struct {
	// Ours and Theirs are the branches that are merged.
	Ours, Theirs Branch
	Files        []ConflictFile
	// Nonce is in the delimiters around data, as in Input.
	Nonce string
}

// Branch is one of two branches that are merged.
type Branch struct {
	// Name is one line.
	Name string
	// Subjects are the first lines of the commits that only this branch has, newest first, and More counts those that are
	// left out.
	Subjects []string
	More     int
}

// ConflictFile is a file with conflicts. Ours and Theirs are what each branch changed in it, as the hunks of a unified
// diff; empty if that is not shown.
type ConflictFile struct {
	Path         string
	Ours, Theirs string
	Conflicts    []ShownConflict
}

// ShownConflict is a conflict as a model sees it. Lines are without endings.
type ShownConflict struct {
	// Name is what answers call it, like "C3".
	Name string
	// Above and Below are the merged lines next to it.
	Above, Below []string
	// Base, Ours and Theirs are its lines in each version.
	Base, Ours, Theirs []string
}

// namedLines are the lines of a version, and the letter of their names.
type namedLines struct {
	Letter string
	Lines  []string
}

// BaseLines returns the lines before both branches changed them, for the template.
func (c ShownConflict) BaseLines() any { return namedLines{"b", c.Base} }

// OurLines returns the lines of ours, for the template.
func (c ShownConflict) OurLines() any { return namedLines{"o", c.Ours} }

// TheirLines returns the lines of theirs, for the template.
func (c ShownConflict) TheirLines() any { return namedLines{"t", c.Theirs} }

// Names returns the names of all conflicts, in order.
func (in ResolveInput) Names() []string {
	var out []string
	for _, f := range in.Files {
		for _, c := range f.Conflicts {
			out = append(out, c.Name)
		}
	}
	return out
}

// Resolve returns the system prompt and the user's message for conflicts that are to be settled. The system prompt is
// always the same.
func Resolve(in ResolveInput) (system, user string) {
	return static("resolve.md"), render("resolve.md", in)
}

// AgainInput is what a model is told of answers that cannot be used.
type AgainInput struct {
	// Names are those of the conflicts to answer again.
	Names []string
	// Problems are sentences about answers. Broken are files that the answers would break; only their
	// paths and problems are used.
	Problems []string
	Broken   []BrokenFile
	Nonce    string
}

// ResolveAgain returns the message after a reply whose answers cannot all be used.
func ResolveAgain(in AgainInput) string { return render("resolve-again.md", in) }
