package ceiling

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/eval"
)

// commits are those of a repository, the oldest first, each on the one before. It is a Mirror.
type commits struct {
	t     *testing.T
	files []map[string]string
}

func (c commits) at(commit string) map[string]string {
	var n int
	_, err := fmt.Sscanf(commit, "commit %d", &n)
	require.NoError(c.t, err)
	return c.files[n]
}

func (c commits) Descendants(port.RepoRef, string) (iter.Seq[string], error) {
	var ids []string
	for i := range c.files[1:] {
		ids = append(ids, fmt.Sprint("commit ", i+1))
	}
	return slices.Values(ids), nil
}

func (c commits) FilesAt(_ port.RepoRef, commit string, names ...string) ([][]byte, error) {
	out := make([][]byte, len(names))
	for i, name := range names {
		if text, ok := c.at(commit)[name]; ok {
			out[i] = []byte(text)
		}
	}
	return out, nil
}

func (c commits) Open(_ port.RepoRef, commit string) (repo.Checkout, error) {
	w := bottest.New(c.t)
	return w.Repos.Open(c.t.Context(), w.GitHub.AddRepo("acme/shop", c.at(commit)).Ref(), "refs/heads/main", "")
}

// ceilingOf returns the result of an issue about the first of some commits, whose fix is the last.
func ceilingOf(t *testing.T, text string, tokens int, files ...map[string]string) Result {
	t.Helper()
	first, last := files[0], files[len(files)-1]
	pair := eval.Pair{ID: "one", Repo: "acme/shop", Base: "commit 0", Fix: fmt.Sprint("commit ", len(files)-1), Text: text}
	for name := range first {
		if first[name] != last[name] {
			pair.Gold = append(pair.Gold, name)
		}
	}
	slices.Sort(pair.Gold)
	var out Result
	err := Run(t.Context(), []eval.Pair{pair}, commits{t, files}, tokens, func(r Result) { out = r })
	require.NoError(t, err)
	return out
}

// with returns files with another text for one of them.
func with(files map[string]string, name, old, put string) map[string]string {
	out := map[string]string{}
	for k, v := range files {
		out[k] = v
	}
	out[name] = strings.Replace(out[name], old, put, 1)
	return out
}

func numbered(word string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s%d = %d\n", word, i+1, i+1)
	}
	return b.String()
}

func TestAFixOfLinesThatAreShownIsMade(t *testing.T) {
	t.Parallel()
	files := map[string]string{"total.py": "def total(items):\n    return sum(items)\n"}
	after := with(files, "total.py", "sum(items)", "sum(items, 0)")
	r := ceilingOf(t, "The sum in total.py is wrong", 24_000, files, after)
	require.Equal(t, Solved, r.Outcome, r.Why)
	require.Zero(t, r.Rounds)
	require.Equal(t, 1, r.Calls)
	require.Positive(t, r.Tokens)
}

func TestLinesThatAreNotShownAreAskedForFirst(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tax.txt": numbered("rate", 6_000)}
	after := with(files, "tax.txt", "rate5010 = 5010", "rate5010 = 0")
	r := ceilingOf(t, "See tax.txt: it is last year's", 24_000, files, after)
	require.Equal(t, Solved, r.Outcome, r.Why)
	require.Equal(t, 1, r.Rounds)
}

func TestAFixInMorePlacesThanCanBeAskedForIsOutOfRounds(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tax.txt": numbered("rate", 8000)}
	after := files
	for i := range 20 {
		after = with(after, "tax.txt", fmt.Sprintf("rate%d = ", 400*i+100), fmt.Sprintf("rate%d = 1 + ", 400*i+100))
	}
	r := ceilingOf(t, "See tax.txt", 3000, files, after)
	require.Equal(t, OutOfRounds, r.Outcome, r.Why)
	require.Equal(t, 3, r.Rounds)
	require.Contains(t, r.Why, "tax.txt: ")
}

