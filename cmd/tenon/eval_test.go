package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// evalStage is a mirror with one repository, acme/shop, and a file with three pairs of it.
type evalStage struct{ mirror, pairs, base string }

func newEvalStage(t *testing.T) evalStage {
	t.Helper()
	r := gittest.New(t).Create(t, "acme/shop")
	long := func(name string, lines int) string {
		var b strings.Builder
		for i := range lines {
			fmt.Fprintf(&b, "%s = %d\n", name, i+1)
		}
		return b.String()
	}
	base := r.Commit("main", gittest.Files(map[string]string{
		"shop/total.py": "def total(items):\n    return sum(items)\n",
		"shop/tax.py":   long("rate", 12_000),
		"shop/stock.py": long("shelf", 2),
	}))
	// What came later is of no use to anybody who looks at the base.
	r.Commit("main", gittest.Files(map[string]string{"shop/later.py": "later = 1\n"}))
	s := evalStage{mirror: t.TempDir(), base: base}
	require.NoError(t, os.Mkdir(filepath.Join(s.mirror, "acme+shop"), 0o755))
	require.NoError(t, os.Rename(r.Dir, filepath.Join(s.mirror, "acme+shop", "repo")))
	pairs := []eval.Pair{
		{
			ID: "named", Kind: "issue", Text: "Wrong total\nThe sum in shop/total.py:2 is wrong.",
			Gold: []string{"shop/total.py"}, Lines: map[string][]int{"shop/total.py": {2}},
		},
		{
			ID: "far down", Kind: "issue", Text: "Wrong tax\nSee shop/tax.py: it is last year's.",
			Gold: []string{"shop/tax.py"}, Lines: map[string][]int{"shop/tax.py": {6100}},
		},
		{
			ID: "two files", Kind: "commit-message", Text: "Round in shop/total.py and shop/stock.py.",
			Gold:  []string{"shop/total.py", "shop/stock.py"},
			Lines: map[string][]int{"shop/total.py": {2}, "shop/stock.py": {1, 3}},
		},
	}
	var b strings.Builder
	for _, p := range pairs {
		p.Repo, p.Lang, p.Base = "acme/shop", "Python", base
		line, err := json.Marshal(p)
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	s.pairs = filepath.Join(t.TempDir(), "pairs.jsonl")
	require.NoError(t, os.WriteFile(s.pairs, []byte(b.String()), 0o644))
	return s
}

// run runs tenon eval retrieval, and returns what it prints without times.
func (s evalStage) run(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errOut := tenon(t, "", append([]string{"eval", "retrieval", s.pairs, "--mirror", s.mirror}, args...)...)
	require.Equal(t, exitOK, code, errOut)
	require.Empty(t, errOut)
	return someTime.ReplaceAllString(out, "$1…")
}

var someTime = regexp.MustCompile(`(_ms_p\d\d=|_ms":)\d+(?:\.\d+)?`)

func TestEvalRetrievalPrintsItsFiguresInALineForEachBudget(t *testing.T) {
	t.Parallel()
	s := newEvalStage(t)
	line := func(tokens int) string {
		return fmt.Sprintf(`tokens=%d pairs=3 lines_any=66\.7 lines_all=66\.7 any=100\.0 all=100\.0 none=0\.0 `+
			`gold_share=[1-9]\d\.\d nameable=100\.0 oracle_solved=100\.0 rounds_mean=(?:0\.33|0\.67|1\.00) `+
			`tokens_mean=\d+ offered=0\.0 choose_tokens_mean=0 select_ms_p50=… select_ms_p95=…\n`, tokens)
	}
	require.Regexp(t, "^"+line(8000)+line(16_000)+line(24_000)+"$", s.run(t))
	require.Regexp(t, "^"+line(12_000)+"$", s.run(t, "--tokens", "12000", "--jobs", "1"))
	require.Regexp(t, "^"+line(9000)+line(7000)+"$", s.run(t, "--tokens", "9000,7000"), "in the order that is asked for")
	require.Contains(t, s.run(t, "--kind", "issue"), "pairs=2 lines_any=50.0 lines_all=50.0 any=100.0 ")
	require.Contains(t, s.run(t, "--repo", "acme/shop", "--lang", "Python"), "pairs=3 ")
	require.Contains(t, s.run(t, "--tokens", "1"), "any=0.0 all=0.0 none=100.0 gold_share=0.0 ", "nothing is so short")
}

func TestEvalRetrievalPrintsWhatBecameOfEachPair(t *testing.T) {
	t.Parallel()
	s := newEvalStage(t)
	lines := strings.Split(strings.TrimSpace(s.run(t, "--json", "--tokens", "8000,24000")), "\n")
	require.Len(t, lines, 6)
	require.Contains(t, lines[0], `{"budget":8000,"id":"named","repo":"acme/shop","lang":"Python","kind":"issue",`+
		`"offered":0,"chosen":[],"shown":[{"path":"shop/total.py",`)
	require.Contains(t, lines[0], `"nameable":true,"oracle_solved":true,"rounds":[],`)
	require.Contains(t, lines[1], `{"budget":24000,"id":"named",`)
	require.Contains(t, lines[2], `"lines_all":false,`)
	require.Contains(t, lines[2], `"oracle_solved":true,"rounds":[{"asks":["NEED: shop/tax.py"],`)
	require.Contains(t, lines[4], `{"budget":8000,"id":"two files",`)
	table := s.run(t, "--table")
	for _, row := range []string{"budget ", " issue ", " commit-message ", " Python ", " all ", " 16000 "} {
		require.Contains(t, table, row)
	}
}

func TestEvalRetrievalTakesAChoice(t *testing.T) {
	t.Parallel()
	s := newEvalStage(t)
	for _, choice := range []string{"none", "perfect", "0.2"} {
		out := s.run(t, "--tokens", "8000", "--choose", choice)
		require.Regexp(t, `^tokens=8000 pairs=3 lines_any=\d+\.\d lines_all=`, out, choice)
	}
}

func TestEvalRetrievalSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	s := newEvalStage(t)
	text := fileText(t, s.pairs)
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "pairs.jsonl")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
		return name
	}
	absent := strings.Repeat("0", 40)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"the pairs":          {[]string{}, "name one file with pairs"},
		"a mirror":           {[]string{s.pairs}, "--mirror is missing"},
		"the file of pairs":  {[]string{"no.jsonl", "--mirror", s.mirror}, "reading the pairs: open no.jsonl: "},
		"a pair that is one": {[]string{write(text + "{}\n"), "--mirror", s.mirror}, `line 4: a pair needs an "id"`},
		"pairs of that kind": {[]string{s.pairs, "--mirror", s.mirror, "--kind", "wish"}, "has no pairs of this kind"},
		"a repository": {
			[]string{write(strings.ReplaceAll(text, "acme/shop", "acme/mill")), "--mirror", s.mirror},
			"pair named: the mirror lacks acme/mill: " + filepath.Join(s.mirror, "acme+mill", "repo") + " ",
		},
		"the commit": {
			[]string{write(strings.ReplaceAll(text, s.base, absent)), "--mirror", s.mirror}, "has no commit " + absent,
		},
		"a file of the fix": {
			[]string{write(strings.ReplaceAll(text, "shop/stock.py", "shop/cash.py")), "--mirror", s.mirror},
			"pair two files: commit " + s.base + " has no such file that the fix changed: ",
		},
		"room":       {[]string{s.pairs, "--mirror", s.mirror, "--tokens", "8000,0"}, "--tokens must be at least 1, not 0"},
		"one budget": {[]string{s.pairs, "--mirror", s.mirror, "--tokens", "90,1,90"}, "--tokens has the same number twice"},
		"a choice":   {[]string{s.pairs, "--mirror", s.mirror, "--choose", "1.5"}, `--choose: a choice is "none", "perfect"`},
		"a job":      {[]string{s.pairs, "--mirror", s.mirror, "--jobs", "0"}, "--jobs must be at least 1, not 0"},
		"one format": {[]string{s.pairs, "--mirror", s.mirror, "--json", "--table"}, "[json table]"},
	} {
		code, out, errOut := tenon(t, "", append([]string{"eval", "retrieval"}, c.args...)...)
		require.Equal(t, exitUsage, code, name)
		require.Empty(t, out, name)
		require.Contains(t, errOut, c.want, name)
	}
}
