package merge

// Refusal says why versions were not compared; empty if they were.
type Refusal string

// The refusals.
const (
	// TooLarge: a version has more than MaxBytes bytes.
	TooLarge Refusal = "too-large"
	// NotText: a version has a NUL byte.
	NotText Refusal = "not-text"
	// TooDifferent: the versions have so little in common that comparing them would be too much work.
	TooDifferent Refusal = "too-different"
)

// Result is the result of a merge: a text, conflicts, or a refusal.
type Result struct {
	// Text is the merged text if the result is clean. Each line has the bytes that it has in one of the versions.
	Text []byte
	// Conflicts are the regions that cannot be merged, in order; nil if the merge is clean or was refused.
	Conflicts []Conflict
	Refusal   Refusal
}

// Clean reports whether the versions were merged.
func (r Result) Clean() bool { return r.Refusal == "" && len(r.Conflicts) == 0 }

// Conflict is a region that cannot be merged.
type Conflict struct {
	// Uncertain is false if both sides changed the region, or lines of it that touch, in different ways. It is true if
	// only one side changed it, but where that change belongs in the other is uncertain.
	Uncertain bool
	// Base, Ours and Theirs are the region in each version.
	Base, Ours, Theirs Region
}

// Region is a range of lines of a version.
type Region struct {
	// Line is the line of Lines[0], counted from 1; of an empty region, the line after it.
	Line int
	// Lines are without line endings.
	Lines []string
}
