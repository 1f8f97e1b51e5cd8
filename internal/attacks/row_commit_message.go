package attacks

import "github.com/tenon-bot/tenon/internal/github/sim"

var commitMessage = Attack{
	Name:      "commit-message",
	Surface:   Message,
	Mechanism: "A merged commit is backported whose message contains what CI, trackers and GitHub act upon.",
	Defence:   "A message is copied without what programs act upon, and without tenon's own trailers.",
	Setup:     func(w *World) { w.Must(w.Server.Branch(w.Repo, "release", "")) },
	Plant: func(w *World) {
		_, err := w.PushFiles(w.Repo, w.Branch, map[string]sim.File{"speed.txt": {Content: "faster\n"}},
			"Be faster, closes #77 [skip ci]\n\nFixes: acme/vault#3\nResolves https://github.com/acme/vault/issues/3\n")
		w.Must(err)
	},
	Ask: func(w *World) {
		w.Must(w.Merge(w.Repo, w.Number))
		w.before = w.branches()
		w.Says("maria", "/tenon backport release")
	},
	Works: func(w *World) bool { return w.hasBranch("tenon/") },
}
