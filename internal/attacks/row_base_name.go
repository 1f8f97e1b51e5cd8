package attacks

var baseName = Attack{
	Name:      "base-name",
	Surface:   Branch,
	Mechanism: "The branch that a pull request goes to is named like a command, or an option of git.",
	Defence:   "No git program is run with names of branches, and names are code in answers.",
	Setup:     func(w *World) { w.Must(w.Server.Branch(w.Repo, "release", "")) },
	Plant: func(w *World) {
		w.Must(w.Server.Branch(w.Repo, hostileName(w), ""))
		w.Must(w.Retarget(w.Repo, w.Number, hostileName(w)))
	},
	Ask: func(w *World) {
		w.Says("maria", Fix)
		w.Says("maria", "/tenon update")
	},
}
