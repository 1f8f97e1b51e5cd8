package report

import "strings"

// Pages is the address of the pages that show runs, such as "https://tenon.example"; empty if there are none.
type Pages string

// Run returns the page of a run; empty if there are no pages.
func (p Pages) Run(id string) string {
	if p == "" {
		return ""
	}
	return strings.TrimSuffix(string(p), "/") + "/runs/" + id
}

// Link returns the id of a run as Markdown, with a link to its page if there is one.
func (p Pages) Link(id string) string {
	if url := p.Run(id); url != "" {
		return "[" + id + "](" + url + ")"
	}
	return id
}
