package ci

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
)

// maxElsewhere is how much of the end of a log is kept, in bytes, for the case that nothing was written at the times
// at which the failed steps are said to have run.
const maxElsewhere = 64 << 10

// collector collects what an excerpt is made from, line by line.
type collector struct {
	tracker
	// timed reports whether it is known when the failed steps ran.
	timed bool
	// keeper has the lines of the failed step, or of the group that is read. failed is the last group before that in
	// which something failed.
	keeper keeper
	failed *keeper
	// at is the time of the last line that has one, and begun reports whether there was a line.
	at    string
	begun bool
	// script is where the lines are in the head of a step, and command the first line of its script.
	script  script
	command string
	// ended reports whether what is behind is no part of a step.
	ended bool
	// elsewhere is the end of what is outside of the failed steps.
	elsewhere []byte
}

func newCollector(job port.Job) *collector {
	sections := sectionsOf(job)
	return &collector{tracker: tracker{sections: sections}, timed: len(sections) > 0}
}

// line takes the next line of a log.
func (c *collector) line(raw []byte) {
	at, rest := timestamp(raw)
	if !c.begun {
		c.begun, c.timed = true, c.timed && len(at) > 0 // a log that begins without a time has none
	}
	if len(at) > 0 && string(at) != c.at {
		c.at = string(at)
	}
	where := c.locateLine(rest)
	if where == outside {
		c.aside(rest)
		return
	}
	if where == begins {
		c.keeper, c.script = keeper{}, noScript
	}
	c.keep(rest)
}

// locateLine says where a line is.
func (c *collector) locateLine(rest []byte) position {
	head := string(rest[:min(len(rest), len("##[error]Process completed with exit code "))])
	if c.timed {
		return c.locate(c.at, strings.TrimRight(head, "\r"))
	}
	switch {
	case c.ended:
		return outside
	case strings.TrimRight(head, "\r") == postStep:
		c.ended = true
		return outside
	case strings.HasPrefix(head, runGroup):
		if c.keeper.failed {
			failed := c.keeper
			c.failed = &failed
		}
		return begins
	}
	return inside
}

// keep keeps a line of what failed.
func (c *collector) keep(rest []byte) {
	switch {
	case bytes.HasPrefix(rest, []byte(runGroup)):
		c.script = inScript
		c.command = cleaned(rest[len(runGroup):])
	case bytes.HasPrefix(rest, []byte(groupEnd)):
		c.script = noScript
		return
	case c.script == inScript && afterScript(rest):
		c.script = inSettings
		return
	case c.script == inSettings, c.script == inScript && cleaned(rest) == c.command:
		return
	case bytes.HasPrefix(rest, []byte("##[debug]")):
		return
	case bytes.HasPrefix(rest, []byte("##[error]")):
		c.keeper.failed = true
	}
	c.keeper.add(unprefixed(named(cleaned(rest))), c.script != noScript)
}

// script is where a line is in what the runner writes of a step before it runs: the step's script, and behind that its
// shell and its settings, which say nothing, but may be many.
type script int

const (
	noScript script = iota
	inScript
	inSettings
)

// afterScript reports whether a line is behind the script of a step.
func afterScript(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("shell: ")) || bytes.HasPrefix(rest, []byte("with:")) ||
		bytes.HasPrefix(rest, []byte("env:"))
}

// commands are what the runner writes before what a step told it, and what people see there.
var commands = strings.NewReplacer("##[error]", "Error: ", "##[warning]", "Warning: ", "##[notice]", "Notice: ",
	"##[command]", "", "##[section]", "", groupStart, "", groupEnd, "")

// named returns a line with what people see of the runner's commands.
func named(text string) string {
	if !strings.HasPrefix(text, "##[") {
		return text
	}
	return commands.Replace(text)
}

// aside keeps a line that is outside of what failed, while nothing was found inside.
func (c *collector) aside(rest []byte) {
	if !c.timed || c.keeper.number > 0 {
		return
	}
	c.elsewhere = append(append(c.elsewhere, rest...), '\n')
	if extra := len(c.elsewhere) - maxElsewhere; extra > maxElsewhere {
		if i := bytes.IndexByte(c.elsewhere[extra:], '\n'); i >= 0 {
			extra += i + 1
		}
		c.elsewhere = append(c.elsewhere[:0], c.elsewhere[extra:]...)
	}
}

// lines returns what was kept, in order.
func (c *collector) lines() []line {
	switch {
	case c.timed && c.keeper.number == 0:
		untimed := &collector{}
		lines := splitter{line: untimed.line}
		lines.write(c.elsewhere)
		lines.close()
		return untimed.lines()
	case c.failed != nil && !c.keeper.failed:
		return c.failed.lines()
	}
	return c.keeper.lines()
}

// redacted replaces the secrets in lines, and returns the kinds of those. Lines between which some are missing were
// cut from one another: a key that begins in one part does not hide the next.
func redacted(lines []line) (out []line, kinds []string) {
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && lines[to].number == lines[to-1].number+1 {
			to++
		}
		texts := make([]string, 0, to-from)
		for _, l := range lines[from:to] {
			texts = append(texts, l.text)
		}
		text, found := secret.RedactFragment(strings.Join(texts, "\n"))
		for i, text := range strings.Split(text, "\n") {
			lines[from+i].text = text
		}
		kinds = appendNew(kinds, found...)
		from = to
	}
	return lines, kinds
}

// appendNew appends what is not there yet.
func appendNew(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
