package merge_test

import (
	"fmt"

	"github.com/tenon-bot/tenon/engine/merge"
)

// Changes with an unchanged line between them are merged.
func ExampleMerge() {
	base := []byte("one\ntwo\nthree\n")
	ours := []byte("ONE\ntwo\nthree\n")
	theirs := []byte("one\ntwo\nTHREE\n")
	r := merge.Merge(base, ours, theirs)
	fmt.Println(r.Clean())
	fmt.Print(string(r.Text))
	// Output:
	// true
	// ONE
	// two
	// THREE
}

// Changes of the same lines, or of lines next to each other, are a conflict.
func ExampleMerge_conflict() {
	base := []byte("one\ntwo\nthree\n")
	r := merge.Merge(base, []byte("one\nours\nthree\n"), []byte("one\ntheirs\nthree\n"))
	fmt.Println(r.Clean())
	for _, c := range r.Conflicts {
		fmt.Printf("line %d: %q became %q and %q\n", c.Base.Line, c.Base.Lines, c.Ours.Lines, c.Theirs.Lines)
	}
	// Output:
	// false
	// line 2: ["two"] became ["ours"] and ["theirs"]
}
