package config_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
)

const everySetting = `# of the lathe
enabled: true
verbs: [fix, help]
who: maintain
model: fast
models:
  - fast
  - openai/gpt-5
format: diff
label: "please fix"
base: develop
partial: hold
commits: push
line_endings: lf
protected: [db/migrations/**, "*.sql"]
ignore: [testdata]
instructions: |
  Write British English.
autofix: 2
limits: {files: 5, blocks: 20, tokens: 90_000}
budget:
  user: {commands: 5}
  repository: {commands: 30, tokens: 1_000_000}
  organisation: {tokens: 9_000_000}
`

func TestEverySettingOfARepository(t *testing.T) {
	t.Parallel()
	l, problems := config.ParseLayer([]byte(everySetting))
	require.Empty(t, problems)
	require.Equal(t, policy.Layer{
		Enabled:            policy.Setting[bool]{Value: true, Set: true, Line: 2},
		Verbs:              policy.Setting[[]policy.Word]{Value: []policy.Word{{Text: "fix", Line: 3}, {Text: "help", Line: 3}}, Set: true, Line: 3},
		Who:                policy.Setting[port.Permission]{Value: port.PermissionMaintain, Set: true, Line: 4},
		Model:              policy.Setting[string]{Value: "fast", Set: true, Line: 5},
		Models:             policy.Setting[[]policy.Word]{Value: []policy.Word{{Text: "fast", Line: 7}, {Text: "openai/gpt-5", Line: 8}}, Set: true, Line: 7},
		Format:             policy.Setting[string]{Value: "diff", Set: true, Line: 9},
		Label:              policy.Setting[string]{Value: "please fix", Set: true, Line: 10},
		Base:               policy.Setting[string]{Value: "develop", Set: true, Line: 11},
		Hold:               policy.Setting[bool]{Value: true, Set: true, Line: 12},
		Push:               policy.Setting[bool]{Value: true, Set: true, Line: 13},
		LineFeeds:          policy.Setting[bool]{Value: true, Set: true, Line: 14},
		Protected:          policy.Setting[[]policy.Word]{Value: []policy.Word{{Text: "db/migrations/**", Line: 15}, {Text: "*.sql", Line: 15}}, Set: true, Line: 15},
		Ignore:             policy.Setting[[]policy.Word]{Value: []policy.Word{{Text: "testdata", Line: 16}}, Set: true, Line: 16},
		Instructions:       policy.Setting[string]{Value: "Write British English.\n", Set: true, Line: 17},
		Autofix:            policy.Setting[int]{Value: 2, Set: true, Line: 19},
		Files:              policy.Setting[int]{Value: 5, Set: true, Line: 20},
		Blocks:             policy.Setting[int]{Value: 20, Set: true, Line: 20},
		Tokens:             policy.Setting[int64]{Value: 90_000, Set: true, Line: 20},
		UserCommands:       policy.Setting[int64]{Value: 5, Set: true, Line: 22},
		RepositoryCommands: policy.Setting[int64]{Value: 30, Set: true, Line: 23},
		RepositoryTokens:   policy.Setting[int64]{Value: 1_000_000, Set: true, Line: 23},
		OwnerTokens:        policy.Setting[int64]{Value: 9_000_000, Set: true, Line: 24},
	}, l)
}

func TestAnEmptyFileSaysNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing yet\n", "---\n", "~\n", "{}\n"} {
		l, problems := config.ParseLayer([]byte(text))
		require.Empty(t, problems, text)
		require.Equal(t, policy.Layer{}, l, text)
	}
}

// What is wrong has its line, and closes where a restriction could hide in it.
func TestASettingThatCannotBeReadIsAProblemWithItsLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file   string
		line   int
		text   string
		closes bool
	}{
		{"\nprotectd: [a]\n", 2, "there is no setting protectd; did you mean protected?", true},
		{"labl: bot\n", 1, "there is no setting labl; did you mean label?", false},
		{"colour: red\n", 1, "there is no setting colour; there are enabled, verbs,", false},
		{"limits: {flies: 3}\n", 1, "there is no setting limits.flies; did you mean limits.files?", true},
		{"who: write\nwho: admin\n", 2, "who stands here for the second time", true},
		{"label: a\nlabel: b\n", 2, "label stands here for the second time", false},
		{"who: admn\n", 1, `who must be write, maintain or admin, not "admn"`, true},
		{"who: [admin]\n", 1, "who must be one value", true},
		{"who:\n", 1, "who has no value", true},
		{"enabled: no\n", 1, `enabled must be true or false, not "no"`, true},
		{"verbs: fix\n", 1, "verbs must be a list", true},
		{"verbs:\n  - fix\n  - helpp\n", 3, `verbs has an item "helpp", which is no command; did you mean help?`, false},
		{"protected:\n  - a\n  - '!b'\n", 3, "nothing can be taken out again", true},
		{"protected: ['[']\n", 1, "is no valid pattern", true},
		{"ignore: [[a]]\n", 1, "which is no text", true},
		{"ignore: [" + strings.Repeat("a,", 51) + "]\n", 1, "ignore has more than 50 items", true},
		{"models: [a b]\n", 1, "is no name of a model", false},
		{"format: xml\n", 1, "format must be one of", false},
		{"base: a..b\n", 1, "base must be the name of a branch", false},
		{"label: ' x'\n", 1, "label must be", false},
		{"partial: maybe\n", 1, "partial must be hold or commit", true},
		{"autofix: 9\n", 1, "autofix must be off, or a number of rounds from 1 to 5", true},
		{"limits: 5\n", 1, "limits must have files, blocks and tokens below it", true},
		{"limits:\n  files: 0\n", 2, "limits.files must be a whole number from 1 to 200", true},
		{"limits:\n  blocks: 201\n", 2, "limits.blocks must be a whole number from 1 to 200", true},
		{"budget:\n  user: 5\n", 2, "budget.user must have commands below it", true},
		{"budget: {user: {commands: 1.5}}\n", 1, "budget.user.commands must be a whole number", true},
		{"instructions: " + strings.Repeat("x", 4001) + "\n", 1, "instructions has 4001 bytes", false},
		{"a: &a [1]\nprotected: *a\n", 2, "protected must be a list", true},
		{"? {a: b}\n: c\n", 1, "there is no setting", false},
		{"<<: {who: admin}\n", 1, "there is no setting <<", false},
	} {
		_, problems := config.ParseLayer([]byte(c.file))
		require.NotEmpty(t, problems, c.file)
		p := problems[len(problems)-1]
		require.Contains(t, p.Text, c.text)
		require.Equal(t, c.line, p.Line, c.file)
		require.Equal(t, c.closes, p.Closes, c.file)
	}
}

