package engine_test

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"log"
	"slices"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

// A reply is parsed, its blocks are applied to files in memory, and each block has a result.
func Example() {
	tree := engine.MemTree{"greet.go": []byte("package main\n\nfunc main() {\n\tprintln(\"Hello\")\n}\n")}
	reply := engine.Parse(`The greeting is too short.

greet.go
<<<<<<< SEARCH
	println("Hello")
=======
	println("Hello, world")
>>>>>>> REPLACE

farewell.go
<<<<<<< SEARCH
=======
package main
>>>>>>> REPLACE
`, engine.ParseOptions{})

	out, err := engine.Apply(tree, reply.Blocks, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range out.Results {
		fmt.Println(r.Status, r.Path, "line", r.Line)
	}
	fmt.Println("changed:", out.Changed)
	fmt.Print(string(tree["greet.go"]))
	// Output:
	// applied greet.go line 4
	// applied farewell.go line 1
	// changed: [farewell.go greet.go]
	// package main
	//
	// func main() {
	// 	println("Hello, world")
	// }
}

// What is wrong with a reply is a problem and not an error, and the other blocks are read.
func ExampleParse_problems() {
	printBlocks(engine.Parse(`
a.txt
<<<<<<< SEARCH
one
=======
two
>>>>>>> REPLACE

b.txt
<<<<<<< SEARCH
three
=======
fo`, engine.ParseOptions{}))
	// Output:
	// a.txt, format diff, create false: ["one"] becomes ["two"]
	// line 10: Reply was cut off inside the block at line 10
	// line 0: Mismatched SEARCH/REPLACE: 2 SEARCH vs 1 REPLACE
}

// Shell commands in a reply are not run. One that is a single safe operation on files says which.
func ExampleParse_suggestions() {
	reply := engine.Parse("Then:\n\n```bash\ngit mv old.go new.go\nmake test\n```\n", engine.ParseOptions{})
	for _, s := range reply.Suggestions {
		fmt.Printf("line %d: %s\n", s.Line, s.Command)
		if s.Op != nil {
			fmt.Println("       ", s.Op.Kind, s.Op.Paths, "to", s.Op.To)
		}
	}
	// Output:
	// line 4: git mv old.go new.go
	//         move [old.go] to new.go
	// line 5: make test
}

// A block that does not fit changes nothing, and its result says why and where the file is most similar.
func ExampleApply_failed() {
	tree := engine.MemTree{"server.go": []byte("func Start() {\n\tlog.Print(\"starting\")\n\tlisten(8080)\n}\n")}
	reply := engine.Parse(`
server.go
<<<<<<< SEARCH
	log.Print("starting up")
	listen(80)
=======
	listen(443)
>>>>>>> REPLACE
`, engine.ParseOptions{})
	out, err := engine.Apply(tree, reply.Blocks, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	r := out.Results[0]
	fmt.Println(r.Status, r.Reason, "line", r.Line)
	fmt.Printf("line %d is     %s\n", r.Difference.Line, r.Difference.Have)
	fmt.Printf("the block says %s\n", r.Difference.Want)
	fmt.Println("changed:", out.Changed)
	// Output:
	// failed not-found line 2
	// line 2 is     	log.Print("starting")
	// the block says 	log.Print("starting up")
	// changed: []
}

// Check says what Apply would do with one block. This one fits at two places, so it is refused.
func ExampleCheck() {
	tree := engine.MemTree{"a.go": []byte("if err != nil {\n\treturn err\n}\nb()\nif err != nil {\n\treturn err\n}\n")}
	blocks := engine.Parse("a.go\n<<<<<<< SEARCH\n\treturn err\n=======\n\treturn nil\n>>>>>>> REPLACE\n",
		engine.ParseOptions{}).Blocks
	r := engine.Check(tree, blocks[0], engine.Options{})
	fmt.Println(r.Status, r.Reason, r.MatchLines)
	// Output:
	// failed ambiguous [2 6]
}

// Verify looks at each file after its edits. Here it is Go's own parser: a file that no longer parses is not written.
func ExampleApply_verify() {
	tree := engine.MemTree{"a.go": []byte("package a\n\nfunc f() {\n\tg()\n}\n")}
	blocks := engine.Parse("a.go\n<<<<<<< SEARCH\n\tg()\n}\n=======\n\tg(\n}\n>>>>>>> REPLACE\n",
		engine.ParseOptions{}).Blocks
	out, err := engine.Apply(tree, blocks, engine.Options{
		Verify: func(path string, before, after []byte) (v engine.Verification) {
			if _, err := parser.ParseFile(token.NewFileSet(), path, after, 0); err != nil {
				v.Problems = []engine.FileProblem{{Message: "Go cannot parse it", Syntax: true}}
			}
			return v
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	r := out.Results[0]
	fmt.Println(r.Status, r.Reason, r.Problems)
	fmt.Println("changed:", out.Changed)
	// Output:
	// failed syntax-error [Go cannot parse it]
	// changed: []
}

// Package syntax knows what breaks files in many languages. It takes its share of the work that the call may cost.
func ExampleApply_syntax() {
	tree := engine.MemTree{"ci.yml": []byte("on: push\njobs:\n  test:\n    steps: []\n")}
	blocks := engine.Parse("ci.yml\n<<<<<<< SEARCH\n    steps: []\n=======\n    steps: [\n>>>>>>> REPLACE\n",
		engine.ParseOptions{}).Blocks
	work := meter.Of(meter.Default)
	out, err := engine.Apply(tree, blocks, engine.Options{
		Work: work,
		Verify: func(path string, before, after []byte) engine.Verification {
			found := syntax.Check(work, path, before, after)
			v := engine.Verification{Unchecked: string(found.Unchecked)}
			for _, p := range found.Problems {
				v.Problems = append(v.Problems,
					engine.FileProblem{Line: p.Line, Message: p.Message, Syntax: p.Kind == syntax.Syntax})
			}
			return v
		},
		// Written although Verify finds problems: the result has them as a warning.
		AllowProblems: func(string) bool { return true },
	})
	if err != nil {
		log.Fatal(err)
	}
	r := out.Results[0]
	fmt.Println(r.Status, "with", len(r.Problems), "problem in line", r.Problems[0].Line)
	// Output:
	// applied with 1 problem in line 4
}

// A context ends a call by its work, for example when a client hangs up. Nothing is written then.
func ExampleApply_cancel() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	tree := engine.MemTree{"a.txt": []byte("one\n")}
	blocks := engine.Parse("a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n", engine.ParseOptions{}).Blocks
	_, err := engine.Apply(tree, blocks, engine.Options{Work: meter.Within(ctx, meter.Default)})
	fmt.Printf("%t %q\n", errors.Is(err, context.Canceled), tree["a.txt"])
	// Output:
	// true "one\n"
}

// Base is what the model saw of a file. What the file has got since is merged with the edits.
func ExampleApply_base() {
	seen := []byte("port = 80\nhost = a\nname = x\n")
	tree := engine.MemTree{"app.conf": []byte("port = 80\nhost = a\nname = changed since\n")}
	reply := engine.Parse(`
app.conf
<<<<<<< SEARCH
port = 80
host = a
name = x
=======
port = 8080
host = a
name = x
>>>>>>> REPLACE
`, engine.ParseOptions{})
	out, err := engine.Apply(tree, reply.Blocks, engine.Options{
		Base: func(path string) ([]byte, bool) { return seen, path == "app.conf" },
	})
	if err != nil {
		log.Fatal(err)
	}
	r := out.Results[0]
	fmt.Println(r.Status, r.Level == engine.LevelMerged)
	fmt.Print(string(tree["app.conf"]))
	// Output:
	// applied true
	// port = 8080
	// host = a
	// name = changed since
}

// Protected says which files no edit may touch. A dry run has the same results and writes nothing.
func ExampleOptions() {
	tree := engine.MemTree{"go.sum": []byte("old\n"), "main.go": []byte("old\n")}
	block := "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
	blocks := engine.Parse("go.sum\n"+block+"main.go\n"+block, engine.ParseOptions{}).Blocks
	out, err := engine.Apply(tree, blocks, engine.Options{
		DryRun:         true,
		Protected:      func(path string) bool { return path == "go.sum" },
		DisabledLevels: []engine.Level{engine.LevelFuzzyContext, engine.LevelStructure}, // stricter than the default
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range out.Results {
		fmt.Printf("%s: %s %q\n", r.Path, r.Status, r.Reason)
	}
	fmt.Printf("would change %v; main.go is still %q\n", out.Changed, tree["main.go"])
	// Output:
	// go.sum: failed "protected-path"
	// main.go: applied ""
	// would change [main.go]; main.go is still "old\n"
}

// A Scanner shows blocks while the reply still arrives. Nothing is written before Close, which may know better.
func ExampleScanner() {
	s := engine.NewScanner(engine.ParseOptions{})
	pieces := []string{"a.txt\n<<<<<<< SEA", "RCH\none\n=====", "==\ntwo\n>>>>>>> REPLACE\n", "That is all.\n"}
	for i, piece := range pieces {
		for _, b := range s.Feed(piece) {
			fmt.Println("piece", i+1, "completes the block of", b.Path)
		}
	}
	reply := s.Close()
	fmt.Println(len(reply.Blocks), "block;", reply.Prose)
	// Output:
	// piece 3 completes the block of a.txt
	// 1 block; That is all.
}

// Print is the opposite of Parse.
func ExamplePrint() {
	text, err := engine.Print([]engine.Block{
		{Format: engine.FormatV3, Path: "a.txt", Find: []string{"one"}, Replace: []string{"two"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
	// Output:
	// a.txt
	// ««« EDIT
	// one
	// ═══════ REPL
	// two
	// »»» EDIT END
}

// stamped is a MemTree that writes a line above each file that is edited.
type stamped struct{ engine.MemTree }

func (t stamped) WriteFile(name string, data []byte) error {
	return t.MemTree.WriteFile(name, slices.Concat([]byte("# EDITED\n"), data))
}

// A Tree can be anything that has files: a folder, a commit, a database. One for files on a disk has to refuse names
// that lead out of its folder by links; os.Root does.
func ExampleTree() {
	tree := stamped{engine.MemTree{"a.txt": []byte("one\n")}}
	blocks := engine.Parse("a.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n", engine.ParseOptions{}).Blocks
	if _, err := engine.Apply(tree, blocks, engine.Options{}); err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(tree.MemTree["a.txt"]))
	// Output:
	// # EDITED
	// two
}
