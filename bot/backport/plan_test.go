package backport

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// commit returns a commit of maria with a message, which has a time of its own.
func commit(sha, message string, at int, parents ...string) port.LoggedCommit {
	when := time.Date(2026, 5, 4, 3, 2, at, 0, time.UTC)
	return port.LoggedCommit{SHA: sha, Parents: parents, Message: message, Author: port.Author{Name: "Maria",
		Email: "m@x.example", When: when, User: port.User{ID: 7, Login: "maria"}}}
}

// pull returns the pull request 12 with some commits, which was merged by the first of a log.
func pull(commits []port.LoggedCommit, log ...port.LoggedCommit) Pull {
	p := Pull{Commits: commits, Log: log}
	p.Number, p.Title, p.MergeCommit = 12, "Be fast", log[0].SHA
	p.Head.SHA = commits[len(commits)-1].SHA
	return p
}

// rebasedAs returns n commits, oldest first, and the log of their rebase.
func rebasedAs(n int) (many, log []port.LoggedCommit) {
	log = []port.LoggedCommit{commit("r0", "Base", 0, "q")}
	for i := range n {
		many = append(many, commit(fmt.Sprintf("a%d", i+1), fmt.Sprint(i), i, fmt.Sprintf("a%d", i)))
		log = append([]port.LoggedCommit{commit(fmt.Sprintf("r%d", i+1), fmt.Sprint(i), i, fmt.Sprintf("r%d", i))}, log...)
	}
	return many, log
}

var two = []port.LoggedCommit{commit("a1", "One\n\nWhy.", 1, "b0"), commit("a2", "Two", 2, "a1")}

func shas(list []Commit) (all []string) {
	for _, c := range list {
		all = append(all, c.From+".."+c.SHA)
	}
	return all
}

func TestHowAPullRequestWasMergedIsReadFromItsCommits(t *testing.T) {
	t.Parallel()
	base := commit("b1", "Base", 9, "b0")
	for name, c := range map[string]struct {
		pull Pull
		want []string
	}{
		"a merge":  {pull(two, commit("m", "Merge", 20, "b1", "a2"), base), []string{"b0..a1", "a1..a2"}},
		"a squash": {pull(two, commit("s", "Be fast (#12)", 20, "b1"), base), []string{"b1..s"}},
		"a squash of one commit with its message": {pull(two[:1], commit("s", "One\n\nWhy.", 20, "b1"), base),
			[]string{"b1..s"}},
		"a rebase": {pull(two, commit("r2", "Two", 2, "r1"), commit("r1", "One\n\nWhy.\n", 1, "b1"), base),
			[]string{"b1..r1", "r1..r2"}},
		"a rebase of which the base had the first commit": {pull(two, commit("r2", "Two", 2, "b1"), base),
			[]string{"b1..r2"}},
		"a rebase of which the base had the last commit": {pull(two, commit("r1", "One\n\nWhy.", 1, "b1"), base),
			[]string{"b1..r1"}},
		"a push of the commits themselves": {pull(two, two[1], two[0], commit("b0", "Base", 0)),
			[]string{"b0..a1", "a1..a2"}},
		"a push of them and another one": {pull(two, commit("n", "Other", 20, "a2"), two[1], two[0]),
			[]string{"b0..a1", "a1..a2"}},
		"a push of a merge and another one": {pull(two, commit("n", "Other", 20, "m"),
			commit("m", "Merge", 19, "b1", "a2"), two[1], two[0], base), []string{"b0..a1", "a1..a2"}},
		"a merge of another branch that has it": {pull(two, commit("m", "Merge", 20, "b1", "c9"), base),
			[]string{"b0..a1", "a1..a2"}},
	} {
		list, ok := Plan(c.pull)
		require.True(t, ok, name)
		require.Equal(t, c.want, shas(list), name)
	}
}

