package attacks

import (
	"net/http"
	"regexp"
	"strings"
)

// runPage is the path of the page of a run, in an answer.
var runPage = regexp.MustCompile(`/runs/[a-z0-9]+`)

// fixedPage is the path of the page of the run that made the fix.
func fixedPage(w *World) string {
	for _, answer := range w.Answers() {
		if strings.Contains(answer, "edit committed") {
			return runPage.FindString(answer)
		}
	}
	return ""
}

var privatePage = Attack{
	Name:      "page-of-a-private-run",
	Surface:   Page,
	Mechanism: "A stranger has the address of the page of a run in a private repository, and opens it.",
	Defence:   "Each page asks GitHub what its visitor may read; what one may not read looks like what does not exist.",
	Setup: func(w *World) {
		w.HasPages = true
		w.Must(w.SetPublic(w.Repo, false))
	},
	Begin: func(w *World) { w.Says("maria", Fix) },
	Act: func(w *World) {
		page := w.Browser("mallory").Open(w.Pages + fixedPage(w))
		w.aside = page.Status == http.StatusOK || strings.Contains(page.Text, "main.go")
	},
	Ask: func(w *World) { w.Says("maria", Next) },
	Works: func(w *World) bool {
		page := w.Browser("maria").Open(w.Pages + fixedPage(w))
		return strings.Contains(page.Text, "goodbye")
	},
	Never: []Effect{{"a stranger sees a run", func(w *World, _ Left) []string {
		if w.aside {
			return []string{"its page"}
		}
		return nil
	}}},
}
