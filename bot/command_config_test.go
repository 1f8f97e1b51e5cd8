package bot

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// configSession is a session in a repository whose settings are what the layers came to.
func configSession(p Policy) *session {
	return &session{Bot: &Bot{Slug: "tenon"}, journal: journalOf(Run{}), policy: p, ev: Event{
		Repo: RepoRef{ID: 3, Owner: "acme", Name: "lathe"}, Thread: Thread{Number: 12, Pull: true, URL: "https://github.example/acme/lathe/pull/12"},
	}}
}

func settled(organisation, repository Layer, problems ...Problem) Policy {
	p := ServerPolicy(Layer{UserCommands: set[int64](50, 9)})
	p = withFile(p, Organisation, settings{found: true, file: SettingsFile{RepoRef{Owner: "acme", Name: ".github"}, headSHA}, layer: organisation})
	return withFile(p, Repository, settings{found: true, file: SettingsFile{RepoRef{Owner: "acme", Name: "lathe"}, mainSHA}, layer: repository, problems: problems})
}

func TestConfigShowsEachValueAndWhereItComesFrom(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]Policy{
		"default": DefaultPolicy(),
		"every": settled(Layer{
			Who: set(PermissionMaintain, 2), Verbs: list(3, "fix", "ask"), Models: list(6, "fast", "slow"), Hold: set(true, 9), Protected: list(10, "db/**"), Ignore: list(12, "*.csv"),
			Instructions: set("Write British English.", 14), Autofix: set(2, 16), Files: set(20, 18),
		}, Layer{
			Verbs: list(1, "fix"), Who: set(PermissionWrite, 3), Model: set("slow", 4), Format: set("diff", 5), Label: set("please fix", 6), Base: set("next", 7), Push: set(true, 8), LineFeeds: set(true, 9),
			Protected: list(10, "api|v1/*.go", "`x`"), Instructions: set("Be brief, please.", 13), Files: set(5, 15), RepositoryTokens: set[int64](900_000, 18),
		}, Problem{Line: 20, Text: "there is no setting <b>colour</b> @maria; there are enabled and verbs"}),
		"broken": func() Policy {
			p := settled(Layer{}, Layer{Enabled: set(false, 2)}, Problem{Line: 3, Text: "who must be write, maintain or admin, not \"`boss\"", Closes: true})
			p.Unread = "There is a repository `acme/.github`."
			return p
		}(),
	} {
		text := configSession(p).settings().body(RepoRef{Owner: "acme", Name: "lathe"})
		file := "testdata/config/" + name + ".md"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(text+"\n"), 0o644)) //nolint:gosec // a golden file
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), text+"\n", name)
	}
}

func TestConfigShowsEverySetting(t *testing.T) {
	t.Parallel()
	var keys, shown []string
	for _, k := range policyKeys {
		keys = append(keys, k.name)
	}
	for _, s := range DefaultPolicy().shown() {
		shown = append(shown, s.key)
		require.NotEmpty(t, s.value)
	}
	require.Equal(t, keys, shown)
}

func TestTheSettingsOfAHugeFileStillFitIntoAnAnswer(t *testing.T) {
	t.Parallel()
	var problems []Problem
	for range 1000 {
		problems = append(problems, Problem{Line: 1, Text: strings.Repeat("`", 5000)})
	}
	words := make([]string, 50)
	for i := range words {
		words[i] = strings.Repeat("|", 200)
	}
	l := Layer{Protected: list(1, words...), Ignore: list(1, words...), Models: list(1, words...)}
	require.Less(t, len(configSession(settled(l, l, problems...)).settings().body(RepoRef{Owner: "acme", Name: "lathe"})), bodyRoom)
}

func TestTheLongestNamesAndTheWorstProblemsFitToo(t *testing.T) {
	t.Parallel()
	var list []string
	for range 200 {
		list = append(list, strings.Repeat("|", 100))
	}
	p := Policy{Verbs: list, Models: list, Protected: list, Ignore: list, Marks: map[string][]Mark{}, Files: map[Origin]SettingsFile{
		"repository": {Repo: RepoRef{Owner: strings.Repeat("o", 39), Name: strings.Repeat("n", 100)}, SHA: mainSHA},
	}}
	for _, row := range p.shown() {
		p.Marks[row.key] = []Mark{{"repository", 1000}, {"repository", 1000}}
	}
	for range 200 {
		p.Problems = append(p.Problems, Problem{Source: "repository", Line: 1000, Text: strings.Repeat("`|a ", 200)})
	}
	require.Less(t, utf8.RuneCountInString(configSession(p).settings().body(RepoRef{Owner: "acme", Name: "lathe"})), bodyRoom)
}

func TestWhatTheSettingsForbidIsRefusedWithTheLine(t *testing.T) {
	t.Parallel()
	fix, help := Command{Verb: "fix"}, Command{Verb: "help"}
	for want, p := range map[string]Policy{
		"tenon is switched off here by [the repository, line 2](https://github.example/acme/lathe/blob/" + mainSHA + "/.github/tenon.yml#L2), so nothing was done. `/tenon config` shows the settings that hold.":                                                                                  settled(Layer{}, Layer{Enabled: set(false, 2)}),
		"`/tenon fix` is not allowed here: [the organisation, line 4](https://github.example/acme/.github/blob/" + headSHA + "/.github/tenon.yml#L4) allows `ask`. `/tenon help` and `/tenon config` work always.":                                                                                 settled(Layer{Verbs: list(4, "ask")}, Layer{}),
		"tenon does nothing here until its settings can be read: [`.github/tenon.yml` of `acme/lathe`, line 3](https://github.example/acme/lathe/blob/" + mainSHA + "/.github/tenon.yml#L3): who has no value. Mend it there and give the command again; `/tenon config` shows all that is wrong.": settled(Layer{}, Layer{}, Problem{Line: 3, Text: "who has no value", Closes: true}),
	} {
		s := configSession(p)
		require.EqualError(t, s.permits(fix), want)
		require.NoError(t, s.permits(help))
	}
	require.NoError(t, configSession(DefaultPolicy()).permits(fix))
	require.NoError(t, configSession(settled(Layer{}, Layer{}, Problem{Line: 3, Text: "there is no setting x"})).permits(fix))
}
