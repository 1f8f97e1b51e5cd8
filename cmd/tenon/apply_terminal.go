package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The styles of terminal output, as the numbers of ANSI's "select graphic rendition".
const (
	styleBold     = "1"
	styleDim      = "2"
	styleRed      = "31"
	styleGreen    = "32"
	styleCyan     = "36"
	styleRedWord  = "7;31"
	styleGreenTag = "30;42"
	styleRedTag   = "97;41"
	styleGreyTag  = "30;47"
	styleAddWord  = "7;32"
)

// palette colours text, or leaves it alone: the zero value.
type palette struct{ on bool }

// paletteFor colours on a terminal only, and not where NO_COLOR is set (https://no-color.org) or the terminal is dumb.
func paletteFor(out io.Writer) palette {
	//nolint:forbidigo // these two are the terminal's conventions, no settings of tenon
	noColor, term := os.Getenv("NO_COLOR"), os.Getenv("TERM")
	return palette{on: isTerminal(out) && noColor == "" && term != "dumb"}
}

// isTerminal says whether a reader or writer is a character device other than the null device.
func isTerminal(stream any) bool {
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

func (p palette) paint(style, text string) string {
	if !p.on || text == "" {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}

// visible makes text that somebody else wrote safe for a terminal: control, format and invisible characters, which could move
// the cursor, reorder text or hide it, are written as escapes. Tabs stay.
func visible(text string) string {
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
