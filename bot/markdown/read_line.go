package markdown

import (
	"net/url"
	"regexp"
	"strings"
)

func (l *line) openLink(href string) {
	l.closeLink()
	if l.inCode {
		return
	}
	l.inLink, l.link, l.href = true, len(l.pieces), href
	l.pieces = append(l.pieces, part{isRaw, ""})
}

// closeLink ends a link. One without a text is nothing that a reader sees.
func (l *line) closeLink() {
	if !l.inLink || l.inCode {
		return
	}
	l.inLink = false
	var b strings.Builder
	for _, p := range l.pieces[l.link:] {
		b.WriteString(p.text)
	}
	shown := strings.TrimSpace(b.String())
	switch {
	case shown == "":
		l.pieces = l.pieces[:l.link]
	case strings.HasPrefix(l.href, "#fn:"):
		l.pieces[l.link].text = "[^"
		l.add(isRaw, "]")
	case l.href == "" || l.href[0] == '#' || sameAddress(shown, l.href):
	case l.targets:
		l.pieces[l.link].text = "["
		l.add(isRaw, "]("+target(l.href)+")")
	default:
		l.add(isRaw, numbersOf(l.href, shown))
	}
}

// sameAddress reports whether a text is the address that it links to.
func sameAddress(shown, href string) bool {
	return bare(shown) == bare(href) || bare(shown) == bare(target(href))
}

func bare(address string) string {
	for _, scheme := range []string{"https://", "http://", "mailto:"} {
		address = strings.TrimPrefix(address, scheme)
	}
	return strings.TrimRight(address, "/")
}

// target writes the target of a link on one line. Paths in the repository are written as their files are named.
func target(href string) string {
	href = strings.Join(strings.Fields(seen(href)), "%20")
	if plain, err := url.PathUnescape(href); err == nil && !strings.Contains(href, "://") {
		href = strings.Join(strings.Fields(seen(strings.ToValidUTF8(plain, "\uFFFD"))), "%20")
	}
	return href
}

var (
	linkedLines  = regexp.MustCompile(`#L([0-9]{1,7})(?:C[0-9]+)?(?:-L?([0-9]{1,7})(?:C[0-9]+)?)?$`)
	linkedThread = regexp.MustCompile(`/(?:issues|pull|discussions)/([0-9]{1,7})(?:[/#?].*)?$`)
)

// numbersOf returns what a link says in numbers: the lines of a file, or an issue. No words can hide in those.
func numbersOf(href, shown string) string {
	if m := linkedLines.FindStringSubmatch(href); m != nil {
		if m[2] == "" {
			return " (line " + m[1] + ")"
		}
		return " (lines " + m[1] + " to " + m[2] + ")"
	}
	if m := linkedThread.FindStringSubmatch(href); m != nil && !strings.Contains(shown, m[1]) {
		return " (#" + m[1] + ")"
	}
	return ""
}

// blanks are two or more blanks, of which a browser shows one.
var blanks = regexp.MustCompile(`[\t\p{Zs}]{2,}`)

// close returns the text of the line, which may have several lines, and begins another.
func (l *line) close() string {
	l.closeCode()
	l.closeLink()
	pieces := withoutMath(l.pieces)
	l.pieces = nil
	var b strings.Builder
	for _, p := range pieces {
		switch p.kind {
		case isCode:
			fence := strings.Repeat("`", LongestRun(p.text, '`')+1)
			if len(fence) > 1 {
				p.text = " " + p.text + " "
			}
			b.WriteString(fence + p.text + fence)
		case isText:
			b.WriteString(blanks.ReplaceAllString(p.text, " "))
		default:
			b.WriteString(p.text)
		}
	}
	var out []string
	for part := range strings.SplitSeq(b.String(), "\n") {
		part = strings.Trim(part, " \t")
		if part == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, part)
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}
