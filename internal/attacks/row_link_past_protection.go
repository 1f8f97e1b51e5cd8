package attacks

import "github.com/tenon-bot/tenon/internal/github/sim"

var linkPastProtection = Attack{
	Name:      "link-past-protection",
	Surface:   File,
	Mechanism: "A link in the repository leads to a protected folder, and edits go through the link.",
	Defence:   "Nothing is written through a link: neither an edit nor the tree of a commit follows one.",
	Arrives:   "Write `open/a.txt`",
	Setup:     func(w *World) { w.Settings("protected:\n  - kept/**\n") },
	Plant: func(w *World) {
		_, err := w.PushFiles(w.Repo, w.Branch, map[string]sim.File{
			"open": {Mode: "120000", Content: "kept"}, "flows": {Mode: "120000", Content: ".github/workflows"},
			"kept/a.txt": {Content: "kept\n"}}, "Links\n")
		w.Must(err)
		w.InMain("Write `open/a.txt`, `flows/x.yml`, `OPEN/a.txt`, `kept/a.txt`, `./kept/a.txt`, " +
			"`src/../kept/a.txt` and `KEPT/a.txt`.")
	},
	Never: []Effect{changes("kept/a.txt"), changes("open/a.txt"), changes("flows/x.yml"), changes("open"),
		changes("KEPT/a.txt")},
}
