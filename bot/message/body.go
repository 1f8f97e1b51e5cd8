package message

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
)

const (
	// maxLine is the length of a line in the body of a commit, in characters.
	maxLine = 72
	// maxBody is how much of an explanation goes into the body, in characters.
	maxBody = 1000
	// itemMark begins an item of a list, further lines of which are indented by as much.
	itemMark = "- "
)

// Body returns an explanation, which is Markdown, as the body of a commit: plain paragraphs and lists in lines of at
// most 72 characters, without a line feed at the end. Programs act on it as little as on a subject: there is an
// ellipsis for each word that they might act on, and no line is like a trailer, a comment or the beginning of a diff.
// It is empty if there is nothing to say.
func Body(md string) string {
	var out strings.Builder
	room, inList := maxBody, false
	for _, t := range markdown.Texts(md, 4*maxBody) {
		words := sentences(neutral(t.Words, rules), room)
		lines := bodyLines(words, t.Item)
		if len(lines) == 0 {
			continue
		}
		switch {
		case out.Len() == 0:
		case t.Item && inList:
			out.WriteString("\n")
		default:
			out.WriteString("\n\n")
		}
		out.WriteString(strings.Join(lines, "\n"))
		room -= utf8.RuneCountInString(words)
		inList = t.Item
	}
	return out.String()
}

// Words returns what an explanation, which is Markdown, says in words: paragraphs and items of lists, as Markdown that
// is not safe to show yet. There is an ellipsis for each word that programs might act on.
func Words(md string) string {
	var out strings.Builder
	inList := false
	for _, t := range markdown.Texts(md, 4*maxBody) {
		switch {
		case out.Len() == 0:
		case t.Item && inList:
			out.WriteString("\n")
		default:
			out.WriteString("\n\n")
		}
		if inList = t.Item; t.Item {
			out.WriteString(itemMark)
		}
		out.WriteString(neutral(t.Words, rules))
	}
	return out.String()
}

// sentences returns as many whole sentences of a text as have room, in characters.
func sentences(text string, room int) string {
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	cut := strings.TrimSuffix(markdown.Clip(text, max(room, 1)), "…")
	return cut[:strings.LastIndex(cut, ". ")+1]
}

// bodyLines returns the lines of a paragraph; none if one of them cannot be made harmless.
func bodyLines(text string, item bool) []string {
	if !strings.ContainsFunc(text, isLetter) {
		return nil
	}
	first, rest := "", ""
	if item {
		first, rest = itemMark, strings.Repeat(" ", len(itemMark))
	}
	lines := wrapped(text, maxLine-len(first))
	for i, line := range lines {
		if line = neutral(line, rules); acts(line) || misread.MatchString(line) {
			return nil
		}
		lines[i] = first + line
		first = rest
	}
	return lines
}

// misread matches the beginning of a line that git may take for a trailer, a comment, a mail or a diff.
var misread = regexp.MustCompile(`(?i)^(?:[a-z0-9-]+\s*[:#]|[^\pL\pN\s"'(\x60…–]|diff\b|from\b|index\b)`)

// wrapped breaks a text into lines of at most width characters, none of which begins with what may be misread.
func wrapped(text string, width int) (lines []string) {
	var line []string
	length := -1
	add := func(word string) {
		line = append(line, word)
		length += 1 + utf8.RuneCountInString(word)
	}
	for word := range strings.FieldsSeq(text) {
		word = markdown.Clip(word, width-len("`` –"))
		if len(line) > 0 && length+1+utf8.RuneCountInString(word) > width {
			carried := ""
			if last := len(line) - 1; last > 0 && misread.MatchString(word) {
				before := harmless(line[last])
				if before != "" && utf8.RuneCountInString(before)+1+utf8.RuneCountInString(word) <= width {
					line, carried = line[:last], before
				}
			}
			lines = append(lines, strings.Join(line, " "))
			line, length = nil, -1
			if carried != "" {
				add(carried)
			}
		}
		if len(line) == 0 {
			word = harmless(word)
		}
		if word != "" {
			add(word)
		}
	}
	if len(line) > 0 {
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

// harmless returns the first word of a line so that it is not misread: a label has a dash instead of its colon, and
// what else may be misread is shown as code.
func harmless(word string) string {
	if word = strings.TrimLeft(word, "#>/!;:%*+-=|~.,"); !misread.MatchString(word) {
		return word
	}
	if label := strings.TrimRight(word, ":#"); label != word && !misread.MatchString(label) {
		return label + " –"
	}
	return "`" + strings.ReplaceAll(word, "`", "'") + "`"
}
