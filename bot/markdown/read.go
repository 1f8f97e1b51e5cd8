package markdown

import "strings"

// What a reader of a page on GitHub does not see is not read: a text for a model is made from the HTML that Markdown
// becomes, and only from what is text in it. What is not certain to be shown is left out; docs/adr/0036 says what that
// is. The text is Markdown again, as far as that helps to read it: with the marks of lists, quotes, headings and code.

// Shown returns a comment, a description or a Markdown file as a reader sees it on GitHub. Of links, only their text
// remains, and the numbers of lines, issues and pull requests.
func Shown(body string) string { return read(body, false) }

// ShownWithTargets is Shown, but with the targets of links that have a text. A reader does not see those without
// looking for them, so what names files may use them, and no model gets to read them.
func ShownWithTargets(body string) string { return read(body, true) }

// HiddenFrom returns the name of an element, such as "template", that hides all that follows it in a text since it has
// no end there; empty if none does. People who write "Page<Template>" without backticks do not know that it does.
func HiddenFrom(body string) (element string) {
	if !strings.Contains(body, "<") {
		return ""
	}
	html, ok := asHTML([]byte(sourceOf.Replace(strings.ToValidUTF8(body, "\uFFFD"))))
	if !ok {
		return ""
	}
	p := newPage(html, false)
	p.read()
	for name, open := range p.visibility.open {
		if open > 0 && (element == "" || name < element) {
			element = name
		}
	}
	return element
}

// ShownTitle returns a title as a reader sees it, on one line: GitHub makes no Markdown of titles.
func ShownTitle(title string) string {
	return strings.Join(strings.Fields(seen(strings.ToValidUTF8(title, "\uFFFD"))), " ")
}

func read(body string, targets bool) string {
	html, ok := asHTML([]byte(sourceOf.Replace(strings.ToValidUTF8(body, "\uFFFD"))))
	if !ok {
		return Unreadable
	}
	return newPage(html, targets).read()
}

// sourceOf ends lines as CommonMark does, and keeps the mark of filtered out of the source.
var sourceOf = strings.NewReplacer("\r\n", "\n", "\r", "\n", literal, "\uFFFD")
