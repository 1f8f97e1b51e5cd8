package main

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/caution"
	botedit "github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/meter"
)

func (p page) render(d applied) string {
	p.warned = map[string]bool{}
	p.diffs(d)
	width := 0
	for _, r := range d.results {
		width = max(width, len(place(r)))
	}
	for _, r := range d.results {
		p.row(r, min(width, 50))
	}
	p.unchecked(d.results)
	if text := report.Cautions(d.cautions(), terminal.Escape, terminal.Escape); text != "" {
		p.line("%s %s", p.Paint(terminal.Red, "caution:"), text)
	}
	for _, problem := range d.reply.Problems {
		p.problem(problem)
	}
	p.suggestions(d.reply.Suggestions)
	if p.b.Len() > 0 {
		p.line("")
	}
	p.line(p.summary(d))
	return p.b.String()
}

// levelNames are the differences that a match ignored.
var levelNames = map[engine.Level]string{
	engine.LevelTrailingSpace: "trailing whitespace differs",
	engine.LevelBlankLines:    "blank lines differ",
	engine.LevelIndent:        "indentation differs",
	engine.LevelHomoglyph:     "look-alike characters differ",
	engine.LevelEllipsis:      "parts elided",
	engine.LevelFuzzyContext:  "context has drifted",
	engine.LevelTokens:        "line breaks, commas or quotes differ",
	engine.LevelStructure:     "found by its definition",
}

func (p *page) row(r engine.Result, width int) {
	style := map[engine.Status]terminal.Style{
		engine.Applied: terminal.GreenTag, engine.Failed: terminal.RedTag, engine.Skipped: terminal.GreyTag,
	}[r.Status]
	badge := p.Paint(style, fmt.Sprintf(" %-7s ", r.Status))
	notes := []string{}
	if r.Detail != "" {
		notes = append(notes, terminal.Escape(r.Detail))
	}
	if name := levelNames[r.Level]; name != "" && r.Status == engine.Applied {
		notes = append(notes, p.Paint(terminal.Dim, "("+name+")"))
	}
	p.line("%s", strings.TrimRight(fmt.Sprintf("%s %-*s  %s", badge, width, place(r), strings.Join(notes, " ")), " "))
	switch {
	case len(r.Problems) > 0:
		p.fileProblems(r)
	case r.Status == engine.Failed:
		p.closestMatch(r)
	}
}

// unchecked names each file that was edited and not checked for syntax, unless its language has no parser.
func (p *page) unchecked(results []engine.Result) {
	named := map[string]bool{}
	for _, r := range results {
		if r.Status == engine.Applied && botedit.HasParser(r.Unchecked) && !named[r.Path] {
			named[r.Path] = true
			p.line("%s %s was not checked for syntax (%s)", p.Paint(terminal.Red, "warning:"), terminal.Escape(r.Path),
				botedit.UncheckedWords(r.Unchecked))
		}
	}
}

// cautions returns what of the changed files deserves a look.
func (d applied) cautions() []record.Caution {
	var files []caution.File
	for _, name := range d.changed {
		files = append(files, caution.File{Path: name, Before: d.before[name], After: d.after[name]})
	}
	return record.Cautions(caution.Find(meter.Of(caution.Work), files))
}

// problemWords says of which kind a problem is.
func problemWords(p engine.FileProblem) string {
	if p.Syntax {
		return "does not parse: "
	}
	return "has a problem: "
}

// fileProblems shows what is wrong with the file of a block after its edits, and the lines around the first problem.
func (p *page) fileProblems(r engine.Result) {
	if p.warned[r.Path] {
		return // the blocks of a file have the same
	}
	p.warned[r.Path] = true
	for i, problem := range r.Problems {
		if i > 0 || r.Status == engine.Applied { // the detail of a failed block says the first
			p.line("%10s%s", "", p.Paint(terminal.Red, problemWords(problem)+terminal.Escape(problem.String())))
		}
	}
	if r.Around == nil {
		return
	}
	p.line("%10s%s", "", p.Paint(terminal.Dim, "the file after its edits:"))
	for i, text := range r.Around.Lines {
		n := r.Around.Line + i
		if n == r.Problems[0].Line {
			p.line("%10s%6d | %s", "", n, p.Paint(terminal.Red, shown(text)))
			continue
		}
		p.line("%10s%6d | %s", "", n, shown(text))
	}
}

// closestLines is how many lines of the closest match are shown around the first difference.
const closestLines = 5

