package attacks

import "github.com/tenon-bot/tenon/internal/github/sim"

var forkVerify = Attack{
	Name:      "pull-request-target",
	Surface:   File,
	Source:    "https://securitylab.github.com/resources/github-actions-preventing-pwn-requests/",
	Mechanism: "The code of a fork is to run in a workflow of the repository, with its secrets.",
	Defence:   "No workflow is started for a fork.",
	Setup: func(w *World) {
		w.Settings("verify: verify.yml\n")
		_, err := w.Push(w.Repo, "main", map[string]string{
			".github/workflows/verify.yml": "name: verify\non:\n  workflow_dispatch:\n"}, "Verify\n")
		w.Must(err)
		w.PullOfFork(sim.Pull{})
	},
	Ask:   func(w *World) { w.Says("maria", Fix) },
	Works: func(w *World) bool { return w.Asked() },
	Plant: func(w *World) {
		_, err := w.Push("mallory/lathe", w.Branch, map[string]string{
			".github/workflows/verify.yml": "name: verify\non:\n  workflow_dispatch:\njobs: {}\n"}, "Verify\n")
		w.Must(err)
	},
}
