package bot

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionsStandBetweenVerbAndText(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ body, model, text, problem string }{
		"none":                            {"/tenon fix it", "", "it", ""},
		"a word and its value":            {"/tenon fix --model fast it", "fast", "it", ""},
		"with an equals sign":             {"/tenon fix --model=fast it", "fast", "it", ""},
		"for a mention":                   {"@tenon --model fast rename it", "fast", "rename it", ""},
		"dashes within the text are text": {"/tenon fix the --model flag", "", "the --model flag", ""},
		"over lines":                      {"/tenon fix --model fast\nit", "fast", "it", ""},
		"twice":                           {"/tenon fix --model fast --model=big it", "fast", "", "`--model` is there twice."},
		"one that is not near any other":  {"/tenon fix --verbose it", "", "", "There is no option `--verbose`. The command is"},
		"an unknown one":                  {"/tenon fix --modle fast it", "", "", "There is no option `--modle`. Did you mean `--model`? The command is `/tenon fix [--model NAME]"},
		"without a value":                 {"/tenon fix --model", "", "", "needs a value: `--model NAME`"},
		"another option for a value":      {"/tenon fix --model --model x", "", "", "needs a value"},
		"options alone":                   {"/tenon fix --model fast", "fast", "", "wants to know what"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv, ok := parseInvocation(c.body, "tenon")
			require.True(t, ok)
			require.Contains(t, inv.problem, c.problem)
			require.Equal(t, c.problem == "", inv.problem == "")
			require.Equal(t, c.model, inv.options.model)
			require.Equal(t, c.text, inv.text)
		})
	}
}

func TestTheValuesOfOptionsAreChecked(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("a,", 3) + "b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t"
	for given, says := range map[string]string{
		"--format diff":            "",
		"--format DIFF":            "",
		"--format yaml":            "There is no format `yaml`. There are: `v3`, ",
		"--files a.go,docs/b.md":   "",
		"--files `a.go`,./docs/b":  "",
		"--files=" + many:          "",
		"--files " + many + ",u":   "`--files` names 21 files, and 20 is the most.",
		"--files a.go,":            "is no path of a file in this repository",
		"--files /etc/passwd":      "`/etc/passwd` is no path",
		"--files ../../etc/passwd": "is no path",
		"--files a/../b":           "is no path",
		`--files a\\b`:             "is no path",
		"--files a//b":             "is no path",
		"--files .":                "is no path",
		"--files a\u202eb":         "is no path",
		"--base main":              "",
		"--base release/1.2":       "",
		"--base ümläut":            "",
		"--base @":                 "is no name that a branch can have",
		"--base -f":                "is no name",
		"--base a..b":              "is no name",
		"--base refs/heads/main":   "is no name",
		"--base a.lock":            "is no name",
		"--base a/.b":              "is no name",
		"--base a//b":              "is no name",
		"--base a/":                "is no name",
		"--base a.":                "is no name",
		"--base a@{1}":             "is no name",
		"--base a^":                "is no name",
		"--base a:b":               "is no name",
		"--base a\x07":             "is no name",
		"--base a\u200bb":          "is no name",
		"--base $(id)`|<b>":        "", // git takes it; the answer escapes it
	} {
		c := said(someText, "--format", "--files", "--base")
		inv := c.parse(" " + given + " it")
		require.Contains(t, inv.problem, says, given)
		require.Equal(t, says == "", inv.problem == "", given)
	}
	inv := said(someText, "--files", "--format", "--base").parse("--files `a.go`,./docs/b,a.go --format DIFF --base main it")
	require.Equal(t, options{format: "diff", base: "main", files: []string{"a.go", "docs/b"}}, inv.options)
	require.Equal(t, "it", inv.text)
}

func TestFilesBehindAnOptionAreShownBeforeOthers(t *testing.T) {
	t.Parallel()
	st := story{body: "/tenon fix --files docs/b.md,gone.md the words in a.go", files: map[string]string{"a.go": "package a\n", "docs/b.md": "b\n"}}
	s := st.session()
	s.inv, _ = parseInvocation(st.body, "tenon")
	q, err := s.gather(context.Background(), target{Branch: "speed", SHA: headSHA, Pull: 12}, s.task())
	require.NoError(t, err)
	require.Equal(t, []string{"docs/b.md", "a.go"}, shownNames(q))
	require.Equal(t, "named by --files", q.Files[0].Why)
	require.Contains(t, q.user(), "gone.md", "the model is told that there is none")
}

func TestAFormatBehindAnOptionIsAskedFor(t *testing.T) {
	t.Parallel()
	st := story{body: "/tenon fix --format section it", models: []ModelInfo{{Name: "fast", Format: "v3"}}}
	s := st.session()
	s.inv, _ = parseInvocation(st.body, "tenon")
	q, err := s.gather(context.Background(), target{Branch: "speed", SHA: headSHA, Pull: 12}, s.task())
	require.NoError(t, err)
	require.Equal(t, "section", q.Format)
}

func TestAModelIsChosenAmongThoseThatTheRepositoryMayUse(t *testing.T) {
	t.Parallel()
	s := testSession()
	s.Models = []ModelInfo{{Name: "secret", Repositories: []string{"other/*"}}, {Name: "fast", Repositories: []string{"acme/lathe"}}, {Name: "big", Repositories: []string{"acme/*"}}}
	for asked, want := range map[string]string{"": "fast", "BIG": "big"} {
		s.inv.options.model = asked
		m, err := s.model()
		require.NoError(t, err)
		require.Equal(t, want, m.Name)
	}
	s.inv.options.model = "secret"
	_, err := s.model()
	require.EqualError(t, err, "There is no model `secret` for this repository. There are: `fast`, `big`.")
	s.ev.Repo.Owner = "nobody"
	_, err = s.model()
	require.ErrorContains(t, err, "No model may be used in this repository.")
	s.Models = nil
	s.inv.options.model = ""
	m, err := s.model()
	require.NoError(t, err)
	require.Empty(t, m.Name, "the port says that there is none")
}

func TestCostIsToldWhereEveryPriceIsKnown(t *testing.T) {
	t.Parallel()
	s := testSession()
	s.Models = []ModelInfo{{Name: "a", Price: Price{Input: 2, Cached: 1, Output: 10}}, {Name: "b"}}
	call := func(name string) turn {
		return turn{Answer: Answer{Name: name, Usage: Usage{In: 1_000_000, Cached: 500_000, Out: 100_000}}}
	}
	dollars, ok := s.cost(talk{turns: []turn{call("a"), call("a"), {Fault: "x"}}})
	require.True(t, ok)
	require.InDelta(t, 2*(1+0.5+1), dollars, 1e-9)
	_, ok = s.cost(talk{turns: []turn{call("a"), call("b")}})
	require.False(t, ok)
}
