package attacks

import "strings"

var settingsBomb = Attack{
	Name:      "settings-bomb",
	Surface:   Settings,
	Mechanism: "A file of settings has aliases of aliases, which unfold to billions of values.",
	Defence:   "Settings are read within bounds, and follow no alias. If they cannot be read, nothing is changed.",
	Setup:     func(w *World) { w.Settings("protected:\n  - kept/**\n") },
	Plant: func(w *World) {
		var b strings.Builder
		b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
		for i := range 30 {
			b.WriteString(strings.NewReplacer("N", itoa(i+1), "P", itoa(i)).Replace(
				"aN: &aN [*aP, *aP, *aP, *aP, *aP, *aP, *aP, *aP, *aP, *aP]\n"))
		}
		w.Settings(b.String() + "protected: *a30\n")
	},
	Never: []Effect{anyCommit},
}
