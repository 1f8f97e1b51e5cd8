package main

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/ghtest"
)

const fixMain = "/tenon fix the words in `main.go`"

// settingEffects has a row for each setting, in the order of their table.
var settingEffects = []settingEffect{
	{
		name:         "enabled",
		organisation: "enabled: true\n", repository: "enabled: false\n",
		shown: func(s *stage, _ *askedModels) {
			s.refused("maria", fixMain, "tenon is switched off here by [the repository, line 1]")
			s.organisationSays("enabled: false\n")
			s.settings("main", "enabled: true\n")
			s.refused("maria", fixMain, "tenon is switched off here by [the organisation, line 1]")
		},
	},
	{
		name:       "verbs",
		repository: "verbs: [ask]\n", replies: []string{"It greets."},
		shown: func(s *stage, _ *askedModels) {
			s.refused("maria", fixMain, "`/tenon fix` is not allowed here: [the repository, line 1]")
			s.comment("maria", "/tenon ask what is `main.go`?")
			s.until("an answer", func() bool { return strings.Contains(strings.Join(s.answers(), "\n"), "It greets.") })
		},
	},
	{
		name:       "who",
		repository: "who: maintain\n",
		shown: func(s *stage, _ *askedModels) {
			s.member("william", ghtest.RoleWrite)
			require.Equal(s.t, []string{"-1"}, s.settled(s.comment("william", fixMain)))
			s.until("the refusal", func() bool { return len(s.answers()) > 0 })
			require.Contains(
				s.t,
				s.answers()[0],
				"`/tenon fix` needs maintain permission in this repository, and you have write",
			)
			require.Empty(s.t, s.model.questions())
			s.member("martha", ghtest.RoleMaintain)
			s.done("martha", fixMain)
		},
	},
	{
		name:       "models",
		repository: "models: [slow]\n",
		shown: func(s *stage, asked *askedModels) {
			s.refused(
				"maria",
				"/tenon fix --model fast `main.go`",
				"There is no model `fast` for this repository. There are: `slow`.",
			)
			s.done("maria", fixMain)
			require.Equal(s.t, "model-slow", asked.of("models")[0].model)
		},
	},
	{
		name:       "model",
		repository: "model: slow\n", replies: []string{"NO CHANGE: all is said."},
		shown: func(s *stage, asked *askedModels) {
			require.Contains(s.t, s.settled(s.comment("maria", fixMain)), "confused")
			s.done("maria", "/tenon fix --model fast `main.go`")
			require.Equal(s.t, "model-slow", asked.of("model")[0].model)
			require.Equal(s.t, "model-fast", asked.of("model")[1].model, "a command may name the other")
		},
	},
	{
		name:       "format",
		repository: "format: section\n",
		shown: func(s *stage, asked *askedModels) {
			s.done("maria", fixMain)
			text := asked.of("format")[0].text
			require.Contains(s.t, text, "For each file, write a header, `### File: ` and the file's full path")
			require.NotContains(s.t, text, "an opening fence of three backticks with the language's name")
		},
	},
	{
		name:       "label",
		repository: "label: please fix\n", replies: []string{"NO CHANGE: all is said."},
		shown: func(s *stage, _ *askedModels) {
			number, err := s.github.OpenIssue("maria", s.repo, "It greets", "`main.go` should part, not greet.")
			require.NoError(s.t, err)
			require.NoError(s.t, s.github.Label("maria", s.repo, number, "tenon"))
			last := s.commentIn(number, "/tenon fix what is left")
			require.Contains(s.t, s.settled(last), "confused", "a command that waits for the label")
			require.Len(s.t, s.model.questions(), 1, "the default label started nothing")
			require.NoError(s.t, s.github.Label("maria", s.repo, number, "Please fix"))
			s.until("a pull request", func() bool { return len(s.pullsFromTenon()) == 1 })
			require.Len(s.t, s.model.questions(), 2)
		},
	},
	{
		name:       "base",
		repository: "base: speed\n",
		shown: func(s *stage, _ *askedModels) {
			_, id := s.issue("`main.go` should part, not greet.", "/tenon fix it as described")
			require.Contains(s.t, s.settled(id), "rocket")
			require.Len(s.t, s.pullsFromTenon(), 1)
			require.Equal(s.t, "speed", s.pullsFromTenon()[0].Base)
		},
	},
	{
		name:       "partial",
		repository: "partial: hold\n",
		replies: []string{edit("main.go", helloLine, byeLine) + edit("greet.go", badGreet, betterGreet),
			"NO CHANGE: it is as it is."},
		shown: func(s *stage, _ *askedModels) {
			s.refusedAfterAsking("maria", "/tenon fix `main.go` and `greet.go`",
				"**Not committed**: not all edits fit, and the settings of this repository want all or none.")
			require.Equal(s.t, stageFiles["main.go"], s.file("main.go"), "the edit that fits is held back too")
		},
	},
	{
		name:         "syntax",
		organisation: "syntax: warn\n",
		replies:      []string{edit("main.go", helloLine, "\tif true {\n"+byeLine), "NO CHANGE: it is as it is."},
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", "/tenon fix `main.go`")
			require.Contains(s.t, s.file("main.go"), "if true {", "it does not parse, and is committed")
			require.Contains(s.t, s.answers()[0], "⚠️ **Committed, though `main.go` does not parse**")
		},
	},
	{
		name:         "commits",
		organisation: "commits: push\n",
		replies:      []string{edit("main.go", helloLine, byeLine), edit("greet.go", greetLine, betterGreet)},
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", fixMain)
			require.False(s.t, s.tip().Verified, "pushed by git")
			s.settings("main", "commits: verified\n")
			s.done("maria", "/tenon fix the words in `greet.go`")
			require.True(s.t, s.tip().Verified, "made by GitHub, which signs it")
			require.Len(s.t, s.commits(), 2)
		},
	},
	{
		name:       "line_endings",
		repository: "line_endings: lf\n", files: map[string]string{"words.txt": "one\r\ntwo\r\n"},
		replies: []string{edit("words.txt", "one", "uno")},
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", "/tenon fix `words.txt`")
			require.Equal(s.t, "uno\ntwo\n", s.file("words.txt"))
		},
	},
	{
		name:       "protected",
		repository: "protected: ['*.go']\n",
		replies: []string{edit("main.go", helloLine, byeLine) +
			".github/workflows/ci.yml\n```yaml\n<<<<<<< NEW_FILE\non: push\n>>>>>>> NEW_FILE\n```\n"},
		shown: func(s *stage, _ *askedModels) {
			s.refusedAfterAsking("maria", fixMain, "**Applied 0, failed 2", "The settings protect this path",
				"Edits of this path are not allowed: `.github/workflows/ci.yml`")
		},
	},
	{
		name:       "ignore",
		repository: "ignore: [main.go]\n",
		shown: func(s *stage, asked *askedModels) {
			s.refusedAfterAsking("maria", fixMain, "The settings keep the file from the model")
			for _, r := range asked.of("ignore") {
				require.NotContains(s.t, r.text, stageFiles["main.go"])
			}
		},
	},
	{
		name:         "instructions",
		organisation: "instructions: Write British English.\n", repository: "instructions: Be brief.\n",
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", fixMain)
			question := s.model.questions()[0]
			require.Contains(s.t, question, "conventions of the organisation>>\nWrite British English.\n")
			require.Contains(s.t, question, "conventions of the repository>>\nBe brief.\n")
		},
	},
	{
		// Nothing uses autofix yet: this shows that it is read, merged and shown, and no more. Whoever makes workflows start
		// runs shows here that there are as many as the setting allows.
		name:         "autofix",
		organisation: "autofix: 2\n", repository: "autofix: 3\n",
		shown: func(s *stage, _ *askedModels) {
			text := s.asked("/tenon config")
			require.Contains(s.t, text, "| `autofix` | `2 rounds` | [the organisation, line 1]")
			require.Contains(s.t, text, "autofix: the organisation allows 2 rounds, and 3 rounds is more, so this is ignored")
		},
	},
	{
		name:       "limits.files",
		repository: "limits: {files: 1}\n",
		replies:    []string{edit("main.go", helloLine, byeLine) + edit("greet.go", greetLine, betterGreet)},
		shown: func(s *stage, _ *askedModels) {
			s.refusedAfterAsking("maria", "/tenon fix `main.go` and `greet.go`",
				"The reply changes 2 files, and the limit for one command is 1 here, so nothing was applied.")
		},
	},
	{
		name:       "limits.blocks",
		repository: "limits: {blocks: 1}\n",
		replies: []string{edit("main.go", helloLine, byeLine) +
			edit("main.go", "func main() {", "func main() { // parts")},
		shown: func(s *stage, _ *askedModels) {
			s.refusedAfterAsking("maria", fixMain,
				"The reply holds 2 edits, and the limit for one command is 1 here, so nothing was applied.")
		},
	},
	{
		name:       "limits.tokens",
		repository: "limits: {tokens: 5000}\n",
		shown: func(s *stage, _ *askedModels) {
			s.refused("maria", fixMain, "tokens, and one command may take 5,000 here, so the model was not asked.")
		},
	},
	{
		name:       "limits.code_tokens",
		repository: "limits: {code_tokens: 2000}\n",
		files:      map[string]string{"long.txt": strings.Repeat("It was long, long ago.\n", 390)},
		shown: func(s *stage, asked *askedModels) {
			s.done("maria", "/tenon fix the words in `main.go`, not `long.txt`")
			lines := strings.Count(asked.of("limits.code_tokens")[0].text, "It was long, long ago.")
			require.NotZero(s.t, lines)
			require.Less(s.t, lines, 2_000*3/len("It was long, long ago."), "three bytes are a token")
		},
	},
	{
		name:       "budget.user.commands",
		repository: "budget: {user: {commands: 1}}\n", replies: []string{goodReply, edit("greet.go", greetLine, betterGreet)},
		shown: func(s *stage, _ *askedModels) {
			s.member("ursula", ghtest.RoleWrite)
			s.done("ursula", fixMain)
			s.overBudget("ursula", "your commands of today is used up (1)")
			s.member("wanda", ghtest.RoleWrite)
			s.done("wanda", "/tenon fix `greet.go`") // everybody has a budget
		},
	},
	{
		name:       "budget.repository.commands",
		repository: "budget: {repository: {commands: 1}}\n",
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", fixMain)
			s.overBudget("maria", "this repository's commands of today is used up (1)")
		},
	},
	{
		name:       "budget.repository.tokens",
		repository: "budget: {repository: {tokens: 5000}}\n",
		shown: func(s *stage, _ *askedModels) {
			s.overBudget("maria", "this repository's tokens of today is used up (5000)")
		},
	},
	{
		name:         "budget.organisation.tokens",
		organisation: "budget: {organisation: {tokens: 5000}}\n",
		shown: func(s *stage, _ *askedModels) {
			s.overBudget("maria", "this owner's tokens of the month is used up (5000)")
		},
	},
}

