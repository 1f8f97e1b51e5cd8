package engine_test

import (
	"fmt"

	"github.com/tenon-bot/tenon/engine"
)

// printBlocks prints what Parse found.
func printBlocks(reply engine.Reply) {
	for _, b := range reply.Blocks {
		fmt.Printf("%s, format %s, create %t: %q becomes %q\n", b.Path, b.Format, b.Create, b.Find, b.Replace)
	}
	for _, p := range reply.Problems {
		fmt.Printf("line %d: %s\n", p.Line, p.Text)
	}
}

// The format v3: its markers are in no programming language, so a block needs no code fence.
func ExampleParse_v3() {
	printBlocks(engine.Parse(`
shop/cart.py
««« EDIT
    return total
═══════ REPL
    return total * factor
»»» EDIT END
`, engine.ParseOptions{}))
	// Output:
	// shop/cart.py, format v3, create false: ["    return total"] becomes ["    return total * factor"]
}

// The format anchored: the lines before and after the change are written once.
func ExampleParse_anchored() {
	reply := engine.Parse(`
shop/cart.py
««« EDIT
    def total(self):
───────
        return 0
═══════
        return sum(self.prices)
───────

    def clear(self):
»»»
`, engine.ParseOptions{})
	b := reply.Blocks[0]
	fmt.Printf("%s, format %s\n", b.Path, b.Format)
	fmt.Printf("after   %q\nold     %q\nnew     %q\nbefore  %q\n", b.Anchor, b.Old, b.New, b.Tail)
	// Output:
	// shop/cart.py, format anchored
	// after   ["    def total(self):"]
	// old     ["        return 0"]
	// new     ["        return sum(self.prices)"]
	// before  ["" "    def clear(self):"]
}

// The format diff, which aider's models write: the path is before the fence, or before the head marker without one.
func ExampleParse_diff() {
	printBlocks(engine.Parse("shop/cart.py\n```python\n"+`<<<<<<< SEARCH
    return total
=======
    return total * factor
>>>>>>> REPLACE
`+"```\n", engine.ParseOptions{}))
	// Output:
	// shop/cart.py, format diff, create false: ["    return total"] becomes ["    return total * factor"]
}

// The format diff-fenced: the path is the first line inside the fence.
func ExampleParse_diffFenced() {
	printBlocks(engine.Parse("```python\nshop/cart.py\n"+`<<<<<<< SEARCH
    return total
=======
    return total * factor
>>>>>>> REPLACE
`+"```\n", engine.ParseOptions{}))
	// Output:
	// shop/cart.py, format diff-fenced, create false: ["    return total"] becomes ["    return total * factor"]
}

// The format section: a heading names the file once for all blocks below it, and a new file has markers of its own.
func ExampleParse_section() {
	printBlocks(engine.Parse(`
### File: shop/cart.py

<<<<<<< SEARCH
    return total
=======
    return total * factor
>>>>>>> REPLACE

<<<<<<< SEARCH
import os
=======
>>>>>>> REPLACE

### File: shop/tax.py

<<<<<<< NEW_FILE
RATE = 19
>>>>>>> NEW_FILE
`, engine.ParseOptions{}))
	// Output:
	// shop/cart.py, format section, create false: ["    return total"] becomes ["    return total * factor"]
	// shop/cart.py, format section, create false: ["import os"] becomes []
	// shop/tax.py, format section, create true: [] becomes ["RATE = 19"]
}

// Formats describes each format to programs that write prompts.
func ExampleFormats() {
	for _, f := range engine.Formats() {
		fmt.Printf("%-18s %-14s path: %s\n", f.Name, f.Head, f.Path)
	}
	// Output:
	// v3                 ««« EDIT       path: the line before the head marker
	// anchored           ««« EDIT       path: the line before the head marker
	// diff               <<<<<<< SEARCH path: the line before the opening fence
	// diff-fenced        <<<<<<< SEARCH path: the first line inside the fence
	// editor-diff        <<<<<<< SEARCH path: the line before the opening fence
	// editor-diff-fenced <<<<<<< SEARCH path: the first line inside the fence
	// section            <<<<<<< SEARCH path: a ### File: line before the file's blocks
}
