package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// oracleStage is a mirror with one repository and a file with pairs whose fixes are commits of it.
type oracleStage struct{ mirror, pairs string }

func newOracleStage(t *testing.T) oracleStage {
	t.Helper()
	r := gittest.New(t).Create(t, "acme/shop")
	shelves := strings.Repeat("    count += 1\n", 5_500)
	files := map[string]string{
		"shop/total.py": "def total(items):\n    return sum(items)\n",
		"shop/stock.txt": "def stock():\n    count = 0\n" + shelves + "    the_last_count = 1\n" +
			strings.Repeat("    count += 1\n", 100),
		"shop/keys.py": "token = \"ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx\"\nlimit = 1\n",
	}
	base := r.Commit("main", gittest.Files(files))
	change := func(name, old, put string) {
		require.Contains(t, files[name], old)
		files[name] = strings.Replace(files[name], old, put, 1)
		r.Commit("main", gittest.Files(files))
	}
	change("shop/total.py", "sum(items)", "sum(items, 0)")
	change("shop/stock.txt", "the_last_count = 1", "the_last_count = 2")
	change("shop/keys.py", "limit = 1", "limit = 2")
	s := oracleStage{mirror: t.TempDir(), pairs: filepath.Join(t.TempDir(), "pairs.jsonl")}
	require.NoError(t, os.Mkdir(filepath.Join(s.mirror, "acme+shop"), 0o755))
	require.NoError(t, os.Rename(r.Dir, filepath.Join(s.mirror, "acme+shop", "repo")))
	var b strings.Builder
	for _, p := range []eval.Pair{
		{ID: "shown", Kind: "issue", Text: "Wrong total\nSee shop/total.py.", Gold: []string{"shop/total.py"},
			Lines: map[string][]int{"shop/total.py": {2, 3}}},
		{ID: "far down", Kind: "issue", Text: "Wrong stock\nSee shop/stock.txt.", Gold: []string{"shop/stock.txt"},
			Lines: map[string][]int{"shop/stock.txt": {5_503, 5_504}}},
		{ID: "beside a token", Kind: "wish", Text: "Raise the limit\nSee shop/keys.py.", Gold: []string{"shop/keys.py"},
			Lines: map[string][]int{"shop/keys.py": {2, 3}}},
		{ID: "never fixed", Kind: "wish", Text: "Wrong total\nSee shop/total.py.", Gold: []string{"shop/total.py"},
			Lines: map[string][]int{"shop/total.py": {1}}},
	} {
		p.Repo, p.Lang, p.Base = "acme/shop", "Python", base
		line, err := json.Marshal(p)
		require.NoError(t, err)
		b.Write(append(line, '\n'))
	}
	require.NoError(t, os.WriteFile(s.pairs, []byte(b.String()), 0o644))
	return s
}

func (s oracleStage) run(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errOut := tenon(t, "", append([]string{"eval", "--oracle", s.pairs, "--mirror", s.mirror}, args...)...)
	require.Equal(t, exitOK, code, errOut)
	require.Empty(t, errOut)
	return out
}

func TestEvalOraclePrintsWhatNoModelCouldSolve(t *testing.T) {
	t.Parallel()
	s := newOracleStage(t)
	out := s.run(t)
	require.Regexp(t, `^pairs=3 solved=66\.7 solved_low=20\.8 solved_high=93\.9 refused=0\.0 different=0\.0 `+
		`uncommitted=0\.0 read_only=33\.3 `+
		`not_nameable=0\.0 out_of_rounds=0\.0 not_shown=0\.0 rounds_mean=0\.33 tokens_mean=\d+ no_fix=1\n`, out)
	require.Contains(t, out, "\nbeside a token: read-only: shop/keys.py\n")
	require.Contains(t, out, "\nnever fixed: no fix: no later commit changes these lines\n")
	require.NotContains(t, out, "shown:")
}

func TestEvalOraclePrintsWhatBecameOfEachPair(t *testing.T) {
	t.Parallel()
	s := newOracleStage(t)
	lines := strings.Split(strings.TrimSpace(s.run(t, "--json", "--kind", "issue")), "\n")
	require.Len(t, lines, 2)
	require.Regexp(t, `^\{"id":"shown",.*"fix":"[0-9a-f]{40}","outcome":"solved","rounds":0,"calls":1,`, lines[0])
	require.Regexp(t, `^\{"id":"far down",.*"outcome":"solved","rounds":1,"calls":2,`, lines[1])
	table := s.run(t, "--table")
	for _, text := range []string{"read-only", " issue ", " wish ", " Python ", " all "} {
		require.Contains(t, table, text)
	}
}

func TestEvalOracleSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	s := newOracleStage(t)
	for want, args := range map[string][]string{
		"--mirror is missing":                                {"--oracle", s.pairs},
		"--tokens must be at least 1":                        {"--oracle", s.pairs, "--mirror", s.mirror, "--tokens", "0"},
		"reading the pairs: open no.jsonl: ":                 {"--oracle", "no.jsonl", "--mirror", s.mirror},
		"pair shown: the mirror lacks acme/shop: ":           {"--oracle", s.pairs, "--mirror", t.TempDir()},
		"has no pairs of this kind, language and repository": {"--oracle", s.pairs, "--mirror", s.mirror, "--lang", "Go"},
	} {
		code, _, errOut := tenon(t, "", append([]string{"eval"}, args...)...)
		require.Equal(t, exitUsage, code, want)
		require.Contains(t, errOut, want)
	}
}