func TestAFileBesideATokenIsReadOnly(t *testing.T) {
	t.Parallel()
	files := map[string]string{"keys.py": "token = \"ghp_" + "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx\"\nlimit = 1\n"}
	r := ceilingOf(t, "Raise the limit in keys.py", 24_000, files, with(files, "keys.py", "limit = 1", "limit = 2"))
	require.Equal(t, ReadOnly, r.Outcome, r.Why)
	require.Equal(t, "keys.py", r.Why)
}

func TestAFileThatNothingLeadsToIsNotNameable(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 9000 {
		files[fmt.Sprintf("deep/folder%d/of/some/longer/path/module%d.py", i%50, i)] = numbered("word", 30)
	}
	files["deep/folder7/of/some/longer/path/qq.py"] = "unheard = 1\n"
	r := ceilingOf(t, "It is broken", 3000, files, with(files, "deep/folder7/of/some/longer/path/qq.py", "= 1", "= 2"))
	require.Equal(t, NotNameable, r.Outcome, r.Why)
	require.Equal(t, "deep/folder7/of/some/longer/path/qq.py", r.Why)
}

func TestWhatTheBotDoesWrongIsNoFaultOfTheModel(t *testing.T) {
	t.Parallel()
	fix := [][]byte{[]byte("limit = 2\n")}
	a := attempt{pair: eval.Pair{Gold: []string{"a.py"}}, model: &model{},
		committed: &port.Upload{Changes: []port.Change{{Path: "a.py", Data: []byte("limit = 3\n")}}}}
	outcome, why := a.outcome(record.Record{}, errors.New("the disk is full"), fix)
	require.Equal(t, Uncommitted, outcome)
	require.Equal(t, "the disk is full", why)
	outcome, why = a.outcome(record.Record{}, nil, fix)
	require.Equal(t, Uncommitted, outcome)
	require.Contains(t, why, "the model was not asked")
	refused := record.Record{Applications: []record.Application{{Results: []record.Result{
		{Path: "a.py", Status: record.StatusFailed, Reason: "not found"}}}}}
	outcome, why = a.outcome(refused, nil, fix)
	require.Equal(t, Refused, outcome)
	require.Contains(t, why, "a.py: not found")
}

func TestTheFixIsTheCommitThatChangesTheLines(t *testing.T) {
	t.Parallel()
	base := map[string]string{"a.py": "def a():\n    x()\n\n\ndef b():\n    y()\n", "b.py": "b = 1\n"}
	other := with(base, "b.py", "1", "2")
	part := with(base, "a.py", "x()", "x(1)")
	whole := with(part, "a.py", "y()", "y(1)")
	more := with(whole, "a.py", "def b():", "def b(z):")
	pair := eval.Pair{ID: "one", Repo: "acme/shop", Base: "commit 0", Gold: []string{"a.py"},
		Lines: map[string][]int{"a.py": {2, 3, 6, 7}}}
	commit, before, after, err := fixOf(commits{t, []map[string]string{base, other, part, whole, more}}, pair)
	require.NoError(t, err)
	require.Equal(t, "commit 3", commit)
	require.Equal(t, base["a.py"], string(before[0]))
	require.Equal(t, whole["a.py"], string(after[0]))
	_, _, _, err = fixOf(commits{t, []map[string]string{base, other}}, pair)
	require.ErrorIs(t, err, errNoFix)
}

// Which of several equal lines was inserted, programs disagree on.
func TestALineThatMayHaveBeenInsertedElsewhereIsTheSameChange(t *testing.T) {
	t.Parallel()
	before, after := "a\n}\n}\nb\n", "a\n}\n}\n}\nb\n"
	for _, line := range []int{2, 3, 4} {
		require.Equal(t, map[int]bool{line: true}, changedLines(before, after, map[int]bool{line: true}))
		require.Equal(t, map[int]bool{line: true}, changedLines("a\n}\n}\n}\nb\n", "a\n}\n}\nb\n", map[int]bool{line: true}))
	}
}
