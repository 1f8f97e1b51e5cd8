package demo

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/tenon-bot/tenon/internal/gfm"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// introduce says what will happen, and where.
func (o Options) introduce(screen *terminal.Transcript) {
	where := "a small program made for it"
	if o.Repo != "" {
		where = "a copy of " + terminal.Escape(o.Repo) + ", which is not changed"
	}
	screen.Line("%s a comment on a pull request becomes a commit and an answer.",
		screen.Paint(terminal.Bold, "What you will see:"))
	screen.Line("tenon's real server and a simulated GitHub run in this process, on %s.", where)
	screen.Line("Model: %s.", terminal.Escape(o.ModelName))
}

// nextSteps are the commands to try next, and why.
var nextSteps = [][2]string{
	{"demo --html answer.html", "the answer as GitHub shows it, for your browser"},
	{"demo --comment '/tenon preview greet everybody'", "the same edits, shown before anything is committed"},
	{"demo --repo . --reply reply.md", "any AI's reply on a copy of your project; README.md shows what reply.md contains"},
	{"setup", "register the App and install it for your organisation"},
}

// conclude says what to try next.
func (o Options) conclude(screen *terminal.Transcript) {
	screen.Line("\n%s", screen.Paint(terminal.Bold, "Try next:"))
	show := func(command, why string) {
		screen.Line("   %s\n      %s", screen.Paint(terminal.Cyan, terminal.Escape(command)), why)
	}
	steps := nextSteps
	if o.HTML != "" {
		show(o.HTML, "the answer as GitHub shows it: open this file in your browser")
		steps = steps[1:]
	}
	for _, step := range steps {
		if strings.Contains(step[0], "'"+o.Comment+"'") {
			continue
		}
		show(cmp.Or(o.Command, "tenon")+" "+step[0], step[1])
	}
}

// writePage writes the thread as GitHub shows it to a file.
func (w *world) writePage(o Options, r Result) error {
	page := gfm.Page{
		Title: pullTitle, Repo: w.repo, Number: w.pull, Gone: w.address(),
		Comments: []gfm.Comment{
			{Author: person, Markdown: o.Comment},
			{Author: strings.TrimSuffix(w.github.BotLogin(), "[bot]"), App: true, Markdown: r.Comment},
		},
		Note: "Written by tenon demo. Its GitHub was a fake one, so links to it have no target here.",
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		return err
	}
	if err := os.WriteFile(o.HTML, b.Bytes(), 0o644); err != nil { //nolint:gosec // a page for everybody
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
