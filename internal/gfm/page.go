package gfm

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"
)

// Page is an HTML page that shows a thread as GitHub does. It is one file: it loads nothing and runs no scripts.
type Page struct {
	// Title is the thread's, Number its number, and Repo its repository: "acme/greet".
	Title, Repo string
	Number      int
	Comments    []Comment
	// Gone is the address of a server that will not be there for the reader: links to it have no target.
	Gone string
	// Note is a sentence below the thread.
	Note string
}

// Comment is one of a thread.
type Comment struct {
	Author string
	// App marks the author as one.
	App bool
	// Markdown is the text as it was posted.
	Markdown string
}

// Initial is what the picture of the author shows.
func (c Comment) Initial() string {
	first, _ := utf8.DecodeRuneInString(c.Author)
	return strings.ToUpper(string(first))
}

var (
	//go:embed page.css
	pageStyle string
	//go:embed page.html
	pageText     string
	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// shownComment is a comment and its safe HTML.
type shownComment struct {
	Comment
	Body template.HTML
}

// Write writes the page to w.
func (p Page) Write(w io.Writer) error {
	data := struct {
		Page
		Style    template.CSS
		Comments []shownComment
	}{Page: p, Style: template.CSS(pageStyle)} //nolint:gosec // it is ours
	for _, c := range p.Comments {
		body, err := HTML(c.Markdown, p.Gone)
		if err != nil {
			return err
		}
		data.Comments = append(data.Comments, shownComment{c, template.HTML(body)}) //nolint:gosec // HTML sanitised it
	}
	if err := pageTemplate.Execute(w, data); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}
