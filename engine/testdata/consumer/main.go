// Consumer is a program in a module of its own that uses package engine: it applies the reply on its standard input to
// one file, and prints what that becomes.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/tenon-bot/tenon/engine"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	tree := engine.MemTree{"a.json": []byte("{\"a\": 1}\n")}
	out, err := engine.Apply(tree, engine.Parse(string(text), engine.ParseOptions{}).Blocks, engine.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range out.Results {
		fmt.Println(r.Status, r.Path, r.Reason)
	}
	fmt.Print(string(tree["a.json"]))
}
