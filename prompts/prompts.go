// Package prompts has the words for models: embedded Markdown files, one per edit format and per task. It knows nothing
// of how replies are parsed; tests check that the two agree.
package prompts

import (
	"embed"
	"strconv"
	"strings"
	"text/template"
)

//go:embed *.md format/*.md task/*.md
var files embed.FS

// templates are the tasks, which contain data. The role, the rules and the formats are the same for every question.
var templates = template.Must(template.New("").Option("missingkey=error").Funcs(template.FuncMap{
	"inc": func(n int) int { return n + 1 },
	"lines": func(n int) string {
		if n == 1 {
			return "1 line"
		}
		return strconv.Itoa(n) + " lines"
	},
}).ParseFS(files, "task/*.md"))

// Input is what a question is made from. All but Format, Task and Nonce may be empty.
type Input struct {
	// Format is one of Formats; DefaultFormat is used for any other. Where no edits are asked for, it means nothing.
	Format string
	// Conventions are the project's own rules, from its default branch.
	Conventions []Convention
	Files       []File
	// Project is one line on the project: its languages, its size, its top folders.
	Project string
	// Paths are the paths of the project's sources by folder, each folder once. LeftOutPaths is how many further ones
	// there was no room for.
	Paths        []Listing
	LeftOutPaths int
	// Listings are folders whose files are not all shown.
	Listings []Listing
	// Missing are names in the task and in the Issue that no file has.
	Missing []string
	// Thread are the comments before the task, oldest first.
	Thread []Remark
	// Reviews are the threads on the diff that are to be settled, Retry what is left of a task; nil where there is no such
	// thing.
	Reviews []ReviewThread
	Retry   *Retry
	// Issue is what the command is about; nil for most commands on a pull request.
	Issue *Issue
	// CI is what CI reports as failed; nil if it reports no failure.
	CI *CI
	// Title is the pull request's where that is not the Issue.
	Title string
	// Task is what the person asked for, without what GitHub does not show; empty if it is what the Issue says.
	Task string
	// Place is the file and lines that a comment on the diff is on, and Hunk the diff above it; empty for other
	// comments.
	Place, Hunk string
	// Nonce is in the delimiters around data, so that data cannot imitate them. It must not be guessable in advance.
	Nonce string
}

// Convention is a file in which a project tells how it works.
type Convention struct{ Path, Text string }

// Remark is a comment of the thread. Trusted says that its author may write to the repository.
type Remark struct {
	Author, Text string
	Trusted      bool
}

// Issue is the issue, or the pull request, that a command is about. Trusted says that its author may write to the
// repository. Title and Text are without what GitHub does not show.
type Issue struct {
	Pull                bool
	Author, Title, Text string
	Trusted             bool
}

// Kind returns "pull request" or "issue".
func (i Issue) Kind() string {
	if i.Pull {
		return "pull request"
	}
	return "issue"
}

// CI are the checks of a commit that failed. Each text is without secrets.
type CI struct {
	// Commit is the short SHA of the commit.
	Commit string
	// Failed are those that failed, More counts the others that did. Pending are names of those that have not ended.
	Failed  []FailedCheck
	More    int
	Pending []string
	// Task means that they are the task.
	Task bool
}

// FailedCheck is a check that failed. All but Name may be empty.
type FailedCheck struct {
	// Name, Conclusion and Step are one line each: Step is the step of a job that failed.
	Name, Conclusion, Step string
	// Output is what it printed, in part.
	Output string
}

// Listing is a folder, and the names in it.
type Listing struct {
	Folder string
	Names  []string
}

// File is a file that the model is shown, whole or in parts.
type File struct {
	Path string
	// Lines is how many lines it has.
	Lines int
	// Parts are what is shown of it, in order and apart from each other.
	Parts []Part
	// Outline lists the definitions of a file that is shown in parts, one on a line.
	Outline string
	// Redacted says what kinds of secrets were taken out; empty when nothing was.
	Redacted string
}

// Whole reports whether all lines are shown.
func (f File) Whole() bool {
	return len(f.Parts) == 1 && f.Parts[0].From <= 1 && f.Parts[0].To >= f.Lines
}

// Part is a range of lines, counted from 1, both ends included.
type Part struct {
	From, To int
	Text     string
}

// Body is the text without the end of its last line, which the delimiter below it needs.
func (p Part) Body() string { return strings.TrimSuffix(p.Text, "\n") }

// Fix returns the system prompt and the user's message for a task that ends in edits. The system prompt is the same for
// all such tasks in a format, so that a provider can cache it; of the message, what changes least comes first.
func Fix(in Input) (system, user string) {
	rules, reminder := formatNamed(in.Format).words()
	return static("role.md") + static("given.md") + static("work.md") + "\n" + rules + static("examples.md"),
		render("question.md", in) + "\n" + reminder
}

// Ask returns the same for a question that is to be answered, without edits.
func Ask(in Input) (system, user string) {
	return static("ask.md") + static("given.md") + static("answer.md"),
		render("question.md", in) + "\n" + static("task/ask-reminder.md")
}

// static returns a file without data.
func static(name string) string {
	text, err := files.ReadFile(name)
	if err != nil {
		panic("prompts: " + err.Error()) // the files are part of the program: a test reads each
	}
	return string(text)
}

func render(name string, data any) string {
	var b strings.Builder
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		// The templates are part of the program and see only these types: a test renders each.
		panic("prompts: " + err.Error())
	}
	return b.String()
}
