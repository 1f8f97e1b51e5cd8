// Package manpage writes man pages from the help texts of the commands of a program.
//
// Help texts are plain text: paragraphs, between lines that are laid out by hand because they are indented. Man breaks
// the lines of paragraphs at the width of the terminal, and leaves the others as they are.
package manpage

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Program is what all pages of a program have in common.
type Program struct {
	// Version is in the last line of each page, such as "tenon v1.2.0".
	Version string
	// URL is where the documentation of the program is.
	URL string
}

// Name returns the name of the page of a command, such as "tenon-events-retry". Its file has ".1" at the end.
func Name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Commands returns a command and all commands below it that help lists, each after the one that it belongs to.
func Commands(root *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{root}
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() && cmd.Name() != "help" {
			list = append(list, Commands(cmd)...)
		}
	}
	return list
}

// Page returns the man page of a command, in the language of troff. It has no date: the same program gives the same
// bytes.
func (p Program) Page(cmd *cobra.Command) string {
	cmd.InitDefaultHelpFlag()
	var w writer
	w.macro("TH", strings.ToUpper(Name(cmd)), "1", "", p.Version, "User Commands")
	w.macro("nh")
	w.macro("ad", "l")
	w.macro("SH", "NAME")
	w.text(Name(cmd) + " - " + cmd.Short)
	w.macro("SH", "SYNOPSIS")
	w.bold(cmd.CommandPath())
	w.text(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath()))
	long, exit := cutExitCodes(cmd.Long)
	if long != "" {
		w.macro("SH", "DESCRIPTION")
		w.paragraphs(long)
	}
	w.commands(cmd)
	w.options("OPTIONS", cmd.NonInheritedFlags())
	w.options("GLOBAL OPTIONS", cmd.InheritedFlags())
	example, exitToo := cutExitCodes(cmd.Example)
	if example != "" {
		w.macro("SH", "EXAMPLES")
		w.paragraphs(example)
	}
	if exit += exitToo; exit != "" {
		w.macro("SH", "EXIT STATUS")
		w.paragraphs(exit)
	}
	w.macro("SH", "SEE ALSO")
	w.text(strings.Join(append(related(cmd), p.URL), ", "))
	return w.String()
}

// cutExitCodes returns a text without the paragraph that begins with "Exit code: ", and what that says.
func cutExitCodes(text string) (rest, codes string) {
	var others []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		if said, ok := strings.CutPrefix(paragraph, "Exit code: "); ok {
			codes = said
		} else {
			others = append(others, paragraph)
		}
	}
	return strings.Join(others, "\n\n"), codes
}

// related returns the pages of the command that this one belongs to, and of those that belong to it.
func related(cmd *cobra.Command) (pages []string) {
	if cmd.HasParent() {
		pages = append(pages, Name(cmd.Parent())+"(1)")
	}
	for _, below := range Commands(cmd)[1:] {
		if below.Parent() == cmd {
			pages = append(pages, Name(below)+"(1)")
		}
	}
	return pages
}

// writer writes troff with the macros of man(7).
type writer struct{ strings.Builder }

func (w *writer) macro(name string, args ...string) {
	w.WriteString("." + name)
	for _, arg := range args {
		if arg = strings.ReplaceAll(escape(arg), `"`, `\(dq`); arg == "" || strings.Contains(arg, " ") {
			arg = `"` + arg + `"`
		}
		w.WriteString(" " + arg)
	}
	w.WriteString("\n")
}

// text writes lines that man may break elsewhere.
func (w *writer) text(text string) {
	for line := range strings.Lines(text) {
		if line = escape(strings.TrimSpace(line)); line != "" {
			w.WriteString(line + "\n")
		}
	}
}

func (w *writer) bold(text string) { w.WriteString(`\fB` + escape(text) + `\fR` + "\n") }

// paragraphs writes a help text. Indented lines remain lines, less the indentation that all of them have.
func (w *writer) paragraphs(text string) {
	for i, paragraph := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if i > 0 {
			w.macro("PP")
		}
		lines := strings.Split(paragraph, "\n")
		for len(lines) > 0 {
			n := slices.IndexFunc(lines, func(line string) bool { return isLaidOut(line) != isLaidOut(lines[0]) })
			if n < 0 {
				n = len(lines)
			}
			if isLaidOut(lines[0]) {
				w.laidOut(lines[:n])
			} else {
				w.text(strings.Join(lines[:n], "\n"))
			}
			lines = lines[n:]
		}
	}
}

func isLaidOut(line string) bool {
	return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
}

// laidOut writes lines as they are.
func (w *writer) laidOut(lines []string) {
	indent := len(lines[0])
	for _, line := range lines {
		indent = min(indent, len(line)-len(strings.TrimLeft(line, " ")))
	}
	w.macro("RS", "4")
	w.macro("nf")
	for _, line := range lines {
		w.WriteString(escape(strings.ReplaceAll(line[indent:], "\t", "    ")) + "\n")
	}
	w.macro("fi")
	w.macro("RE")
}

func (w *writer) commands(cmd *cobra.Command) {
	heading := "COMMANDS"
	for _, below := range Commands(cmd)[1:] {
		if below.Parent() != cmd {
			continue
		}
		if heading != "" {
			w.macro("SH", heading)
			heading = ""
		}
		w.macro("TP")
		w.bold(below.Name())
		w.text(below.Short)
	}
}

func (w *writer) options(heading string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	w.macro("SH", heading)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		w.macro("TP")
		value, usage := pflag.UnquoteUsage(f)
		w.WriteString(signature(f, value) + "\n")
		w.text(usage + defaultOf(f))
	})
}

// signature returns how a flag is written, with what it takes in italics.
func signature(f *pflag.Flag, value string) string {
	name := `\fB` + escape("--"+f.Name) + `\fR`
	if f.Shorthand != "" {
		name = `\fB` + escape("-"+f.Shorthand) + `\fR, ` + name
	}
	value = `\fI` + escape(value) + `\fR`
	switch {
	case f.Value.Type() == "bool":
		return name
	case f.NoOptDefVal != "":
		return name + "[=" + value + "]"
	default:
		return name + " " + value
	}
}

func defaultOf(f *pflag.Flag) string {
	if slices.Contains([]string{"", "false", "0", "0s", "[]"}, f.DefValue) {
		return ""
	}
	return fmt.Sprintf(" (default %s)", f.DefValue)
}

var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "`", `\(ga`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`)

// escape returns a line that troff shows as it is.
func escape(line string) string {
	var b strings.Builder
	if strings.HasPrefix(line, ".") {
		b.WriteString(`\&`)
	}
	for _, r := range escapes.Replace(line) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}
