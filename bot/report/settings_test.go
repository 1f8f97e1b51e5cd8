package report

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

const mainSHA = "3333333333333333333333333333333333333333"

var latheRepo = port.RepoRef{ID: 3, Owner: "acme", Name: "lathe"}

// settingsOf shows a policy on a page of the repository.
func settingsOf(p policy.Policy) Settings {
	return Settings{Policy: p, Links: links.Of(aFix().Event.Thread)}
}

// withFiles is a policy whose layers are the files of the organisation and of the repository.
func withFiles(p policy.Policy) policy.Policy {
	p.Files = map[policy.Origin]policy.SettingsFile{
		policy.Organisation: {Repo: port.RepoRef{Owner: "acme", Name: ".github"}, SHA: headSHA},
		policy.Repository:   {Repo: latheRepo, SHA: mainSHA},
	}
	return p
}

func server(line int) policy.Mark       { return policy.Mark{Origin: policy.Server, Line: line} }
func organisation(line int) policy.Mark { return policy.Mark{Origin: policy.Organisation, Line: line} }
func repository(line int) policy.Mark   { return policy.Mark{Origin: policy.Repository, Line: line} }

// everySetting is a policy in which each setting that a repository can change is changed.
func everySetting() policy.Policy {
	p := withFiles(policy.DefaultPolicy())
	p.Verbs, p.Who, p.Models, p.Model = []string{"fix"}, port.PermissionMaintain, []string{"fast", "slow"}, "slow"
	p.Format, p.Label, p.Base = "diff", "please fix", "next"
	p.Hold, p.WarnOnly, p.Push, p.LineFeeds, p.Quiet, p.Ready = true, true, true, true, true, true
	p.Protected, p.Ignore = []string{"db/**", "api|v1/*.go", "`x`"}, []string{"*.csv"}
	p.Instructions = []policy.Instruction{
		{Origin: policy.Organisation, Text: "Write British English."}, {Origin: policy.Repository, Text: "Be brief, please."},
	}
	p.CI, p.Autofix = policy.MentionCI, 2
	p.Bounds.Files = 5
	p.Budget.UserCommands, p.Budget.RepositoryTokens = 50, 900_000
	p.Marks = map[string][]policy.Mark{
		"verbs": {organisation(3), repository(1)}, "who": {organisation(2)}, "models": {organisation(6)},
		"model": {repository(4)}, "format": {repository(5)}, "label": {repository(6)}, "base": {repository(7)},
		"partial": {organisation(9)}, "syntax": {organisation(8)},
		"commits": {repository(8)}, "line_endings": {repository(9)}, "notify": {repository(19)}, "ready": {organisation(11)},
		"protected": {organisation(10), repository(10)}, "ignore": {organisation(12)},
		"instructions": {organisation(14), repository(13)}, "ci": {repository(20)}, "autofix": {organisation(16)},
		"limits.files": {repository(15)}, "budget.user.commands": {server(9)}, "budget.repository.tokens": {repository(18)},
	}
	p.Problems = []policy.Problem{
		{Source: policy.Repository, Line: 20, Text: "there is no setting <b>colour</b> @maria; there are enabled and verbs"},
		{Source: policy.Repository, Line: 3,
			Text: "who: the organisation asks for maintain, and write is less, so this is ignored"},
	}
	return p
}

// brokenSettings is a policy whose file has a problem that closes.
func brokenSettings() policy.Policy {
	p := withFiles(policy.DefaultPolicy())
	p.Disabled = true
	p.Budget.UserCommands = 50
	p.Marks = map[string][]policy.Mark{"enabled": {repository(2)}, "budget.user.commands": {server(9)}}
	p.Problems = []policy.Problem{{
		Source: policy.Repository, Line: 3, Text: "who must be write, maintain or admin, not \"`boss\"", Closes: true,
	}}
	p.Unread = "There is a repository `acme/.github`."
	return p
}

func TestConfigShowsEachValueAndWhereItComesFrom(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]policy.Policy{
		"default": policy.DefaultPolicy(), "every": everySetting(), "broken": brokenSettings(),
	} {
		text := settingsOf(p).Body(latheRepo)
		page(t, text)
		file := "testdata/config/" + name + ".md"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o644)) //nolint:gosec // a golden file
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), text+"\n", name)
	}
}

