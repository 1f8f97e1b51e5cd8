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

// The format udiff: each hunk of a unified diff is a block. The numbers of the line @@ count only where the lines of
// the hunk are in the file more than once.
func ExampleParse_udiff() {
	reply := engine.Parse("```diff\n"+`--- a/shop/cart.py
+++ b/shop/cart.py
@@ -4,2 +4,2 @@
 def total():
-    return 0
+    return 1
--- /dev/null
+++ b/shop/tax.py
@@ -0,0 +1 @@
+RATE = 19
`+"```\n", engine.ParseOptions{})
	printBlocks(reply)
	fmt.Println("at line", reply.Blocks[0].At)
	// Output:
	// shop/cart.py, format udiff, create false: ["def total():" "    return 0"] becomes ["def total():" "    return 1"]
	// shop/tax.py, format udiff, create true: [] becomes ["RATE = 19"]
	// at line 4
}

// The format patch: each change is a block. The line behind @@ names what contains the place.
func ExampleParse_patch() {
	reply := engine.Parse(`
*** Begin Patch
*** Update File: shop/cart.py
@@ class Cart:
-        return 0
+        return sum(self.prices)
*** Add File: shop/tax.py
+RATE = 19
*** Delete File: shop/vat.py
*** End Patch
`, engine.ParseOptions{})
	printBlocks(reply)
	fmt.Printf("in %q; removes %s: %t\n", reply.Blocks[0].Scope, reply.Blocks[2].Path, reply.Blocks[2].Remove)
	// Output:
	// shop/cart.py, format patch, create false: ["        return 0"] becomes ["        return sum(self.prices)"]
	// shop/tax.py, format patch, create true: [] becomes ["RATE = 19"]
	// shop/vat.py, format patch, create false: [] becomes []
	// in ["class Cart:"]; removes shop/vat.py: true
}

// The format whole: a code block with a path is the whole file. Apply edits only the lines that differ.
func ExampleParse_whole() {
	reply := engine.Parse("shop/tax.py\n```python\nRATE = 21\n```\n", engine.ParseOptions{})
	printBlocks(reply)
	fmt.Println("whole", reply.Blocks[0].Whole)
	// Output:
	// shop/tax.py, format whole, create false: [] becomes ["RATE = 21"]
	// whole true
}

// The format xml: calls of editors' tools. Those of Cline and Roo Code that edit by SEARCH markers are blocks of the
// format diff.
func ExampleParse_xml() {
	printBlocks(engine.Parse(`
<write_to_file>
<path>shop/tax.py</path>
<content>
RATE = 21
</content>
</write_to_file>

<replace_in_file>
<path>shop/cart.py</path>
<diff>
------- SEARCH
    return total
=======
    return total * factor
+++++++ REPLACE
</diff>
</replace_in_file>
`, engine.ParseOptions{}))
	// Output:
	// shop/tax.py, format xml, create false: [] becomes ["RATE = 21"]
	// shop/cart.py, format diff, create false: ["    return total"] becomes ["    return total * factor"]
}

// The format json: the text to replace may begin and end inside a line.
func ExampleParse_json() {
	reply := engine.Parse("```json\n"+
		`{"path": "shop/tax.py", "old_string": "19", "new_string": "21"}`+"\n```\n", engine.ParseOptions{})
	printBlocks(reply)
	fmt.Println("within a line", reply.Blocks[0].Within)
	// Output:
	// shop/tax.py, format json, create false: ["19"] becomes ["21"]
	// within a line true
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
	// udiff                             path: the lines before the file's changes
	// patch              *** Begin Patch path: the lines before the file's changes
	// whole                             path: the line before the opening fence
}
