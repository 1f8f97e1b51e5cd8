package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxBroken is how many files that do not parse are named.
const maxBroken = 5

// brokenFile is a file that does not parse after its edits, or has another problem.
type brokenFile struct {
	path     string
	problems []record.Problem
	// edits are the numbers of the edits, refused reports that they failed because of the problems.
	edits   []int
	refused bool
}

// brokenFiles returns the files with problems, in the order of the results.
func (r Summary) brokenFiles() (files []brokenFile) {
	for i, row := range r.Results {
		if len(row.Problems) == 0 {
			continue
		}
		at := slices.IndexFunc(files, func(f brokenFile) bool { return f.path == row.Path })
		if at < 0 {
			at = len(files)
			files = append(files, brokenFile{path: row.Path, problems: row.Problems, refused: row.Status.Failed()})
		}
		files[at].edits = append(files[at].edits, row.NumberAt(i))
	}
	return files
}

// what says what is wrong with the file, as Markdown.
func (f brokenFile) what() string {
	text := "has a problem"
	if f.problems[0].Syntax {
		text = "does not parse"
	}
	return markdown.Code(markdown.Clip(f.path, markdown.MaxCell)) + " " + text
}

// first says what the first problem is, as Markdown.
func (f brokenFile) first() string {
	return firstProblem(record.Result{Path: f.path, Problems: f.problems})
}

// firstProblem says what the first problem of a result is, as Markdown.
func firstProblem(row record.Result) string {
	text := markdown.Plain(markdown.Clip(row.Problems[0].String(), markdown.MaxCell), row.Path)
	if len(row.Problems) > 1 {
		text += ", and more"
	}
	return text
}

// brokenWords say, after "would", what happens to a file with problems.
func brokenWords(problems []record.Problem) string {
	if problems[0].Syntax {
		return "no longer parse"
	}
	return "have a problem"
}

// namedEdits names edits in a sentence, as in "edits 1 and 3-5".
func namedEdits(numbers []int) string {
	return fmt.Sprintf("%s %s", english.PluralWord(len(numbers), "edit", ""),
		markdown.Clip(command.NumbersInWords(numbers), foldRoom/4))
}

func editList(numbers []int) string { return markdown.Clip(command.FormatNumbers(numbers), foldRoom/4) }

// broken says which files do not parse after their edits, though they were committed, or would be by a box.
func (r Summary) broken() string {
	var lines []string
	for _, f := range r.brokenFiles() {
		switch {
		case f.refused:
		case r.SHA != "":
			lines = append(lines, fmt.Sprintf("⚠️ **Committed, though %s** after %s: %s", f.what(), namedEdits(f.edits),
				f.first()))
		default:
			lines = append(lines, fmt.Sprintf("⚠️ %s after %s: %s", f.what(), namedEdits(f.edits), f.first()))
		}
	}
	if more := len(lines) - maxBroken; more > 0 {
		lines = append(lines[:maxBroken], fmt.Sprintf("⚠️ … and %d more %s", more, english.PluralWord(more, "file", "")))
	}
	return strings.Join(lines, "\n\n")
}

// applyAllTheSame says how the edits of files are committed although these do not parse after them.
func (r Summary) applyAllTheSame() string {
	var numbers []int
	for _, f := range r.brokenFiles() {
		if f.refused {
			numbers = append(numbers, f.edits...)
		}
	}
	if len(numbers) == 0 || !r.offers(command.Apply) {
		return ""
	}
	slices.Sort(numbers)
	return fmt.Sprintf("`/tenon apply %s` commits %s anyway.", strings.ReplaceAll(editList(numbers), " ", ""),
		namedEdits(numbers))
}

// committedBroken reports whether a file was committed that does not parse.
func (r Summary) committedBroken() bool {
	return r.SHA != "" && slices.ContainsFunc(r.brokenFiles(), func(f brokenFile) bool { return !f.refused })
}

// warning says in a cell of a table that the file of an applied block does not parse.
func warning(row record.Result) string {
	if !row.Status.Applied() || len(row.Problems) == 0 {
		return ""
	}
	f := brokenFile{path: row.Path, problems: row.Problems}
	return "⚠️ " + f.what() + ": " + f.first()
}