func TestAFileThatIsNoYAMLCloses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		line int
		text string
	}{
		{"who: admin\nlabel: 'x\n", 2, "is not valid YAML"},
		{"- a\n", 0, "is not a list of settings"},
		{"who: admin\n---\nwho: write\n", 0, "more than one document"},
		{"#" + strings.Repeat("x", 64<<10), 0, "larger than 64 KiB"},
		{"label: \xff\n", 0, "is not text in UTF-8"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", 0, "is not a list of settings"},
	} {
		l, problems := config.ParseLayer([]byte(c.file))
		require.Len(t, problems, 1, c.file)
		require.True(t, problems[0].Closes)
		require.Contains(t, problems[0].Text, c.text)
		require.Equal(t, c.line, problems[0].Line, c.file)
		require.Equal(t, policy.Layer{}, l)
	}
}

func TestWhatIsRightBesideAMistakeHolds(t *testing.T) {
	t.Parallel()
	l, problems := config.ParseLayer([]byte("who: admin\nwhat: 3\nprotected: [db, '!x', api]\n"))
	require.Len(t, problems, 2)
	require.Equal(t, port.PermissionAdmin, l.Who.Value)
	require.Equal(t, []policy.Word{{Text: "db", Line: 3}, {Text: "api", Line: 3}}, l.Protected.Value)
}

func TestAThousandMistakesAreSaidInPartAndTheWorstOfThem(t *testing.T) {
	t.Parallel()
	_, problems := config.ParseLayer([]byte(strings.Repeat("x: 1\n", 1000) + strings.Repeat("who: boss\n", 1000)))
	require.Len(t, problems, 101)
	require.True(t, problems[100].Closes)
	require.Equal(t, 1001, problems[100].Line)
}

func TestTheServersPolicyStandsInItsFile(t *testing.T) {
	t.Parallel()
	load := func(env map[string]string, file string) (config.Server, error) {
		env["TENON_CONFIG"] = "tenon.yml"
		return config.Load(source(env, map[string]string{"tenon.yml": file}))
	}
	s, err := load(app("TENON_BUDGET_USER_COMMANDS", "7"), "policy:\n  who: admin\n  commits: push\n  budget: {user: {commands: 9}}\n")
	require.NoError(t, err)
	require.Equal(t, port.PermissionAdmin, s.Policy.Who.Value)
	require.True(t, s.Policy.Push.Value)
	require.EqualValues(t, 7, s.Policy.UserCommands.Value, "the environment goes before the file")

	s, err = load(app("TENON_COMMITS", "verified"), "policy: {commits: push}\n")
	require.NoError(t, err)
	require.Equal(t, policy.Setting[bool]{Value: false, Set: true}, s.Policy.Push)

	for _, c := range []struct{ file, name, text string }{
		{"policy:\n  who: admn\n", "tenon.yml:2", "policy.who must be"},
		{"policy: 3\n", "tenon.yml:1", "policy must have settings below it"},
		{"commits: push\npolicy: {commits: push}\n", "commits (tenon.yml:1)", "under policy too"},
		{"policy: {model: slow}\n", "tenon.yml:1", "policy names a model slow, and there is none"},
	} {
		_, err := load(app(), c.file)
		p := problems(t, err)
		require.Len(t, p, 1, c.file)
		require.Equal(t, c.name, p[0].Name)
		require.Contains(t, p[0].Text, c.text)
	}
}

// Whatever somebody puts into a repository, reading it ends, with bounded texts and lines of the file.
func FuzzLayer(f *testing.F) {
	f.Add(everySetting)
	f.Add("a: &a [*a]\n? {}\n: x\n<<: {who: admin}\n")
	f.Add("limits: {files: !!int 0x1}\nprotected: [!!binary aGk=]\n---\n")
	f.Fuzz(func(t *testing.T, file string) {
		_, problems := config.ParseLayer([]byte(file))
		for _, p := range problems {
			require.NotEmpty(t, p.Text)
			require.Less(t, len(p.Text), 1000)
			require.LessOrEqual(t, p.Line, strings.Count(file, "\n")+strings.Count(file, "\r")+strings.Count(file, "\u0085")+strings.Count(file, "\u2028")+strings.Count(file, "\u2029")+2)
		}
		if !utf8.ValidString(file) {
			require.Len(t, problems, 1)
		}
	})
}
