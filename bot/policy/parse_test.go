package policy

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/port"
)

const everySetting = `# of the lathe
enabled: false
verbs: [fix, help]
who: maintain
apps: [scribe, dictate-it]
model: fast
models:
  - fast
  - openai/gpt-5
format: diff
label: "please fix"
base: develop
partial: hold
syntax: warn
commits: push
line_endings: lf
protected: [db/migrations/**, "*.sql"]
ignore: [testdata]
instructions: |
  Write British English.
autofix: 2
limits: {files: 5, blocks: 20, tokens: 90_000, code_tokens: 12_000}
budget:
  user: {commands: 5}
  repository: {commands: 30, tokens: 1_000_000}
  organisation: {tokens: 9_000_000}
strangers: commit
unusual: mark
secret_files: [ops/*.cfg]
notify: none
ready: allow
ci: mention
verify: verify.yml
unchecked: refuse
retrieval: rank
choose_model: openai/gpt-5
resolve: {new: refuse}
backport_labels: allow
caution: hold
`

func TestEverySettingOfARepository(t *testing.T) {
	t.Parallel()
	l, problems := Parse([]byte(everySetting))
	require.Empty(t, problems)
	require.Equal(t, map[string]given{
		"enabled":                    {true, 2}, // that is: disabled
		"verbs":                      {[]Item{{"fix", 3}, {"help", 3}}, 3},
		"who":                        {port.PermissionMaintain, 4},
		"apps":                       {[]Item{{"scribe", 5}, {"dictate-it", 5}}, 5},
		"model":                      {"fast", 6},
		"models":                     {[]Item{{"fast", 8}, {"openai/gpt-5", 9}}, 8},
		"format":                     {"diff", 10},
		"retrieval":                  {true, 35},
		"choose_model":               {"openai/gpt-5", 36},
		"backport_labels":            {true, 38},
		"label":                      {"please fix", 11},
		"base":                       {"develop", 12},
		"partial":                    {true, 13},
		"syntax":                     {true, 14},
		"commits":                    {true, 15},
		"line_endings":               {true, 16},
		"protected":                  {[]Item{{"db/migrations/**", 17}, {"*.sql", 17}}, 17},
		"ignore":                     {[]Item{{"testdata", 18}}, 18},
		"instructions":               {"Write British English.\n", 19},
		"autofix":                    {2, 21},
		"limits.files":               {5, 22},
		"limits.blocks":              {20, 22},
		"limits.tokens":              {int64(90_000), 22},
		"limits.code_tokens":         {12_000, 22},
		"budget.user.commands":       {int64(5), 24},
		"budget.repository.commands": {int64(30), 25},
		"budget.repository.tokens":   {int64(1_000_000), 25},
		"budget.organisation.tokens": {int64(9_000_000), 26},
		"strangers":                  {CommitStrangers, 27},
		"unusual":                    {true, 28},
		"secret_files":               {[]Item{{"ops/*.cfg", 29}}, 29},
		"notify":                     {true, 30},
		"ready":                      {true, 31},
		"ci":                         {MentionCI, 32},
		"verify":                     {"verify.yml", 33},
		"unchecked":                  {true, 34},
		"resolve.new":                {RefuseNew, 37},
		"caution":                    {true, 39},
	}, l.values)
	require.Len(t, l.values, len(settings))
}

func TestTheOtherWordsOfSettingsWithTwo(t *testing.T) {
	t.Parallel()
	p := DefaultPolicy().Under(Repository,
		layer(t, "enabled: true\npartial: commit\nsyntax: refuse\nunchecked: commit\nunusual: refuse\ncaution: show\n"+
			"commits: verified\nline_endings: keep\nci: follow\nautofix: off\nnotify: requester\nready: refuse\n"+
			"resolve: {new: show}\n"))
	p.Marks = nil
	require.Equal(t, DefaultPolicy(), p)
}

func TestAnEmptyFileSaysNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "# nothing yet\n", "---\n", "~\n", "{}\n"} {
		l, problems := Parse([]byte(text))
		require.Empty(t, problems, text)
		require.Equal(t, Layer{}, l, text)
	}
}

