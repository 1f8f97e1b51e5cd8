package attacks

var strangersCost = Attack{
	Name:      "strangers-cost",
	Surface:   Comment,
	Mechanism: "A stranger gives commands until the budget is used up.",
	Defence:   "GitHub is asked for the permission of each sender before anything that costs.",
	Act: func(w *World) {
		for _, c := range []string{Fix, "/tenon ask what?", "/tenon preview it", "@tenon go on", "/tenon resolve",
			"/tenon address", "/tenon retry", "/tenon apply 1", "/tenon undo", "/tenon backport release"} {
			w.Says("mallory", c)
		}
		w.aside = w.Asked()
	},
	Never: []Effect{{"a model is asked for a stranger", func(w *World, _ Left) []string {
		if w.aside {
			return []string{"a prompt"}
		}
		return nil
	}}},
}
