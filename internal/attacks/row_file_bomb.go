package attacks

import "strings"

var fileBomb = Attack{
	Name:      "file-bomb",
	Surface:   File,
	Mechanism: "A pull request has files of megabytes in one line, deep nesting, and thousands of names.",
	Defence:   "What is read of a repository, of a file and of a line is bounded, and so is the work of each parser.",
	Survives:  true,
	Setup:     (*World).SmallModel,
	Plant: func(w *World) {
		files := map[string]string{
			"long.go":   "package x // " + strings.Repeat("main.go words ", 300000) + "\n",
			"deep.json": strings.Repeat("[", 200000) + strings.Repeat("]", 200000) + "\n",
			"deep.go":   "package x\n\nvar x = " + strings.Repeat("(", 50000) + "1" + strings.Repeat(")", 50000) + "\n",
			"deep.yaml": strings.Repeat("- ", 30000) + "x\n", "re.js": "/" + strings.Repeat("(a+)+", 10000) + "$/\n",
		}
		for i := range 2000 {
			files["many/words"+itoa(i)+".go"] = "package many // words\n"
		}
		w.Pushes(files)
	},
}