func TestConfigFoldsTheSettingsThatHaveTheirDefaultValues(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]policy.Policy{
		"default": policy.DefaultPolicy(), "every": everySetting(), "server": {Models: []string{"fast"}},
	} {
		shown, folded, found := strings.Cut(settingsOf(p).Body(latheRepo), "<details>")
		require.True(t, found, name)
		rows := p.Shown()
		require.NotEmpty(t, rows)
		for _, row := range rows {
			require.NotEmpty(t, row.Value, row.Key)
			require.Equal(t, row.Changed, strings.Contains(shown, "\n- `"+row.Key+"`: "+row.Value+" · "), row.Key)
			require.Equal(t, !row.Changed, strings.Contains(folded, "\n- `"+row.Key+"`: "+row.Value+"\n"), row.Key)
		}
	}
}

func TestTheSettingsOfAHugeFileStillFitIntoAnAnswer(t *testing.T) {
	t.Parallel()
	var words []string
	for range 100 {
		words = append(words, strings.Repeat("|", 200))
	}
	p := everySetting()
	p.Protected, p.Ignore, p.Models = words, words, words
	for range 1000 {
		p.Problems = append(p.Problems, policy.Problem{Source: policy.Repository, Line: 1, Text: strings.Repeat("`", 5000)})
	}
	require.Less(t, len(settingsOf(p).Body(latheRepo)), bodyRoom)
}

func TestTheLongestNamesAndTheWorstProblemsFitToo(t *testing.T) {
	t.Parallel()
	var list []string
	for range 200 {
		list = append(list, strings.Repeat("|", 100))
	}
	p := policy.Policy{
		Verbs: list, Models: list, Protected: list, Ignore: list,
		Marks: map[string][]policy.Mark{},
		Files: map[policy.Origin]policy.SettingsFile{policy.Repository: {
			Repo: port.RepoRef{Owner: strings.Repeat("o", 39), Name: strings.Repeat("n", 100)}, SHA: mainSHA,
		}},
	}
	for _, row := range p.Shown() {
		p.Marks[row.Key] = []policy.Mark{repository(1000), repository(1000)}
	}
	for range 200 {
		p.Problems = append(p.Problems, policy.Problem{
			Source: policy.Repository, Line: 1000, Text: strings.Repeat("`|a ", 200),
		})
	}
	body := settingsOf(p).Body(latheRepo)
	require.Less(t, utf8.RuneCountInString(body), bodyRoom)
	require.Contains(t, body, "\n- … and 180 more")
}

// These are the links in the refusals of a command that the settings forbid.
func TestASettingIsNamedByItsLine(t *testing.T) {
	t.Parallel()
	p := brokenSettings()
	p.Marks["verbs"] = []policy.Mark{organisation(4)}
	s := settingsOf(p)
	const site = "https://github.example/acme/"
	require.Equal(t, "[the repository's settings, line 2]("+site+"lathe/blob/"+mainSHA+"/.github/tenon.yml#L2)",
		s.Sources("enabled"))
	require.Equal(t, "[the organisation's settings, line 4]("+
		site+".github/blob/"+headSHA+"/.github/tenon.yml#L4)", s.Sources("verbs"))
	require.Equal(t, "the server's settings", s.Sources("budget.user.commands"))
	require.Equal(t, "default", s.Sources("who"))
	require.Equal(t, "[`.github/tenon.yml` of `acme/lathe`, line 3]("+site+"lathe/blob/"+mainSHA+
		"/.github/tenon.yml#L3): who has no value",
		s.Problem(policy.Problem{Source: policy.Repository, Line: 3, Text: "who has no value", Closes: true}))
	require.Equal(t, "[`.github/tenon.yml` of `acme/lathe`]("+
		site+"lathe/blob/"+mainSHA+"/.github/tenon.yml): it is no YAML",
		s.Problem(policy.Problem{Source: policy.Repository, Text: "it is no YAML"}))
	require.Equal(t, "the server: who has no value",
		s.Problem(policy.Problem{Source: policy.Server, Line: 3, Text: "who has no value"}))
}
