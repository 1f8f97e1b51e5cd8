// Package prompts holds the words for models: Markdown files, one per format and per task, embedded. It knows nothing of
// how replies are parsed; a test holds the two together.
package prompts

import (
	"embed"
	"strings"
	"text/template"
)

//go:embed *.md format/*.md task/*.md
var files embed.FS

var templates = template.Must(template.New("").Option("missingkey=error").ParseFS(files, "*.md", "format/*.md", "task/*.md"))

// File is a file that the model is shown, whole.
type File struct{ Path, Text string }

// FixInput is what a fix is made from.
type FixInput struct {
	// Title is the pull request's.
	Title string
	// Task is what the person asked for, as written.
	Task string
	// Place is the file and lines that a comment on the diff stands at; empty for other comments.
	Place string
	Files []File
	// Nonce is in the delimiters around data, so that data cannot imitate them. It must not be guessable beforehand.
	Nonce string
}

// Fix returns the system prompt and the user's message for a fix in the diff format. The system prompt is the same for
// every fix, so that a provider can cache it.
func Fix(in FixInput) (system, user string) {
	return render("role.md", nil) + "\n" + render("diff.md", nil), render("fix.md", in)
}

func render(name string, data any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		// The templates are part of the program and see only these types: a test renders each.
		panic("prompts: " + err.Error())
	}
	return b.String()
}