// The base's last commit was copied into the pull request, with its author and time, before it was squashed.
func TestASquashCannotImitateARebase(t *testing.T) {
	t.Parallel()
	base := commit("b1", "Somebody's", 5, "b0")
	forged := []port.LoggedCommit{commit("a1", "Somebody's", 5, "b0"), commit("a2", "Be fast (#12)", 6, "a1")}
	list, ok := Plan(pull(forged, commit("s", "Be fast (#12)", 20, "b1"), base))
	require.True(t, ok)
	require.Equal(t, []string{"b1..s"}, shas(list))
	other := commit("s", "Be fast (#12)", 6, "b1")
	for _, change := range []func(*port.Author){
		func(a *port.Author) { a.Name = "Ann" }, func(a *port.Author) { a.Email = "a@x.example" },
	} {
		c := other
		change(&c.Author)
		list, _ = Plan(pull(forged, c, base))
		require.Equal(t, []string{"b1..s"}, shas(list))
	}
	list, _ = Plan(pull(forged, other, base))
	require.Equal(t, []string{"b0..b1", "b1..s"}, shas(list), "or the test says nothing")
	other.Committed = base.Author.When.Add(time.Hour)
	base.Committed = other.Committed.Add(-maxRebase)
	list, _ = Plan(pull(forged, other, base))
	require.Equal(t, []string{"b0..b1", "b1..s"}, shas(list), "committed together")
	base.Committed = base.Committed.Add(-time.Second)
	_, ok = Plan(pull(forged, other, base))
	require.False(t, ok, "all of the author's times were guessed")
	base.Committed = other.Committed
	forged[0].Parents = []string{"b1"}
	list, _ = Plan(pull(forged, other, base))
	require.Equal(t, []string{"b1..s"}, shas(list), "it was made from that commit")
}

func TestWhatIsNotClearIsNotBackported(t *testing.T) {
	t.Parallel()
	base := commit("b1", "Base", 9, "b0")
	merged := []port.LoggedCommit{two[0], commit("x", "Merge main", 3, "a1", "b1"), commit("a3", "Three", 4, "x")}
	many, log := rebasedAs(150)
	cut := pull(many, log[:100]...)
	unlisted := pull(many, log...)
	unlisted.Commits = many[:140]
	other := pull(two, commit("s", "Be fast (#12)", 20, "b1"), base)
	other.MergeCommit = "else"
	for name, p := range map[string]Pull{
		"no line, which was pushed with another one": pull(merged, commit("n", "Other", 20, "m"),
			commit("m", "Merge", 19, "b1", "a3"), merged[2], merged[1]),
		"no commit at all":                                   {},
		"another commit than that of the merge":              other,
		"three parents":                                      pull(two, commit("m", "Merge", 20, "b1", "a2", "c9"), base),
		"no parent":                                          pull(two, commit("m", "Merge", 20)),
		"more rebased commits than are listed":               cut,
		"more commits than are listed":                       unlisted,
		"a merge of another branch that has it, and no line": pull(merged, commit("m", "Merge", 20, "b1", "c9"), base),
	} {
		_, ok := Plan(p)
		require.False(t, ok, name)
	}
}

func TestACommitWithoutAMessageGetsASubject(t *testing.T) {
	t.Parallel()
	bare := commit(full("a"), "Tenon-Run: x", 1, "b0")
	list, ok := Plan(pull([]port.LoggedCommit{bare}, commit("m", "Merge", 20, "b1", bare.SHA)))
	require.True(t, ok)
	require.Equal(t, "Backport of aaaaaaa\n\n(cherry picked from commit "+full("a")+")\n", list[0].FullMessage())
	many, log := rebasedAs(MaxCommits + 1)
	many[0].Message, log[MaxCommits].Message = "", ""
	list, _ = Plan(pull(many, log...))
	require.Contains(t, list[0].Message, "\n* Backport of r1\n")
}

