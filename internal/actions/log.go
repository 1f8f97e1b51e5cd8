// Package actions speaks with the runner of GitHub Actions: what a step logs, its outputs and its summary, and what it
// can see of the files around it. It is about the forms alone, and knows nothing of runs.
package actions

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Log writes the log of a step. The runner obeys commands in the log, lines such as "::add-mask::…", whoever they are
// from: only the methods of Log make any, and what is written to it otherwise is changed so that it has none. Safe for
// concurrent use.
type Log struct {
	mu   sync.Mutex
	to   io.Writer
	rest []byte // of a line that has no end yet
}

// NewLog returns a Log that writes to what the runner reads.
func NewLog(to io.Writer) *Log { return &Log{to: to} }

// maxLine bounds a line that is kept until it ends, in bytes. Longer ones are broken.
const maxLine = 64 << 10

// Write writes text that others may have written. A line is kept until it ends; Flush writes the last one.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, p...)
	for {
		end := bytes.IndexAny(l.rest, "\r\n") // the runner takes either for the end of a line
		if end < 0 && len(l.rest) <= maxLine {
			return len(p), nil
		}
		skip := 1
		if end < 0 {
			end, skip = wholeRunes(l.rest[:maxLine]), 0
		}
		if err := l.line(string(l.rest[:end])); err != nil {
			return 0, err
		}
		l.rest = append(l.rest[:0], l.rest[end+skip:]...)
	}
}

// wholeRunes returns the length of a text without a rune that is cut off at its end.
func wholeRunes(p []byte) int {
	for n := len(p); n > len(p)-utf8.UTFMax; n-- {
		if r, size := utf8.DecodeLastRune(p[:n]); r != utf8.RuneError || size > 1 {
			return n
		}
	}
	return len(p)
}

// Flush writes a last line that has no end.
func (l *Log) Flush() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.rest) == 0 {
		return nil
	}
	text := string(l.rest)
	l.rest = nil
	return l.line(text)
}

func (l *Log) line(text string) error {
	_, err := fmt.Fprintln(l.to, harmless(text))
	return err
}

// harmless returns a line that is no command. Commands are lines that begin with "::" behind any white space, and, in
// their older form, lines that have "##[" anywhere.
func harmless(line string) string {
	line = strings.ReplaceAll(line, "##[", "## [")
	if text := strings.TrimLeftFunc(line, unicode.IsSpace); strings.HasPrefix(text, "::") {
		line = line[:len(line)-len(text)] + ": " + text[1:]
	}
	return line
}

// Level is how an annotation is shown.
type Level string

// The levels of annotations.
const (
	Error   Level = "error"
	Warning Level = "warning"
	Notice  Level = "notice"
)

// maxAnnotation is the longest text of an annotation, in bytes; GitHub takes 64 KiB.
const maxAnnotation = 4000

// Annotate writes a text that is also shown at the top of the page of the job.
func (l *Log) Annotate(level Level, text string) error {
	if len(text) > maxAnnotation {
		text = text[:wholeRunes([]byte(text[:maxAnnotation]))] + "…"
	}
	return l.command(string(level) + " title=tenon::" + escaped(text))
}

// Mask makes the runner hide a secret wherever it is logged from now on.
func (l *Log) Mask(secret string) error {
	for line := range strings.FieldsFuncSeq(secret, func(r rune) bool { return r == '\r' || r == '\n' }) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if err := l.command("add-mask::" + escaped(line)); err != nil {
			return err
		}
	}
	return nil
}

func (l *Log) command(text string) error {
	if err := l.Flush(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := fmt.Fprintln(l.to, "::"+text)
	return err
}

// escaped returns the data of a command on one line, as the runner's own toolkit escapes it.
func escaped(data string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(data)
}
