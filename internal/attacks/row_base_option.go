package attacks

var baseOption = Attack{
	Name:      "base-option",
	Surface:   Branch,
	Mechanism: "A command for an issue names a branch to start from that is named like a command, or an option of git.",
	Defence:   "No git program is run with names of branches, and names are code in answers.",
	Setup:     func(w *World) { w.OpenThread("maria", "Words", "Say goodbye.") },
	Plant:     func(w *World) { w.Must(w.Server.Branch(w.Repo, hostileName(w), "")) },
	Act:       func(w *World) { w.Says("maria", "/tenon fix --base "+hostileName(w)+" the words in `main.go`") },
	Works:     func(w *World) bool { return w.hasBranch("tenon/issue-") },
}

// hostileName is the name of a branch that a shell would run, and that mentions somebody.
func hostileName(w *World) string { return "a/--upload-pack=$(touch${IFS}" + w.Marker + ");@mallory" }
