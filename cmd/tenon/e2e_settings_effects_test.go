package main

import (
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

const fixMain = "/tenon fix the words in `main.go`"

// settingEffects has a row for each setting, in the order of their table.
var settingEffects = []settingEffect{
	{
		name:         "enabled",
		organisation: "enabled: true\n", repository: "enabled: false\n",
		shown: func(s *stage, _ *askedModels) {
			s.refused("maria", fixMain, "tenon is disabled here by [the repository's settings, line 1]")
			s.organisationSays("enabled: false\n")
			s.settings("main", "enabled: true\n")
			s.refused("maria", fixMain, "tenon is disabled here by [the organisation's settings, line 1]")
		},
	},
	{
		name:       "verbs",
		repository: "verbs: [ask]\n", replies: []string{"It greets."},
		shown: func(s *stage, _ *askedModels) {
			s.refused("maria", fixMain, "`/tenon fix` is not allowed here: [the repository's settings, line 1]")
			s.comment("maria", "/tenon ask what is `main.go`?")
			s.until("an answer", func() bool { return strings.Contains(strings.Join(s.answers(), "\n"), "It greets.") })
		},
	},
	{
		name:       "who",
		repository: "who: maintain\n",
		shown: func(s *stage, _ *askedModels) {
			s.member("william", entity.RoleWrite)
			require.Contains(s.t, s.settled(s.comment("william", fixMain)), "-1")
			s.until("the refusal", func() bool { return len(s.answers()) > 0 })
			require.Contains(s.t, s.answers()[0],
				"`/tenon fix` needs maintain permission in this repository, and you have write")
			require.Empty(s.t, s.model.questions())
			s.member("martha", entity.RoleMaintain)
			s.done("martha", fixMain)
		},
	},
	{
		name:         "apps",
		organisation: "apps: [scribe]\n",
		shown: func(s *stage, _ *askedModels) {
			for _, app := range []string{"other", "scribe"} {
				id, err := s.github.CommentVia("maria", app, s.repo, s.pull, fixMain)
				require.NoError(s.t, err)
				if app == "scribe" {
					require.Contains(s.t, s.settled(id), "rocket")
				}
			}
			require.Len(s.t, s.commits(), 1)
			require.Len(s.t, s.answers(), 1, "nothing is said to a bot")
		},
	},
	{
		name:       "models",
		repository: "models: [slow]\n",
		shown: func(s *stage, asked *askedModels) {
			s.refused(
				"maria",
				"/tenon fix --model fast `main.go`",
				"There is no model `fast` for this repository. Available: `slow`.",
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
	retrievalEffect, chooseModelEffect,
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
		name:         "strangers",
		organisation: "strangers: commit\n",
		replies:      []string{edit("main.go", helloLine, byeLine), edit("greet.go", greetLine, betterGreet)},
		shown: func(s *stage, _ *askedModels) {
			number, err := s.github.OpenIssue("stranger", s.repo, "It greets", "`main.go` should part, not greet.")
			require.NoError(s.t, err)
			require.NoError(s.t, s.github.Label("maria", s.repo, number, "tenon"))
			s.until("a pull request", func() bool { return len(s.pullsFromTenon()) == 1 })
			s.settings("main", "strangers: preview\n")
			number, err = s.github.OpenIssue("stranger", s.repo, "It greets", "`greet.go` should be polite.")
			require.NoError(s.t, err)
			require.NoError(s.t, s.github.Label("maria", s.repo, number, "tenon"))
			s.until("a preview", func() bool {
				return strings.Contains(strings.Join(s.answersIn(number), "\n"), "👀 **Preview** · 1 edit fits")
			})
			require.Len(s.t, s.pullsFromTenon(), 1)
		},
	},
	{name: "backport_labels", organisation: "backport_labels: allow\n", shown: backportedByLabel},
	{
		name:         "notify",
		organisation: "notify: none\n", replies: []string{goodReply, edit("greet.go", greetLine, betterGreet)},
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", fixMain)
			require.Contains(s.t, s.answers()[0], "<sub>`maria` · run ")
			require.NotContains(s.t, s.answers()[0], "@maria")
			s.settings("main", "notify: requester\n")
			s.done("maria", "/tenon fix `greet.go`")
			require.Contains(s.t, s.answers()[1], "<sub>@maria · run ")
		},
	},
	{
		name:         "ready",
		organisation: "ready: allow\n",
		shown: func(s *stage, _ *askedModels) {
			number, id := s.issue("`main.go` should part, not greet.", "/tenon fix it as described")
			require.Contains(s.t, s.settled(id), "rocket")
			require.True(s.t, s.pullsFromTenon()[0].Draft)
			s.commentIn(number, "/tenon ready")
			s.until("a pull request that is ready", func() bool { return !s.pullsFromTenon()[0].Draft })
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
				"❌ **Nothing committed:** only 1 of 2 edits fits, and the settings require that all fit")
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
		name:         "unchecked",
		organisation: "unchecked: refuse\n", repository: "unchecked: commit\n",
		replies: []string{deepEdit},
		shown: func(s *stage, _ *askedModels) {
			s.refusedAfterAsking("maria", "/tenon fix `main.go`",
				"❌ **Nothing committed:** the file cannot be checked for syntax")
			require.Equal(s.t, stageFiles["main.go"], s.file("main.go"))
		},
	},
	{
		name:         "unusual",
		organisation: "unusual: mark\n",
		replies:      []string{edit("main.go", helloLine, "\tprintln(\"good\u202ebye\")")},
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", "/tenon fix `main.go`")
			require.Contains(s.t, s.file("main.go"), "\u202e")
			require.Contains(s.t, s.answers()[0], "⚠️ **Committed with text that readers cannot see**")
		},
	},
	cautionEffect,
	{
		name:         "resolve.new",
		organisation: "resolve: {new: allow}\n",
		replies:      []string{newLinesReply, newLinesReply, newLinesReply},
		shown: func(s *stage, _ *askedModels) {
			const setting = "Setting: resolve.new\n"
			s.conflict("30", setting)
			s.done("maria", "/tenon resolve")
			require.Equal(s.t, "wait 25\n", s.file("wait.txt"))
			s.settings("main", "resolve: {new: show}\n")
			s.conflict("40", setting)
			s.comment("maria", "/tenon resolve")
			s.untilConflicts("- [ ] **C1** as proposed")
			s.settings("main", "resolve: {new: refuse}\n")
			s.conflict("50", setting)
			s.comment("maria", "/tenon resolve")
			s.untilConflicts("The model wrote new lines, which the settings refuse")
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
		name:         "verify",
		organisation: "verify: verify.yml\n", repository: "verify: other.yml\n",
		shown: func(s *stage, _ *askedModels) {
			text := s.asked("/tenon config")
			require.Contains(s.t, text, "\n- `verify`: `verify.yml` · [the organisation, line 1]")
			require.Contains(s.t, text, "verify: the organisation requires that `verify.yml` passes, so this is ignored")
			s.done("maria", fixMain)
			s.said("`verify.yml` did not test the edits before they were committed")
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
			s.refusedAfterAsking("maria", fixMain, "❌ **Nothing committed:** ", "the settings protect this path",
				"it decides what runs in CI")
		},
	},
	{
		name:       "ignore",
		repository: "ignore: [main.go]\n",
		shown: func(s *stage, asked *askedModels) {
			s.refusedAfterAsking("maria", fixMain, "The settings hide the file from the model")
			for _, r := range asked.of("ignore") {
				require.NotContains(s.t, r.text, stageFiles["main.go"])
			}
		},
	},
	{
		name:       "secret_files",
		repository: "secret_files: [main.go]\n",
		shown: func(s *stage, asked *askedModels) {
			s.refusedAfterAsking("maria", fixMain, "The file's name says that it contains secrets")
			for _, r := range asked.of("secret_files") {
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
		name:         "ci",
		organisation: "ci: ignore\n", repository: "ci: mention\nnotify: none\n",
		shown: func(s *stage, _ *askedModels) {
			got := s.say(fixMain)
			require.Contains(s.t, got.answer, "\n\n<sub>`maria` · run "+got.run+"</sub>")
			s.red("test", redLog)
			require.Contains(s.t, s.untilTold(got.run, "CI failed"),
				"\n\n<sub>@maria · run "+got.run+" · CI failed: [`test`](")
		},
	},
	{
		name:         "autofix",
		organisation: "autofix: 1\n", repository: "autofix: 3\n",
		replies: []string{goodReply, edit("main.go", byeLine, helloLine)},
		shown: func(s *stage, _ *askedModels) {
			got := s.say(fixMain)
			s.red("test", redLog)
			round := port.RunID("autofix-" + got.run + "-1")
			s.untilTold(round, "<sub>@maria · run "+round)
			s.red("test", redLog+"panic: another one\n")
			s.untilTold(got.run, "- Autofix ended: the settings allow 1 round.")
			require.Len(s.t, s.commits(), 2)
			text := s.asked("/tenon config")
			require.Contains(s.t, text, "\n- `autofix`: `1 round` · [the organisation, line 1]")
			require.Contains(s.t, text, "autofix: the organisation allows 1 round, and 3 rounds is more, so this is ignored")
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
				"The reply has 2 edits, and the limit for one command is 1 here, so nothing was applied.")
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
			s.member("ursula", entity.RoleWrite)
			s.done("ursula", fixMain)
			s.overBudget("ursula", "your commands today is used up (1)")
			s.member("wanda", entity.RoleWrite)
			s.done("wanda", "/tenon fix `greet.go`") // everybody has a budget
		},
	},
	{
		name:       "budget.repository.commands",
		repository: "budget: {repository: {commands: 1}}\n",
		shown: func(s *stage, _ *askedModels) {
			s.done("maria", fixMain)
			s.overBudget("maria", "this repository's commands today is used up (1)")
		},
	},
	{
		name:       "budget.repository.tokens",
		repository: "budget: {repository: {tokens: 5000}}\n",
		shown: func(s *stage, _ *askedModels) {
			s.overBudget("maria", "this repository's tokens today is used up (5000)")
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
