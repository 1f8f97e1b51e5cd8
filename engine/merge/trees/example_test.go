package trees_test

import (
	"fmt"

	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// Theirs changed a file that ours renamed, and deleted one that ours changed.
func ExampleMerge() {
	blobs := map[string]string{
		"1": "one\ntwo\nthree\n", "2": "one\ntwo\nthree\nfour\n", "3": "other\n", "4": "other, changed\n",
	}
	file := func(id string) trees.Entry { return trees.Entry{Mode: trees.Regular, ID: id} }
	result, err := trees.Merge(nil, trees.Input{
		Ours: []trees.Change{
			{Path: "old.txt", Base: file("1")}, {Path: "new.txt", Side: file("1")},
			{Path: "other.txt", Base: file("3"), Side: file("4")},
		},
		Theirs: []trees.Change{
			{Path: "old.txt", Base: file("1"), Side: file("2")}, {Path: "other.txt", Base: file("3")},
		},
		HasDir: func(trees.Side, string) (bool, error) { return true, nil },
		Blob:   func(id string) ([]byte, error) { return []byte(blobs[id]), nil },
	})
	if err != nil {
		fmt.Println(err)
	}
	for _, m := range result.Merged {
		fmt.Println(m.Path, m.Entry.ID)
	}
	for _, c := range result.Conflicts {
		fmt.Println(c.Describe(trees.Words{Ours: "feature", Theirs: "main", Quote: func(path string) string { return path }}))
	}
	// Output:
	// new.txt 2
	// main deleted other.txt, which feature changed. Keep the file or delete it.
}
