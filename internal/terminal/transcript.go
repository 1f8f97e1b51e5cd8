package terminal

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Transcript shows an exchange between people and programs: numbered sections with quoted text in them. Safe for
// concurrent use.
type Transcript struct {
	Palette
	// Width is how many columns there are.
	Width int
	w     io.Writer

	mu       sync.Mutex
	sections int
	inLine   bool // the last line of the current quotation is not complete
}

// NewTranscript returns a transcript that writes to w. Errors of w are ignored.
func NewTranscript(w io.Writer) *Transcript {
	return &Transcript{Palette: PaletteFor(w), Width: Width(w), w: w}
}

// Section begins a section. The arguments have to be escaped.
func (t *Transcript) Section(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sections++
	title := fmt.Sprintf("%d. %s", t.sections, fmt.Sprintf(format, args...))
	_, _ = fmt.Fprintf(t.w, "\n%s\n\n", t.Paint(Bold, title))
}

// Quote shows a whole text in the margin, escaped.
func (t *Transcript) Quote(text string) {
	t.Stream(strings.TrimRight(text, "\n"))
	t.EndStream()
}

// Stream shows the next piece of a text in the margin, escaped. EndStream ends the text.
func (t *Transcript) Stream(piece string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(piece) {
		if !t.inLine {
			_, _ = io.WriteString(t.w, "   "+t.Paint(Dim, "│")+" ")
		}
		_, _ = io.WriteString(t.w, Escape(strings.TrimRight(line, "\r\n")))
		t.inLine = !strings.HasSuffix(line, "\n")
		if !t.inLine {
			_, _ = io.WriteString(t.w, "\n")
		}
	}
}

// Margin shows lines in the margin. They have to be escaped.
func (t *Transcript) Margin(lines []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, line := range lines {
		_, _ = io.WriteString(t.w, strings.TrimRight("   "+t.Paint(Dim, "│")+" "+line, " ")+"\n")
	}
}

// EndStream ends the text of Stream, and its last line.
func (t *Transcript) EndStream() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.inLine {
		_, _ = io.WriteString(t.w, "\n")
	}
	t.inLine = false
}

// Line shows a line, without a margin. The arguments have to be escaped.
func (t *Transcript) Line(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = fmt.Fprintf(t.w, format+"\n", args...)
}

// Outcome shows the outcome of one edit block: its status (applied, failed, skipped), the file, the line in it (0 if
// none is known), and an explanation. All are escaped.
func (t *Transcript) Outcome(status, path string, line int, detail string) {
	style := map[string]Style{"applied": GreenTag, "failed": RedTag}[status]
	if style == "" {
		style = GreyTag
	}
	if line > 0 {
		path = fmt.Sprintf("%s:%d", path, line)
	}
	text := fmt.Sprintf("   %s %s  %s", t.Paint(style, fmt.Sprintf(" %-7s ", status)), Escape(path), Escape(detail))
	t.Line("%s", strings.TrimRight(text, " "))
}