// done has somebody give a command, and requires that something is committed.
func (s *stage) done(as, command string) {
	s.t.Helper()
	commits := len(s.commits())
	require.Contains(s.t, s.settled(s.comment(as, command)), "rocket")
	require.Len(s.t, s.commits(), commits+1)
}

// refused has somebody give a command, and requires that it is refused in these words: no model is asked, and nothing
// is committed.
func (s *stage) refused(as, command string, words ...string) {
	s.t.Helper()
	asked := len(s.model.questions())
	s.refusedAfterAsking(as, command, words...)
	require.Len(s.t, s.model.questions(), asked)
}

// refusedAfterAsking is refused for a command of which the model's reply is not applied.
func (s *stage) refusedAfterAsking(as, command string, words ...string) {
	s.t.Helper()
	commits := len(s.commits())
	require.Contains(s.t, s.settled(s.comment(as, command)), "confused")
	answers := s.answers()
	for _, w := range words {
		require.Contains(s.t, answers[len(answers)-1], w)
	}
	require.Len(s.t, s.commits(), commits)
}

// overBudget requires that a command is refused for a budget that is used up.
func (s *stage) overBudget(as, budget string) {
	s.t.Helper()
	s.refused(as, "/tenon fix `greet.go`", "The budget for "+budget+", so the model was not asked.")
}

// member gives somebody a role in the repository.
func (s *stage) member(login string, role ghtest.Role) {
	s.t.Helper()
	require.NoError(s.t, s.github.AddUser(login))
	require.NoError(s.t, s.github.SetRole(s.repo, login, role))
}

// organisationSays changes the settings of the organisation.
func (s *stage) organisationSays(text string) {
	s.t.Helper()
	owner, _, _ := strings.Cut(s.repo, "/")
	_, err := s.github.Push(owner+"/.github", "main", map[string]string{".github/tenon.yml": text}, "Set tenon up\n")
	require.NoError(s.t, err)
}

// tip is the newest commit of the pull request's branch.
func (s *stage) tip() ghtest.Commit {
	s.t.Helper()
	list, err := s.github.Commits(s.repo, "speed")
	require.NoError(s.t, err)
	return list[0]
}

// pullsFromTenon are the pull requests from branches of the app.
func (s *stage) pullsFromTenon() (from []ghtest.PullState) {
	s.t.Helper()
	list, err := s.github.Pulls(s.repo)
	require.NoError(s.t, err)
	for _, p := range list {
		if strings.Contains(p.Head, ":tenon/") {
			from = append(from, p)
		}
	}
	return from
}
