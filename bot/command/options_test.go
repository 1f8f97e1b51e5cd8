package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsAreBetweenVerbAndText(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ body, model, text, problem string }{
		"none":                            {"/tenon fix it", "", "it", ""},
		"a word and its value":            {"/tenon fix --model fast it", "fast", "it", ""},
		"with an equals sign":             {"/tenon fix --model=fast it", "fast", "it", ""},
		"for a mention":                   {"@tenon --model fast rename it", "fast", "rename it", ""},
		"dashes within the text are text": {"/tenon fix the --model flag", "", "the --model flag", ""},
		"two dashes end them":             {"/tenon fix --model fast -- --verbose it", "fast", "--verbose it", ""},
		"two dashes alone":                {"/tenon fix -- it", "", "it", ""},
		"over lines":                      {"/tenon fix --model fast\nit", "fast", "it", ""},
		"twice": {
			"/tenon fix --model fast --model=big it", "fast", "", "`--model` is given twice.",
		},
		"one that is close to no other": {
			"/tenon fix --verbose it", "", "", "There is no option `--verbose`. The command is",
		},
		"an unknown one": {
			"/tenon fix --modle fast it", "", "",
			"There is no option `--modle`. Did you mean `--model`? The command is `/tenon fix [--model NAME]",
		},
		"without a value":            {"/tenon fix --model", "", "", "needs a value: `--model NAME`"},
		"another option for a value": {"/tenon fix --model --model x", "", "", "needs a value"},
		"options alone":              {"/tenon fix --model fast", "fast", "", ""},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv, ok := parseText(c.body, "tenon")
			require.True(t, ok)
			require.Contains(t, inv.Problem, c.problem)
			require.Equal(t, c.problem == "", inv.Problem == "")
			require.Equal(t, c.model, inv.Options.Model)
			require.Equal(t, c.text, inv.Text)
		})
	}
}

func TestTheValuesOfOptionsAreChecked(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("a,", 3) + "b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t"
	for given, says := range map[string]string{
		"--format diff":            "",
		"--format DIFF":            "",
		"--format yaml":            "There is no format `yaml`. The formats are: `v3`, ",
		"--files a.go,docs/b.md":   "",
		"--files `a.go`,./docs/b":  "",
		"--files=" + many:          "",
		"--files " + many + ",u":   "`--files` names more than 20 files.",
		"--files a.go,":            "is not the path of a file in this repository",
		"--files /etc/passwd":      "`/etc/passwd` is not the path",
		"--files ../../etc/passwd": "is not the path",
		"--files a/../b":           "is not the path",
		`--files a\\b`:             "is not the path",
		"--files a//b":             "is not the path",
		"--files .":                "is not the path",
		"--files a\u202eb":         "is not the path",
		"--base main":              "",
		"--base release/1.2":       "",
		"--base ümläut":            "",
		"--base @":                 "cannot be the name of a branch",
		"--base -f":                "cannot be the name",
		"--base a..b":              "cannot be the name",
		"--base refs/heads/main":   "cannot be the name",
		"--base a.lock":            "cannot be the name",
		"--base a/.b":              "cannot be the name",
		"--base a//b":              "cannot be the name",
		"--base a/":                "cannot be the name",
		"--base a.":                "cannot be the name",
		"--base a@{1}":             "cannot be the name",
		"--base a^":                "cannot be the name",
		"--base a:b":               "cannot be the name",
		"--base a\x07":             "cannot be the name",
		"--base a\u200bb":          "cannot be the name",
		"--base $(id)`|<b>":        "", // git takes it; the answer escapes it
	} {
		c := taking(SomeText, "--format", "--files", "--base")
		inv := c.parse(" " + given + " it")
		require.Contains(t, inv.Problem, says, given)
		require.Equal(t, says == "", inv.Problem == "", given)
	}
	c := taking(SomeText, "--files", "--format", "--base")
	inv := c.parse("--files `a.go`,./docs/b,a.go --format DIFF --base main it")
	require.Equal(t, Options{Format: "diff", Base: "main", Files: []string{"a.go", "docs/b"}}, inv.Options)
	require.Equal(t, "it", inv.Text)
}

func TestNewerOptionsOverrideOlderOnes(t *testing.T) {
	t.Parallel()
	older := Options{Model: "big", Format: "diff", Base: "main", Files: []string{"a.go"}}
	require.Equal(t, older, older.OverriddenBy(Options{}))
	require.Equal(t, Options{Model: "fast", Format: "v3", Base: "main", Files: []string{"b.go"}},
		older.OverriddenBy(Options{Model: "fast", Format: "v3", Files: []string{"b.go"}}))
}
