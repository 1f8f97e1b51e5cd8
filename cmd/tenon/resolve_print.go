package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/unmerged"
)

// list prints the open conflicts with their lines, and what else is to be settled.
func (s *stoppedMerge) list(out io.Writer) error {
	p := page{Palette: terminal.PaletteFor(out)}
	if s.Command != "" {
		p.line("git %s: ours is %s, theirs is %s", s.Command, terminal.Escape(s.Ours), terminal.Escape(s.Theirs))
	}
	for _, f := range s.files {
		for _, c := range f.Open {
			p.line("")
			p.line("%s", p.Paint(terminal.Bold, choice.Name(c.ID)+" "+s.name(f.Path)))
			p.side("base", "b", terminal.Dim, c.Sides.Base)
			p.side("ours", "o", terminal.Green, c.Sides.Ours)
			p.side("theirs", "t", terminal.Cyan, c.Sides.Theirs)
		}
	}
	p.line("")
	s.printLeft(&p)
	if n := len(s.open()); n > 0 {
		p.line("%s. Settle one with, for example: tenon resolve %s theirs", counted(n, "open conflict"),
			choice.Name(s.open()[0].ID))
	}
	return p.write(out)
}

// side adds the lines of a side, each with the name by which it can be chosen.
func (p *page) side(name, letter string, style terminal.Style, lines []string) {
	if len(lines) == 0 {
		p.line("  %s: no lines", name)
		return
	}
	p.line("  %s:", name)
	for i, line := range lines {
		p.line("  %s", p.Paint(style, fmt.Sprintf("%s%-3d %s", letter, i+1, ended(line))))
	}
}

// print prints what became of each conflict: new lines first, then the choices, then what is left.
func (s *stoppedMerge) print(out io.Writer) error {
	p := page{Palette: terminal.PaletteFor(out)}
	s.printNew(&p)
	s.printBecame(&p)
	s.printLeft(&p)
	p.line("%s", p.Paint(terminal.Bold, s.sum()))
	if err := p.write(out); err != nil {
		return err
	}
	if !s.complete() {
		return errSome
	}
	return nil
}

// sum says how far the conflicts are settled, and what to do next.
func (s *stoppedMerge) sum() string {
	staged := 0
	for _, f := range s.files {
		if f.staged {
			staged++
		}
	}
	switch left := len(s.files) + len(s.others) + len(s.marked) - staged; {
	case left > 0:
		return fmt.Sprintf("%s staged, %d not yet.", counted(staged, "file"), left)
	case s.elsewhere > 0:
		return fmt.Sprintf("%s staged. There are conflicts in %s.", counted(staged, "file"),
			counted(s.elsewhere, "other file"))
	case s.Next() == "":
		return fmt.Sprintf("All conflicts are settled; %s staged.", counted(staged, "file"))
	default:
		return fmt.Sprintf("All conflicts are settled; %s staged. Go on with: %s", counted(staged, "file"), s.Next())
	}
}

// printNew adds the lines that a model wrote and no side has.
func (s *stoppedMerge) printNew(p *page) {
	for _, f := range s.files {
		written := s.result.Settled.New(f.File.File.File)
		for _, c := range f.Open {
			if len(written[c.ID]) == 0 {
				continue
			}
			p.line("%s", p.Paint(terminal.Bold, fmt.Sprintf("%s in %s of %s, which no side has:",
				counted(len(written[c.ID]), "new line"), choice.Name(c.ID), s.name(f.Path))))
			for _, line := range written[c.ID] {
				p.line("%s", p.Paint(terminal.Green, "  "+ended(line)))
			}
		}
	}
}

// printBecame adds what became of each conflict.
func (s *stoppedMerge) printBecame(p *page) {
	for _, f := range s.files {
		for _, c := range f.Open {
			p.line("%s %s: %s", choice.Name(c.ID), s.name(f.Path), s.became(c))
		}
	}
}

// became says what became of a conflict.
func (s *stoppedMerge) became(c choice.Conflict) string {
	a, ok := s.settled[c.ID]
	if !ok {
		return s.whyOpen(c)
	}
	if question, open := a.Choice.Question(); open {
		if question == "" {
			return "open"
		}
		return "open: " + terminal.Escape(question)
	}
	counts := map[choice.Origin]int{}
	for _, l := range a.Lines {
		counts[l.Origin]++
	}
	words := ""
	for _, o := range []choice.Origin{choice.Ours, choice.Theirs, choice.Base, choice.New} {
		if counts[o] > 0 {
			words += fmt.Sprintf(", %d of %s", counts[o], o)
		}
	}
	if words == "" {
		return "no lines"
	}
	return counted(len(a.Lines), "line") + " (" + words[2:] + ")"
}

// whyOpen says why a conflict has no answer.
func (s *stoppedMerge) whyOpen(c choice.Conflict) string {
	for _, p := range s.result.Problems {
		if p.ID == c.ID {
			return "open: the model's answer cannot be used: " + terminal.Escape(p.String())
		}
	}
	switch _, answered := s.result.Settled[c.ID]; {
	case slices.Contains(s.result.TooLarge, c.ID):
		return "open: it is too large for the model"
	case slices.Contains(s.result.Hidden, c.ID):
		return "open: the model is shown nothing of a file with this name, which says that it contains secrets"
	case answered:
		return "open: new lines are refused"
	}
	return "open"
}

// printLeft adds what a person has to do: what is not staged, and what is no conflict of lines.
func (s *stoppedMerge) printLeft(p *page) {
	for _, f := range s.files {
		name := s.name(f.Path)
		switch {
		case f.unwritten != "":
			p.line("%s was not written: %s. Run the command again.", name, terminal.Escape(f.unwritten))
		case f.why != "":
			p.line("%s is written and not staged: %s. Look at it, then: git add %s", name, terminal.Escape(f.why), name)
		case f.State == unmerged.Edited:
			p.line("%s is not as git's merge leaves it, so it is left alone: settle its conflicts in an editor, then: "+
				"git add %s", name, name)
		case f.State == unmerged.Done && f.absent:
			p.line("%s is not in the work tree: git rm %s deletes it; git checkout --merge %s restores it", name, name, name)
		case f.State == unmerged.Done && bytes.Equal(f.now, f.Ours):
			p.line("%s has the lines of ours alone. If that is right: git add %s", name, name)
		case f.State == unmerged.Done:
			p.line("%s is not as git's merge leaves it, and has no conflict markers. If it is right: git add %s", name, name)
		}
	}
	for _, o := range s.others {
		p.line("%s: %s", s.name(o.path), o.kind.Advice(o.path))
	}
	for _, path := range s.marked {
		p.line("%s is staged with its conflict markers: git checkout --merge %s makes it unmerged again",
			s.name(path), s.name(path))
	}
}

func (p *page) write(out io.Writer) error {
	_, err := io.WriteString(out, p.b.String())
	return err
}

// ended returns a line without its ending, as a terminal may show it.
func ended(line string) string { return terminal.Escape(strings.TrimRight(line, "\r\n")) }
