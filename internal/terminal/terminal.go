// Package terminal writes for people who read a terminal: colours where they are wanted, and text that others wrote
// without the control characters that could change what the screen shows.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// Style is how text looks: the parameters of ANSI's "select graphic rendition". The zero value changes nothing.
type Style string

// The styles of tenon's output. The "Word" styles mark a changed word within a changed line, the "Tag" styles fill the
// background of a short label.
const (
	Bold      Style = "1"
	Dim       Style = "2"
	Italic    Style = "3"
	Struck    Style = "9"
	Red       Style = "31"
	Green     Style = "32"
	Cyan      Style = "36"
	RedWord   Style = "7;31"
	GreenWord Style = "7;32"
	RedTag    Style = "97;41"
	GreenTag  Style = "30;42"
	GreyTag   Style = "30;47"
)

// Palette colours text, or leaves it unchanged: the zero value. Safe for concurrent use.
type Palette struct{ On bool }

// PaletteFor returns a palette that colours if out is a terminal, unless NO_COLOR is set (https://no-color.org) or the
// terminal is dumb.
func PaletteFor(out io.Writer) Palette {
	//nolint:forbidigo // these two are the terminal's conventions, no settings of tenon
	noColor, term := os.Getenv("NO_COLOR"), os.Getenv("TERM")
	return Palette{On: IsTerminal(out) && noColor == "" && term != "dumb"}
}

// IsTerminal reports whether a reader or writer is a character device other than the null device.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// Width returns how many columns a terminal has, within bounds in which text can be read. It returns a default for what
// is no terminal.
func Width(out io.Writer) int {
	const narrowest, usual, widest = 40, 80, 100
	f, ok := out.(*os.File)
	if !ok {
		return usual
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width == 0 {
		return usual
	}
	return min(max(width, narrowest), widest)
}

// Paint returns text in a style. It does not escape text.
func (p Palette) Paint(style Style, text string) string {
	if !p.On || style == "" || text == "" {
		return text
	}
	return "\x1b[" + string(style) + "m" + text + "\x1b[0m"
}

// Escape makes text that somebody else wrote safe for a terminal: it writes control, format and invisible characters,
// which could move the cursor, reorder text or hide it, as Go escapes. Tabs remain. It goes by what may be printed
// rather than by a list of what is invisible, as terminals differ in what they do with the rest.
func Escape(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == '\t' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		text = text[size:]
	}
	return b.String()
}