func TestAMergeThatSomebodySettledIsOneCommit(t *testing.T) {
	t.Parallel()
	base := commit("b1", "Base", 9, "b0")
	m := commit("m", "Merge", 20, "b1", "a2")
	for name, c := range map[string]struct {
		pull  Pull
		merge string
		want  []string
	}{
		"a merge": {pull(two, m, base), "m", []string{"b1..m"}},
		"a push of a merge and another one": {pull(two, commit("n", "Other", 21, "m"), m, two[1], two[0], base), "m",
			[]string{"b1..m"}},
		"a merge of another branch that merged it": {pull(two, commit("n", "Merge", 21, "b1", "c"), commit("c", "M", 20, "c1",
			"a2"), base), "c", []string{"c1..c"}},
		"a merge of another branch that has it": {pull(two, commit("m", "Merge", 20, "b1", "c9"), base), "m", nil},
	} {
		merge, ok := c.pull.Merge()
		require.True(t, ok, name)
		require.Equal(t, c.merge, merge.SHA, name)
		c.pull.Settled = true
		list, ok := Plan(c.pull)
		require.Equal(t, c.want != nil, ok, name)
		require.Equal(t, c.want, shas(list), name)
		for _, one := range list {
			require.True(t, one.Mainline)
			require.Equal(t, []string{"a1", "a2", c.merge}, one.Picked)
		}
	}
	for name, p := range map[string]Pull{
		"a squash":                         pull(two, commit("s", "Be fast (#12)", 20, "b1"), base),
		"a push of the commits themselves": pull(two, two[1], two[0]),
		"no commit at all":                 {},
	} {
		_, ok := p.Merge()
		require.False(t, ok, name)
	}
}

func TestWhatIsNoLineOrTooLongIsOneCommit(t *testing.T) {
	t.Parallel()
	base := commit("b1", "Base", 9, "b0")
	merged := []port.LoggedCommit{two[0], commit("x", "Merge main", 3, "a1", "b1"), commit("a3", "Three", 4, "x")}
	list, ok := Plan(pull(merged, commit("m", "Merge", 20, "b1", "a3"), base))
	require.True(t, ok)
	require.Equal(t, []Commit{{
		From: "b1", SHA: "m", Mainline: true, Message: "Be fast (#12)\n\n* One\n* Three", Picked: []string{"a1", "a3", "m"},
		Authors: []port.Author{person(two[0].Author)},
	}}, list)

	many, log := rebasedAs(MaxCommits + 1)
	list, ok = Plan(pull(many, log...))
	require.True(t, ok)
	require.Equal(t, []string{"r0..r11"}, shas(list))
	require.Equal(t, "r1", list[0].First)
	require.Len(t, list[0].Picked, MaxCommits+1)
	list, _ = Plan(pull(many, commit("m", "Merge", 20, "b1", "a11"), base))
	require.True(t, list[0].Mainline)
	list, _ = Plan(pull(many[:MaxCommits], commit("m", "Merge", 20, "b1", "a10"), base))
	require.Len(t, list, MaxCommits)

	p := pull(many, commit("m", "Merge", 20, "b1", "a11"), base)
	for i := range 300 {
		p.Commits = append([]port.LoggedCommit{commit(fmt.Sprint("z", i), "z", 0, "y", "z")}, p.Commits...)
		p.Commits = append(p.Commits, commit(fmt.Sprint("v", i), "v", 0, "y"))
	}
	list, _ = Plan(p)
	require.Len(t, list[0].Picked, maxListed+1)
	require.True(t, strings.HasSuffix(list[0].Message, "\n* v\n* …"))
}

func TestWhatIsMoreThanListedIsStillNamedByItsLastCommit(t *testing.T) {
	t.Parallel()
	many, log := rebasedAs(maxListed + 9)
	list, ok := Plan(pull(many, log...))
	require.True(t, ok)
	require.Len(t, list[0].Picked, maxListed+1)
	require.Equal(t, "r59", list[0].SHA)
	require.Equal(t, "r59", list[0].Picked[maxListed])
}