// What is wrong has its line, and closes if a restriction could be in it.
func TestASettingThatCannotBeReadIsAProblemWithItsLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file   string
		line   int
		text   string
		closes bool
	}{
		{"\nprotectd: [a]\n", 2, "there is no setting `protectd`; did you mean `protected`?", true},
		{"labl: bot\n", 1, "there is no setting `labl`; did you mean `label`?", false},
		{"colour: red\n", 1, "there is no setting `colour`; the settings are enabled, verbs, who, apps, model, models, " +
			"format, " +
			"retrieval, choose_model, " +
			"label, strangers, " +
			"backport_labels, notify, ready, base, partial, syntax, unchecked, unusual, caution, resolve, commits, verify, " +
			"line_endings, protected, " +
			"ignore, secret_files, instructions, ci, " +
			"autofix, limits and budget", false},
		{"modell: x\n", 1, "there is no setting `modell`; did you mean `model`?", false},
		{"modelss: x\n", 1, "there is no setting `modelss`; did you mean `models`?", true},
		{"limits.files: 3\n", 1, "there is no setting `limits.files`; the settings are enabled, verbs,", false},
		{"limits: {flies: 3}\n", 1, "there is no setting `limits.flies`; did you mean `limits.files`?", true},
		{"limitts: {files: 3}\n", 1, "there is no setting `limitts`; did you mean `limits`?", true},
		{"who: write\nwho: admin\n", 2, "who is set twice; keep one", true},
		{"label: a\nlabel: b\n", 2, "label is set twice; keep one", false},
		{"limits: {files: 3}\nlimits: {files: 2}\n", 2, "limits is set twice; keep one", true},
		{"who: admn\n", 1, `who must be write, maintain or admin, not "admn"`, true},
		{"who: read\n", 1, `who must be write, maintain or admin, not "read"`, true},
		{"who: [admin]\n", 1, "who must be one value, not a list or a mapping", true},
		{"who:\n", 1, "who has no value; add one, or remove the line", true},
		{"label:\n", 1, "label has no value; add one, or remove the line", false},
		{"enabled: no\n", 1, `enabled must be true or false, not "no"`, true},
		{"verbs: fix\n", 1, "verbs must be a list, like [one, two], or one item on each line after a dash", true},
		{"verbs:\n  - fix\n  - helpp\n", 3, `verbs has an item "helpp", which is not a command; did you mean help?`, false},
		{"verbs: [xyzzy]\n", 1, `verbs has an item "xyzzy", which is not a command; the commands are fix, ask,`, false},
		{"protected:\n  - a\n  - '!b'\n", 3, "exceptions are not supported", true},
		{"protected: ['[']\n", 1, `protected has an item "[", which is not a valid pattern`, true},
		{"verify: ../verify.yml\n", 1, "verify must be the name of a file in .github/workflows, like verify.yml", true},
		{"verify: verify\n", 1, "verify must be the name of a file in .github/workflows, like verify.yml", true},
		{"ignore: [[a]]\n", 1, `ignore has an item "", which is not text`, true},
		{"ignore: [~]\n", 1, `ignore has an item "~", which is not text`, true},
		{"ignore: [" + strings.Repeat("a,", 51) + "]\n", 1, "ignore has more than 50 items", true},
		{"models: [a b]\n", 1, "is not the name of a model: those have only letters, digits and . _ / : -", false},
		{"model: a b\n", 1, "model is not the name of a model: those have only letters, digits and . _ / : -", false},
		{"format: xml\n", 1, "format must be one of v3, anchored, diff, diff-fenced, editor-diff, editor-diff-fenced, " +
			"section, udiff, patch, whole and auto, not \"xml\"", false},
		{"retrieval: guess\n", 1, "retrieval must be rank or choose, not \"guess\"", false},
		{"choose_model: a b\n", 1, "choose_model is not the name of a model: those have only letters", false},
		{"base: a..b\n", 1, `base must be the name of a branch, like main, not "a..b"`, false},
		{"label: ' x'\n", 1, "label must be a label's name, of 50 characters at most", false},
		{"label: ''\n", 1, "label must be a label's name", false},
		{"label: \"a\\tb\"\n", 1, "label must be a label's name", false},
		{"label: " + strings.Repeat("é", 51) + "\n", 1, "label must be a label's name", false},
		{"partial: maybe\n", 1, `partial must be hold or commit, not "maybe"`, true},
		{"commits: maybe\n", 1, `commits must be push or verified, not "maybe"`, false},
		{"line_endings: crlf\n", 1, `line_endings must be lf or keep, not "crlf"`, false},
		{"ci: loud\n", 1, `ci must be follow, mention or ignore, not "loud"`, false},
		{"autofix: 9\n", 1, `autofix must be off, or a number of rounds from 1 to 5, not "9"`, true},
		{"limits: 5\n", 1,
			"limits must have files, blocks, tokens and code_tokens below it, each on its own line", true},
		{"limits:\n", 1, "limits must have files, blocks, tokens and code_tokens below it", true},
		{"limits:\n  files: 0\n", 2, `limits.files must be a whole number from 1 to 200, not "0"`, true},
		{"limits:\n  blocks: 201\n", 2, `limits.blocks must be a whole number from 1 to 200, not "201"`, true},
		{"limits:\n  tokens: 168_001\n", 2, `limits.tokens must be a whole number from 1 to 168000, not "168_001"`, true},
		{"limits:\n  code_tokens: 1999\n", 2,
			`limits.code_tokens must be a whole number from 2000 to 24000, not "1999"`, true},
		{"limits:\n  code_tokens: 24_001\n", 2,
			`limits.code_tokens must be a whole number from 2000 to 24000, not "24_001"`, true},
		{"budget:\n  user: 5\n", 2, "budget.user must have commands below it", true},
		{"budget: {user: {commands: 1.5}}\n", 1,
			`budget.user.commands must be a whole number from 1 to 1000000000000, not "1.5"`, true},
		{"budget: {users: {commands: 1}}\n", 1, "there is no setting `budget.users`; did you mean `budget.user`?", true},
		{"instructions: " + strings.Repeat("x", 4001) + "\n", 1,
			"instructions has 4001 bytes, and the limit is 4000; put longer instructions into AGENTS.md", false},
		{"a: &a [1]\nprotected: *a\n", 2, "protected must be a list", true},
		{"? {a: b}\n: c\n", 1, "there is no setting", false},
		{"<<: {who: admin}\n", 1, "there is no setting `<<`", false},
	} {
		_, problems := Parse([]byte(c.file))
		require.NotEmpty(t, problems, c.file)
		p := problems[len(problems)-1]
		require.Contains(t, p.Text, c.text)
		require.Equal(t, c.line, p.Line, c.file)
		require.Equal(t, c.closes, p.Closes, c.file)
	}
}

