package attacks

import "github.com/tenon-bot/tenon/internal/github/sim"

var defaultBranch = Attack{
	Name:    "pull-request-of-the-default-branch",
	Surface: Branch,
	Mechanism: "A stranger opens a pull request from the default branch to an old one: a commit to its head would be " +
		"on the default branch, unreviewed.",
	Defence: "Nothing is committed to the default branch: the edits are offered, and a box opens a pull request for them.",
	Arrives: "Greet later",
	Setup:   func(w *World) { w.Must(w.Server.Branch(w.Repo, "old", "")) },
	Plant: func(w *World) {
		_, err := w.Push(w.Repo, "main", map[string]string{"b.txt": "b\n"}, "B\n")
		w.Must(err)
		w.Number, err = w.OpenPull(sim.Pull{As: "mallory", Repo: w.Repo, Title: "Greet later", Head: "main", Base: "old"})
		w.Must(err)
	},
	Never: []Effect{{"the default branch changes", func(w *World, l Left) (seen []string) {
		for _, c := range l.Changes {
			if c.Repo == w.Repo && c.Branch == "main" {
				seen = append(seen, c.Repo)
			}
		}
		return seen
	}}},
}
