package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
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
	text := markdown.Plain(markdown.Clip(f.problems[0].String(), markdown.MaxCell), f.path)
	if len(f.problems) > 1 {
		text += " (and more)"
	}
	return text
}

// after names the edits.
func (f brokenFile) after() string {
	return fmt.Sprintf("%s %s", english.PluralWord(len(f.edits), "edit", ""), editList(f.edits))
}

func editList(numbers []int) string { return markdown.Clip(command.FormatNumbers(numbers), foldRoom/4) }

// broken says which files do not parse after their edits, and what people can do about those that were not committed.
func (r Summary) broken() string {
	files := r.brokenFiles()
	var lines []string
	for _, f := range files[:min(len(files), maxBroken)] {
		switch {
		case f.refused:
			lines = append(lines, fmt.Sprintf("⚠️ **Not committed**: %s after %s: %s. %s", f.what(), f.after(), f.first(),
				r.applyAllTheSame(f)))
		case r.SHA != "":
			lines = append(lines, fmt.Sprintf("⚠️ **Committed, though %s** after %s: %s", f.what(), f.after(), f.first()))
		default:
			lines = append(lines, fmt.Sprintf("⚠️ %s after %s: %s", f.what(), f.after(), f.first()))
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	if more := len(files) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("⚠️ … and %d more %s", more, english.PluralWord(more, "file", "")))
	}
	return strings.Join(lines, "\n\n")
}

// applyAllTheSame says how the edits of a file are committed although it does not parse after them.
func (r Summary) applyAllTheSame(f brokenFile) string {
	if !r.offers(command.Apply) {
		return ""
	}
	return fmt.Sprintf("`/tenon apply %s` commits %s all the same.", strings.ReplaceAll(editList(f.edits), " ", ""),
		english.PluralWord(len(f.edits), "it", "them"))
}

// syntaxRemedy says what people can do about an edit after which its file does not parse.
func (r Summary) syntaxRemedy(row record.Result) string {
	text := r.remedy(engine.SyntaxError)
	for _, f := range r.brokenFiles() {
		if f.path == row.Path && f.refused {
			text += " " + r.applyAllTheSame(f)
		}
	}
	return strings.TrimSpace(text)
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