func TestAProblemQuotesLittleOfTheFile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	_, problems := Parse([]byte(long + ": 1\nwho: " + long + "\nverbs: [" + long + "]\n"))
	require.Len(t, problems, 3)
	for _, p := range problems {
		require.NotContains(t, p.Text, strings.Repeat("x", 61))
		require.Contains(t, p.Text, strings.Repeat("x", 60)+"…")
	}
}

func TestAFileThatIsNoYAMLCloses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		line int
		text string
	}{
		{"who: admin\nlabel: 'x\n", 2, "the file is not valid YAML: line 2:"},
		{"- a\n", 0, "the file is not a list of settings"},
		{"who: admin\n---\nwho: write\n", 0, "the file has more than one document; write one"},
		{"#" + strings.Repeat("x", 64<<10), 0, "the file is larger than 64 KiB, and settings take a few lines"},
		{"label: \xff\n", 0, "the file is not text in UTF-8; save it as that"},
		{"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", 0, "the file is not a list of settings"},
	} {
		l, problems := Parse([]byte(c.file))
		require.Len(t, problems, 1, c.file)
		require.True(t, problems[0].Closes)
		require.Contains(t, problems[0].Text, c.text)
		require.Equal(t, c.line, problems[0].Line, c.file)
		require.Equal(t, Layer{}, l)
	}
	_, problems := Parse([]byte("#" + strings.Repeat("x", 64<<10-1)))
	require.Empty(t, problems, "64 KiB is not larger than 64 KiB")
}

func TestWhatIsRightBesideAMistakeApplies(t *testing.T) {
	t.Parallel()
	l, problems := Parse([]byte("who: admin\nwhat: 3\nprotected: [db, '!x', api]\n"))
	require.Len(t, problems, 2)
	p := DefaultPolicy().Under(Repository, l)
	require.Equal(t, port.PermissionAdmin, p.Who)
	require.Equal(t, []string{"db", "api"}, p.Protected)
	require.False(t, l.Has("what"))
}

func TestTheFirstOfTwoValuesApplies(t *testing.T) {
	t.Parallel()
	l, _ := Parse([]byte("label: one\nlabel: two\nlimits: {files: 3, files: 4}\n"))
	p := DefaultPolicy().Under(Repository, l)
	require.Equal(t, "one", p.Label)
	require.Equal(t, 3, p.Bounds.Files)
}

func TestAThousandMistakesAreSaidInPartAndTheWorstOfThem(t *testing.T) {
	t.Parallel()
	_, problems := Parse([]byte(strings.Repeat("x: 1\n", 1000) + strings.Repeat("who: boss\n", 1000)))
	require.Len(t, problems, 101)
	require.True(t, problems[100].Closes)
	require.Equal(t, 1001, problems[100].Line)
}

func TestTheProblemsOfAMappingNameWhatItIsBelow(t *testing.T) {
	t.Parallel()
	var doc yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte("policy:\n  who: admn\n  limits: {flies: 1}\n  label: bot\n"), &doc))
	l, problems := ParseMapping("policy.", doc.Content[0].Content[1])
	require.Equal(t, []Problem{
		{Line: 2, Text: `policy.who must be write, maintain or admin, not "admn"`, Closes: true},
		{Line: 3, Text: "there is no setting `policy.limits.flies`; did you mean `policy.limits.files`?", Closes: true},
	}, problems)
	require.True(t, l.Has("label"))
}

