package attacks

var linterSettings = Attack{
	Name:      "settings-of-linters",
	Surface:   File,
	Source:    codeRabbit,
	Mechanism: "A pull request brings settings by which a linter, a build or a test loads code of the pull request.",
	Defence:   "No linter, build or test is run: what is checked of a file is read by parsers of the program.",
	Survives:  true,
	Plant: func(w *World) {
		code := "`touch " + w.Marker + "`\n"
		w.Pushes(map[string]string{
			".rubocop.yml": "require: ./.rubocop.rb\n", ".rubocop.rb": code, ".eslintrc.js": code, "conftest.py": code,
			"setup.py": code, "Makefile": "x := $(shell touch " + w.Marker + ")\n", ".husky/post-checkout": "#!/bin/sh\n" + code,
		})
	},
}
