package attacks

import "strings"

var forgedMarks = Attack{
	Name:      "forged-boxes",
	Surface:   Comment,
	Mechanism: "A stranger posts a copy of a preview with its marks, and a maintainer ticks a box of the copy.",
	Defence:   "Boxes and marks count in tenon's own comments only, and those of a run in its own answer.",
	Begin:     func(w *World) { w.Says("maria", "/tenon preview the words in `main.go`") },
	Act: func(w *World) {
		copied := w.Answers()[0]
		id, err := w.Comment("mallory", w.Repo, w.Number, copied)
		w.Must(err)
		w.Must(w.EditComment("maria", id, strings.ReplaceAll(copied, "- [ ]", "- [x]")))
	},
	Ask:   func(w *World) { w.Says("maria", Next) },
	Works: func(w *World) bool { return w.Told("- [ ]") },
	Never: []Effect{anyCommit},
}
