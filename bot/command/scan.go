package command

import (
	"iter"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Whoever accepts events must not spend time or memory on what anybody may write. Scan looks at the bytes of a text
// alone, and leaves it to FromEvent to say whether a line that looks like a command is one, or is in code.

const (
	// maxScanned is how many lines of a text that look like a command are read further.
	maxScanned = 8
	// maxScannedText is how much is read of what follows the address on such a line, and of what is below it, in bytes.
	maxScannedText = 1024
)

// Scan reports whether an event may give a command, and whether that command is immediate: then it need not wait for
// the other events of its thread. may is true for every event of which FromEvent returns a command, and for a few more;
// immediate is false where it is in doubt. Of a label, a button of a check and boxes, no command is
// immediate. While the app's name is unknown, slug is "", and every line that begins with "@" may be a mention of it.
func Scan(ev port.Event, slug string) (may, immediate bool) {
	switch ev.Kind {
	case port.Closed:
		return AsksForBackport(ev), false
	case port.Ticked:
		return markdown.MayTick(ev.Before, ev.Comment.Body), false
	case port.Labeled, port.Pressed:
		ev.Opening = false
		_, may = FromEvent(ev, slug, ev.Label)
		return may, false
	case port.OnPage:
		inv, ok := FromEvent(ev, slug, "")
		return ok, ok && inv.IsImmediate()
	}
	lines := 0
	immediate = true
	for rest, mention := range addresses(ev.Comment.Body, slug) {
		lines++
		immediate = lines <= maxScanned && (slug != "" || !mention) && scanImmediate(rest, mention, ev.Thread)
		if !immediate {
			break
		}
	}
	return lines > 0, lines > 0 && immediate
}

// MayContain reports whether a text may contain a command, by its bytes alone.
func MayContain(body, slug string) bool {
	for range addresses(body, slug) {
		return true
	}
	return false
}

// addresses yields what follows each "/tenon" and "@slug" that a line begins with, up to the end of the text.
func addresses(body, slug string) iter.Seq2[string, bool] {
	return func(yield func(rest string, mention bool) bool) {
		for at := 0; at < len(body); {
			end := len(body)
			if i := strings.IndexByte(body[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
			line := strings.TrimLeft(body[at:end], " \t\v\f\r")
			text := body[end-len(line):]
			if rest, ok := cutWord(text, "/tenon"); ok && !yield(rest, false) {
				return
			}
			rest, ok := cutMention(text, slug)
			if slug == "" {
				rest, ok = strings.CutPrefix(text, "@")
			}
			if ok && !yield(rest, true) {
				return
			}
			at = end
		}
	}
}

// scanImmediate reports whether a command that begins with rest, the text behind an address, is immediate for certain.
func scanImmediate(rest string, mention bool, t port.Thread) bool {
	text := markdown.CutBytes(rest, maxScannedText)
	parse := parseSlash
	if mention {
		parse = parseMention
	}
	inv := parse(text).on(t)
	return inv.Command.Immediate || inv.Problem != "" && len(text) == len(rest)
}
