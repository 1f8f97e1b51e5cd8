package retrieve

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// calledToken is what files are called that nobody is told of.
var calledToken = "ghp_" + secrettest.Maker(9).Random("token", "0123456789abcdefghijklmnopqrstuvwxyz", 36)

// namedSecret is a repository with a file of each kind whose path has a token in it.
func namedSecret() story {
	return story{
		files: map[string]string{
			"main.go":                            "package main\n\n// Main greets.\nfunc main() {}\n",
			"notes/" + calledToken + "/a.txt":    "greet\n",
			"notes/b.txt":                        "greet\n",
			"src/" + calledToken + ".go":         "package src\n\n// Greets greets.\nfunc Greets() {}\n",
			"src/" + calledToken + "_test.go":    "package src\n\nfunc TestGreets() {}\n",
			calledToken + "/top.go":              "package top\n\n// Greetings greet.\nfunc Greetings() {}\n",
			"docs/" + calledToken + "/AGENTS.md": "Greet.\n",
		},
		links:   map[string]engine.Kind{"ln/" + calledToken: engine.Symlink},
		changed: []string{"notes/" + calledToken + "/a.txt"},
	}
}

func TestAFileWithASecretInItsPathIsNotSelected(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"greet in a.txt and top.go", "what is in notes/ and src?", "see `notes/*/*.txt`, `**/*.go` and `src/**`",
		"see notes/" + calledToken + "/a.txt and `src/" + calledToken + ".go`, and notes/" + calledToken + "/gone.txt",
		"`ln/" + calledToken + "`", "main.go Greets Greetings",
	} {
		st := namedSecret()
		st.body, st.comment = body, port.Comment{Path: "notes/" + calledToken + "/a.txt", Line: 1}
		found := st.selects(t)
		require.NotContains(t, fmt.Sprintf("%+v", found.Found), calledToken, body)
	}
}

func TestAFileWithASecretInItsPathIsToldOfWithoutIt(t *testing.T) {
	t.Parallel()
	st := namedSecret()
	st.body = "see `notes/" + calledToken + "/a.txt`"
	require.Contains(t, fmt.Sprintf("%+v", st.selects(t).Selection.LeftOut),
		"{Path:notes/[redacted: GitHub personal access token]/a.txt Why:its path has a secret in it}")
}

func TestAModelIsShownNoPathWithASecret(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"NEED: notes\nNEED: src/\nNEED: notes/*/*\nNEED: **/*.go\nNEED: .",
		"NEED: a.txt\nNEED: top.go\nNEED: notes/x/a.txt\nNEED: Greets\nFIND: greet",
		"NEED: notes/" + calledToken + "/a.txt\nNEED: " + calledToken + "\nNEED: ln/" +
			calledToken + "\nNEED: " + calledToken + "/no.go",
	} {
		a, _ := namedSecret().answers(t, reply, Seen{})
		require.NotContains(t, fmt.Sprintf("%+v", a.Selection), calledToken, reply)
		require.NotContains(t, prompts.Need(a.Prompt), calledToken, reply)
	}
	a, _ := namedSecret().answers(t, "NEED: notes", Seen{})
	require.Equal(t, []string{"b.txt"}, a.Prompt.Lists[0].Names, "and what is beside it is listed")
}
