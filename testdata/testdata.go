// Package testdata has what the tests of several packages read: payloads of deliveries, projects, and replies of models.
// What only one package reads is in its own folder testdata. Names that do not exist are a mistake of the test, so they
// panic.
package testdata

import (
	"embed"
	"path"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed payloads projects replies
var files embed.FS

// Payload returns the body of a delivery as GitHub sends it, but indented: "issue_comment", or with its action
// "issues.opened".
func Payload(name string) []byte { return read("payloads", name+".json") }

// Project returns the files of a project by their paths.
func Project(name string) map[string]string {
	project := map[string]string{}
	for _, f := range txtar.Parse(read("projects", name+".txtar")).Files {
		project[f.Name] = string(f.Data)
	}
	return project
}

// Reply returns what a model replies.
func Reply(name string) string { return string(read("replies", name+".md")) }

func read(folder, name string) []byte {
	data, err := files.ReadFile(path.Join(folder, name))
	if err != nil {
		panic(err)
	}
	return data
}

// Block returns an edit block in the format that most models write. The halves are whole lines; an empty find makes the
// file.
func Block(file, find, put string) string {
	return file + "\n<<<<<<< SEARCH\n" + find + "=======\n" + put + ">>>>>>> REPLACE\n\n"
}

// Edit returns an edit block in a fence, whose halves get a line end each.
func Edit(file, find, put string) string {
	return file + "\n```\n<<<<<<< SEARCH\n" + find + "\n=======\n" + put + "\n>>>>>>> REPLACE\n```\n\n"
}

// Lines of the project "lathe", and what replies make of them.
const (
	HelloLine   = "\tprintln(\"hello\")"
	ByeLine     = "\tprintln(\"goodbye\")"
	GreetLine   = "func greet() string { return \"hello\" }"
	BetterGreet = "func greet() string { return \"good day\" }"
	// BadGreet is no line of the project.
	BadGreet = "func greet() string { return \"hi\" }"
)