func TestASettingCanStandOutsideOfAFile(t *testing.T) {
	t.Parallel()
	file := layer(t, "commits: push\nwho: admin\n")
	l, err := file.With("commits", "verified")
	require.NoError(t, err)
	l, err = l.With("budget.user.commands", "7")
	require.NoError(t, err)
	p := ServerPolicy(l)
	require.False(t, p.Push)
	require.EqualValues(t, 7, p.Budget.UserCommands)
	require.Equal(t, port.PermissionAdmin, p.Who)
	require.Equal(t, []Mark{{Server, 0}}, p.Marks["commits"])
	require.True(t, ServerPolicy(file).Push, "a layer is not changed")

	_, err = Layer{}.With("commits", "maybe")
	require.EqualError(t, err, `must be push or verified, not "maybe"`)
	_, err = Layer{}.With("colour", "red")
	require.EqualError(t, err, "there is no setting colour")
	l, err = Layer{}.With("label", "bot")
	require.NoError(t, err)
	require.True(t, l.Has("label"))
	require.False(t, l.Has("commits"))
}

func TestTheModelsThatALayerNames(t *testing.T) {
	t.Parallel()
	require.Equal(t, []Item{{"fast", 2}, {"slow", 3}, {"dear", 4}},
		layer(t, "models:\n  - fast\n  - slow\nmodel: dear\n").ModelNames())
	require.Equal(t, []Item{{"dear", 1}}, layer(t, "model: dear\n").ModelNames())
	require.Empty(t, Layer{}.ModelNames())
}

// Whatever somebody puts into a repository, reading it ends, with bounded texts and lines of the file, and restricts
// what is above.
func FuzzParse(f *testing.F) {
	f.Add("", everySetting)
	f.Add("enabled: false\nwho: maintain\npartial: hold\n", "enabled: true\nwho: write\npartial: commit\n")
	f.Add("verbs: [fix]\nmodels: [fast]\nautofix: 2\n", "verbs: [ask, fix]\nmodels: [slow]\nautofix: 3\n")
	f.Add("syntax: refuse\n", "syntax: warn\n")
	f.Add("", "a: &a [*a]\n? {}\n: x\n<<: {who: admin}\n")
	f.Add("protected: [a]", "limits: {files: !!int 0x1}\nprotected: [!!binary aGk=]\n---\n")
	f.Fuzz(func(t *testing.T, organisation, repository string) {
		above, _ := Parse([]byte(organisation))
		l, problems := Parse([]byte(repository))
		for _, p := range problems {
			require.NotEmpty(t, p.Text)
			require.Less(t, len(p.Text), 1000)
			require.LessOrEqual(t, p.Line, lineBreaks(repository)+2)
		}
		if !utf8.ValidString(repository) {
			require.Len(t, problems, 1)
		}
		high := DefaultPolicy().Under(Organisation, above)
		requireRestricted(t, high, high.Under(Repository, l))
	})
}

// lineBreaks counts what YAML takes for the end of a line.
func lineBreaks(text string) (n int) {
	for _, s := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} {
		n += strings.Count(text, s)
	}
	return n
}

// requireRestricted requires that a policy allows nothing that the one above it does not.
func requireRestricted(t *testing.T, high, low Policy) {
	t.Helper()
	require.True(t, low.Disabled || !high.Disabled)
	require.True(t, low.Hold || !high.Hold)
	require.True(t, low.Who.Allows(high.Who))
	for _, lists := range [][2][]string{{high.Verbs, low.Verbs}, {high.Models, low.Models}} {
		if lists[0] != nil {
			require.NotNil(t, lists[1])
			require.Subset(t, lists[0], lists[1])
		}
	}
	require.Subset(t, low.Protected, high.Protected)
	require.Subset(t, low.Ignore, high.Ignore)
	require.True(t, slices.Equal(high.Instructions, low.Instructions[:len(high.Instructions)]))
	if len(high.Marks["syntax"]) > 0 {
		require.True(t, high.WarnOnly || !low.WarnOnly)
	}
	if len(high.Marks["autofix"]) > 0 {
		require.LessOrEqual(t, low.Autofix, high.Autofix)
	}
	require.LessOrEqual(t, low.Bounds.Files, high.Bounds.Files)
	require.LessOrEqual(t, low.Bounds.Blocks, high.Bounds.Blocks)
	require.LessOrEqual(t, low.Bounds.Tokens, high.Bounds.Tokens)
	require.LessOrEqual(t, low.Budget.UserCommands, high.Budget.UserCommands)
	require.LessOrEqual(t, low.Budget.RepositoryCommands, high.Budget.RepositoryCommands)
	require.LessOrEqual(t, low.Budget.RepositoryTokens, high.Budget.RepositoryTokens)
	require.LessOrEqual(t, low.Budget.OwnerTokens, high.Budget.OwnerTokens)
}
