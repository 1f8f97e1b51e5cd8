package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// errNotAsked is the error of a question that nobody answered.
var errNotAsked = errors.New("the questions were not all answered; nothing was written")

// errInterrupted is the error of a command that was interrupted before it wrote anything.
var errInterrupted = errors.New("interrupted; nothing was written")

// chooser asks a person, edit by edit, whether it is to be made.
type chooser struct {
	in  io.Reader
	out io.Writer
}

const chooserHelp = `  y  make this edit
  n  do not make it
  d  show what it changes (also: diff)
  a  make it and all that follow
  q  make neither this one nor any that follows
`

// choose returns the numbers of the edits that are to be made, or errInterrupted if the context ends first.
func (c chooser) choose(ctx context.Context, results []record.Result) (numbers []int, err error) {
	lines := answers{ctx, bufio.NewScanner(c.in)}
	fit := 0
	for _, r := range results {
		if r.Status == record.StatusApplied {
			fit++
		}
	}
	all, asked := false, 0
	for i, r := range results {
		if r.Status != record.StatusApplied {
			continue
		}
		asked++
		if all {
			numbers = append(numbers, numberOf(r, i))
			continue
		}
		answer, err := c.ask(lines, r, fmt.Sprintf("%d/%d", asked, fit))
		switch {
		case err != nil:
			return nil, err
		case answer == "q":
			return numbers, nil
		case answer == "a":
			all = true
			fallthrough
		case answer == "y":
			numbers = append(numbers, numberOf(r, i))
		}
	}
	return numbers, nil
}

// numberOf returns by which number a command names an edit.
func numberOf(r record.Result, at int) int {
	if r.Number > 0 {
		return r.Number
	}
	return at + 1
}

// answers are the lines that a person writes.
type answers struct {
	ctx context.Context
	in  *bufio.Scanner
}

// next returns the next line. If the context ends first, the line that is still waited for is lost.
func (a answers) next() (string, error) {
	read := make(chan bool, 1)
	go func() { read <- a.in.Scan() }()
	select {
	case <-a.ctx.Done():
		return "", errInterrupted
	case ok := <-read:
		if !ok {
			return "", errors.Join(errNotAsked, a.in.Err())
		}
		return a.in.Text(), nil
	}
}

// ask asks about one edit and returns y, n, a or q.
func (c chooser) ask(lines answers, r record.Result, count string) (string, error) {
	p := page{Palette: terminal.PaletteFor(c.out)}
	p.line("%s %s +%d −%d %s", p.Paint(terminal.Bold, "Edit "+count), place(resultOf(r)), r.Added, r.Removed,
		terminal.Escape(r.Purpose))
	if r.Detail != "" {
		p.line("    %s", terminal.Escape(r.Detail))
	}
	for _, mark := range r.Marks {
		p.line("    %s", p.Paint(terminal.Red, terminal.Escape(mark)))
	}
	_, _ = io.WriteString(c.out, p.b.String())
	for {
		_, _ = fmt.Fprint(c.out, "Make it? [y/n/d/a/q/?] ")
		line, err := lines.next()
		if err != nil {
			_, _ = fmt.Fprintln(c.out)
			return "", err
		}
		switch answer := strings.ToLower(strings.TrimSpace(line)); answer {
		case "y", "yes":
			return "y", nil
		case "n", "no":
			return "n", nil
		case "a", "q":
			return answer, nil
		case "d", "diff":
			c.showDiff(r)
		default:
			_, _ = io.WriteString(c.out, chooserHelp)
		}
	}
}

// showDiff shows what an edit changes, as far as it is recorded.
func (c chooser) showDiff(r record.Result) {
	p := page{Palette: terminal.PaletteFor(c.out)}
	for line := range strings.Lines(r.Diff) {
		line = strings.TrimRight(line, "\r\n")
		style := terminal.Dim
		switch {
		case strings.HasPrefix(line, "+"):
			style = terminal.Green
		case strings.HasPrefix(line, "-"):
			style = terminal.Red
		}
		p.line("%s", p.Paint(style, shown(line)))
	}
	if r.Unshown != "" {
		p.line("%s", p.Paint(terminal.Dim, "This is not all of it: "+terminal.Escape(r.Unshown)))
	}
	_, _ = io.WriteString(c.out, p.b.String())
}
