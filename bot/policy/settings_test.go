package policy

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

var update = flag.Bool("update", false, "write the table of settings in docs/configuration.md")

func TestTheDefaults(t *testing.T) {
	t.Parallel()
	require.Equal(t, Policy{
		Who: port.PermissionWrite, Label: "tenon", CI: FollowCI, NewLines: ShowNew,
		Bounds: Bounds{Files: 200, Blocks: 200, Tokens: 168_000, CodeTokens: 24_000},
		Budget: port.Limits{UserCommands: 20, RepositoryCommands: 60, RepositoryTokens: 3_000_000, OwnerTokens: 40_000_000},
	}, DefaultPolicy())
}

// A value changes what is shown of its setting and of no other: each row has a field of the policy to itself.
func TestEachSettingHasAFieldOfItsOwn(t *testing.T) {
	t.Parallel()
	all := layer(t, everySetting)
	before := DefaultPolicy().Shown()
	require.Len(t, before, len(settings))
	for i, s := range settings {
		require.Equal(t, s.name, before[i].Key)
		one := Layer{map[string]given{s.name: all.values[s.name]}}
		for j, row := range DefaultPolicy().Under(Repository, one).Shown() {
			require.Equal(t, i == j, row != before[j], "%s changes %s", s.name, row.Key)
		}
	}
}

func TestEverySettingAsPeopleReadIt(t *testing.T) {
	t.Parallel()
	values := func(p Policy) (out []string) {
		for _, row := range p.Shown() {
			out = append(out, row.Key+": "+row.Value)
		}
		return out
	}
	require.Equal(t, []string{
		"enabled: `true`", "verbs: all", "who: `write`", "apps: none", "models: all that the server has",
		"model: the first that is allowed",
		"format: what suits the model", "retrieval: `choose`", "choose_model: the one that is asked to edit or answer",
		"label: `tenon`",
		"strangers: `preview` in public repositories, `commit` in private ones", "backport_labels: `ignore`",
		"notify: `requester`", "ready: `refuse`",
		"base: the default branch",
		"partial: `commit`",
		"syntax: `refuse`", "unchecked: `commit`", "unusual: `refuse`", "caution: `show`", "resolve.new: `show`",
		"commits: `verified`", "verify: none",
		"line_endings: `keep`", "protected: the built-in ones", "ignore: the built-in ones",
		"secret_files: the built-in ones", "instructions: none",
		"ci: `follow`", "autofix: `off`",
		"limits.files: 200", "limits.blocks: 200", "limits.tokens: 168,000", "limits.code_tokens: 24,000",
		"budget.user.commands: 20 a day",
		"budget.repository.commands: 60 a day", "budget.repository.tokens: 3,000,000 a day",
		"budget.organisation.tokens: 40,000,000 a month",
	}, values(DefaultPolicy()))
	require.Equal(t, []string{
		"enabled: `false`", "verbs: `fix`, `help`", "who: `maintain`", "apps: `scribe`, `dictate-it`",
		"models: `fast`, `openai/gpt-5`", "model: `fast`",
		"format: `diff`", "retrieval: `rank`", "choose_model: `openai/gpt-5`",
		"label: `please fix`", "strangers: `commit`", "backport_labels: `allow`", "notify: `none`", "ready: `allow`",
		"base: `develop`", "partial: `hold`", "syntax: `warn`", "unchecked: `refuse`",
		"unusual: `mark`", "caution: `hold`", "resolve.new: `refuse`",
		"commits: `push`", "verify: `verify.yml`",
		"line_endings: `lf`", "protected: the built-in ones, `db/migrations/**`, `*.sql`",
		"ignore: the built-in ones, `testdata`",
		"secret_files: the built-in ones, `ops/*.cfg`",
		"instructions: 3 words", "ci: `mention`", "autofix: `2 rounds`",
		"limits.files: 5", "limits.blocks: 20", "limits.tokens: 90,000", "limits.code_tokens: 12,000",
		"budget.user.commands: 5 a day",
		"budget.repository.commands: 30 a day", "budget.repository.tokens: 1,000,000 a day",
		"budget.organisation.tokens: 9,000,000 a month",
	}, values(DefaultPolicy().Under(Repository, layer(t, everySetting))))
	require.Contains(t, values(Policy{Instructions: []Instruction{{Text: "Hush."}}}), "instructions: 1 word")
	require.Contains(t, values(Policy{Autofix: 1}), "autofix: `1 round`")
	require.Contains(t, values(Policy{}), "label: none")
	require.Contains(t, values(Policy{Verbs: []string{}}), "verbs: none")
}

func TestALongListIsShownInPart(t *testing.T) {
	t.Parallel()
	words := strings.Split(strings.Repeat("a|b ", 22), " ")[:22]
	require.Equal(t, strings.Repeat("`a|b`, ", 20)+"… and 2 more", WordsOr(words, ""))
	require.Equal(t, strings.Repeat("`a|b`, ", 19)+"`a|b`", WordsOr(words[:20], ""))
	require.Equal(t, "`"+strings.Repeat("x", 99)+"…`", WordsOr([]string{strings.Repeat("x", 101)}, ""))
	require.Equal(t, "nothing else", WordsOr(nil, "nothing else"))
}

// The page on configuration has the rows of the table of settings, in its order, and no others. With -update, they are
// written to it.
func TestThePageOnConfigurationHasEverySetting(t *testing.T) {
	t.Parallel()
	const page = "../../docs/configuration.md"
	table := "| key | meaning | default | a lower file can |\n|---|---|---|---|\n"
	for i, row := range DefaultPolicy().Shown() {
		s := settings[i]
		table += fmt.Sprintf("| `%s` | %s | %s | %s |\n", s.name, s.about, row.Value, s.value.lower())
	}
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "\n## Settings\n\n")
	require.True(t, found)
	_, after, _ := strings.Cut(rest, "\n\n")
	want := before + "\n## Settings\n\n" + table + "\n" + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "go test ./bot/policy -update writes the table")
}

func TestThePageNamesTheCommandsThatWorkAlways(t *testing.T) {
	t.Parallel()
	verbs, ok := settingNamed("verbs")
	require.True(t, ok)
	for _, c := range command.All() {
		require.Equal(t, c.AlwaysAllowed, strings.Contains(verbs.about, "`"+c.Verb+"`"), c.Verb)
	}
}