// closestMatch shows the lines of the file that are most similar to a failed block, and the first difference.
func (p *page) closestMatch(r engine.Result) {
	p.line("%10s%s", "", p.Paint(terminal.Dim, fmt.Sprintf("the block at line %d of the reply", r.Block.Line)))
	p.matches(r)
	if r.Conflict != nil {
		p.conflict(r)
		return
	}
	if r.ClosestMatch == nil {
		return
	}
	p.line("%10s%s", "", p.Paint(terminal.Dim, "closest lines in the file:"))
	first, last := r.ClosestMatch.Line, r.ClosestMatch.Line+len(r.ClosestMatch.Lines)
	if r.Difference != nil {
		first = max(first, r.Difference.Line-closestLines/2)
	}
	for n := first; n < min(last, first+closestLines); n++ {
		text := r.ClosestMatch.Lines[n-r.ClosestMatch.Line]
		if r.Difference == nil || n != r.Difference.Line {
			p.line("%10s%6d | %s", "", n, shown(text))
			continue
		}
		have, want := markWords([]string{text}, []string{r.Difference.Want})
		p.line("%10s%6d | %s", "", n, p.words(have[0], terminal.Red, terminal.RedWord))
		p.line("%10s%6s | %s", "", "block", p.words(want[0], terminal.Green, terminal.GreenWord))
	}
}

// conflict shows what a block wants, in the lines that the model saw, and what the file has there now.
func (p *page) conflict(r engine.Result) {
	side := func(title string, line int, lines []string) {
		p.line("%10s%s", "", p.Paint(terminal.Dim, title))
		for i, text := range lines {
			p.line("%10s%6d | %s", "", line+i, shown(text))
		}
	}
	side("the model saw:", r.Conflict.Base.Line, r.Conflict.Base.Lines)
	side("the block wants:", r.Conflict.Ours.Line, r.Conflict.Ours.Lines)
	side("the file has now:", r.Conflict.Theirs.Line, r.Conflict.Theirs.Lines)
}

// matches lists the lines at which an ambiguous block matches.
func (p *page) matches(r engine.Result) {
	if len(r.MatchLines) == 0 {
		return
	}
	lines := make([]string, len(r.MatchLines), len(r.MatchLines)+1)
	for i, n := range r.MatchLines {
		lines[i] = fmt.Sprint(n)
	}
	if r.MoreMatches > 0 {
		lines = append(lines, fmt.Sprintf("%d more", r.MoreMatches))
	}
	p.line("%10s%s", "", p.Paint(terminal.Dim, "it matches at lines "+english.WordSeries(lines, "and")))
}

func (p *page) problem(problem engine.Problem) {
	style := terminal.Red
	if problem.Severity == engine.SeverityWarning {
		style = terminal.Dim
	}
	where := ""
	if problem.Line > 0 {
		where = fmt.Sprintf("reply line %d: ", problem.Line)
	}
	p.line("%s %s%s", p.Paint(style, severityName(problem.Severity)+":"), where, terminal.Escape(problem.Text))
}

func (p *page) suggestions(list []engine.Suggestion) {
	if len(list) == 0 {
		return
	}
	p.line("The reply also suggests (none of it was run):")
	for _, s := range list {
		for line := range strings.SplitSeq(s.Command, "\n") {
			p.line("    %s", terminal.Escape(line))
		}
	}
}

// summary returns one line with the numbers of blocks and of changed files.
func (p *page) summary(d applied) string {
	if len(d.results) == 0 {
		return "There is no edit block in the reply; nothing was changed."
	}
	count := map[engine.Status]int{}
	for _, r := range d.results {
		count[r.Status]++
	}
	text := fmt.Sprintf("%s %d, failed %d, skipped %d of %s; ",
		map[bool]string{false: "Applied", true: "Would apply"}[d.dryRun],
		count[engine.Applied], count[engine.Failed], count[engine.Skipped], counted(len(d.results), "edit"))
	return p.Paint(terminal.Bold, text+files(d)+".")
}

func files(d applied) string {
	switch n := counted(len(d.changed), "file"); {
	case d.dryRun:
		return n + " would change, nothing was written"
	case len(d.changed) == 0:
		return "no file changed"
	case d.commit != "":
		return fmt.Sprintf("%s changed and committed as %.10s", n, d.commit)
	case d.staged:
		return n + " changed and staged"
	case d.isStagedInPart():
		return n + " changed, not all staged"
	default:
		return n + " changed, not staged"
	}
}
