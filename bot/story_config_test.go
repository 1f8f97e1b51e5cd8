package bot_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/testdata"
)

// Each setting of a repository is obeyed, by what it does.
func TestARunObeysEverySetting(t *testing.T) {
	t.Parallel()
	rows := map[string]struct {
		settings string
		play     func(t *testing.T, s *story)
	}{
		"enabled": {"enabled: false", func(t *testing.T, s *story) {
			require.Contains(t, s.say("/tenon fix `main.go`").answer,
				"tenon is disabled here by [the repository's settings, line 1]")
			require.Contains(t, s.say("/tenon help").answer, "\n- `/tenon config` shows")
		}},
		"verbs": {"verbs: [ask]", func(t *testing.T, s *story) {
			require.Contains(t, s.say("/tenon fix `main.go`").answer,
				"`/tenon fix` is not allowed here: [the repository's settings, line 1]")
			require.NotContains(t, s.say("/tenon ask what?").answer, "not allowed")
		}},
		"who": {"who: admin", func(t *testing.T, s *story) {
			s.addVictor()
			require.Equal(t, []string{"-1"}, s.sayAs("victor", s.pull, "/tenon fix `main.go`").reactions)
			require.Contains(t, s.pull.LastAnswer(), "needs admin permission in this repository, and you have write")
			require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
		}},
		"apps": {"apps: [scribe]", commandsThroughApps},
		"models": {"models: [two]", func(t *testing.T, s *story) {
			require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
			require.Equal(t, "two", s.Model.Requests()[0].Model)
			require.Equal(t, []string{"two"}, s.Model.Requests()[0].Only)
			require.Contains(t, s.say("/tenon fix --model one `main.go`").answer, "There is no model `one` for this repository.")
		}},
		"model": {"model: two", func(t *testing.T, s *story) {
			require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
			require.Equal(t, "two", s.Model.Requests()[0].Model)
		}},
		"format": {"format: section", func(t *testing.T, s *story) {
			s.say("/tenon fix `main.go`")
			require.NotContains(t, s.Model.Requests()[0].System, "```python\n<<<<<<< SEARCH")
		}},
		"retrieval": {"retrieval: rank", func(t *testing.T, s *story) {
			s.Repo.Push("main", testdata.Machine())
			s.sayIn(s.Repo.OpenIssue("maria", "The spindle", "It turns too fast."), "/tenon fix")
			require.NotContains(t, s.Model.Questions()[0], "files to choose from>>")
			require.Contains(t, s.Model.Questions()[0], " file "+testdata.MachinePart(0))
		}},
		"choose_model": {"choose_model: two", func(t *testing.T, s *story) {
			s.Repo.Push("main", testdata.Machine())
			s.sayIn(s.Repo.OpenIssue("maria", "The spindle", "It turns too fast."), "/tenon fix")
			require.Equal(t, "two", s.Model.Requests()[0].Model)
			require.Equal(t, "one", s.Model.Requests()[1].Model)
			require.Contains(t, s.Model.Questions()[0], "files to choose from>>")
		}},
		"label": {"label: bot", func(t *testing.T, s *story) {
			s.pull.Label("maria", "tenon")
			s.Run()
			require.Empty(t, s.Model.Questions())
			s.pull.Label("maria", "bot")
			s.Run()
			require.Len(t, s.Commits("speed"), 1)
		}},
		"strangers": {"strangers: commit", func(t *testing.T, s *story) {
			issue := s.Repo.OpenIssue("stranger", "It greets", "`main.go` should part.")
			issue.Label("maria", "tenon")
			s.Run()
			require.Contains(t, issue.Reactions(), "rocket")
			require.Contains(t, s.File(issueBranch(issue), "main.go"), "goodbye")
			s.settings("strangers: preview\n")
			other := s.Repo.OpenIssue("stranger", "It greets", "`main.go` should part.")
			other.Label("maria", "tenon")
			s.Run()
			require.Contains(t, other.LastAnswer(), "because the author of the labelled text has no write permission")
			require.Empty(t, s.Repo.Branch(issueBranch(other)))
		}},
		"base": {"base: speed", func(t *testing.T, s *story) {
			issue := s.issue("")
			s.sayIn(issue, "/tenon fix `main.go`")
			require.Equal(t, "speed", s.Repo.PullOf(issueBranch(issue)).Base())
		}},
		"partial": {"partial: hold", func(t *testing.T, s *story) {
			s.Model.Forget()
			s.Model.Says(halfReplies()...)
			got := s.say("/tenon fix `main.go` and `greet.go`")
			require.Equal(t, "confused", got.verdict)
			require.Contains(t, got.answer, "❌ **Nothing committed:** only 1 of 2 edits fits")
			require.Empty(t, s.Commits("speed"))
		}},
		"syntax": {"syntax: warn", func(t *testing.T, s *story) {
			s.Model.Forget()
			s.Model.Says(breaksMain)
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "**Committed, though `main.go` does not parse**")
			require.Equal(t, brokenMain, s.File("speed", "main.go"))
			s.push(map[string]string{"main.go": bottest.LatheFiles["main.go"]})
			s.settings("syntax: refuse\n")
			require.Contains(t, s.say("/tenon fix `main.go`").answer,
				"❌ **Nothing committed:** the file would no longer parse")
			require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
		}},
		"unchecked": {"unchecked: refuse", obeysUnchecked},
		"unusual": {"unusual: mark", func(t *testing.T, s *story) {
			s.Model.Forget()
			s.Model.Says(turned, turned, turned)
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "**Committed with text that readers cannot see**")
			require.Contains(t, s.File("speed", "main.go"), "\u202e")
			s.push(map[string]string{"main.go": bottest.LatheFiles["main.go"]})
			s.settings("unusual: refuse\n")
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "changes the direction of text")
			require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
		}},
		"commits": {"commits: push", func(t *testing.T, s *story) {
			s.say("/tenon fix `main.go`")
			require.False(t, s.Repo.Commits("speed")[0].Verified)
		}},
		"verify": {"verify: verify.yml", func(t *testing.T, s *story) {
			s.verifying(passes)
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "tested by [`verify.yml`]")
		}},
		"line_endings": {"line_endings: lf", func(t *testing.T, s *story) {
			s.push(map[string]string{"main.go": strings.ReplaceAll(bottest.LatheFiles["main.go"], "\n", "\r\n")})
			s.say("/tenon fix `main.go`")
			require.Equal(t, strings.Replace(bottest.LatheFiles["main.go"], "hello", "goodbye", 1), s.File("speed", "main.go"))
		}},
		"notify": {"notify: none", obeysNotify},
		"ready":  {"ready: allow", obeysReady}, "backport_labels": {"backport_labels: allow", obeysBackportLabels},
		"protected": {"protected: [main.go]", func(t *testing.T, s *story) {
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "The settings protect this path")
			require.Empty(t, s.Commits("speed"))
		}},
		"ignore": {"ignore: [main.go]", func(t *testing.T, s *story) {
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "The settings hide the file from the model")
			require.NotContains(t, s.Model.Questions()[0], "println(\"hello\")\n}")
			c := s.pull.ReviewComment("maria", "speed.txt", 1, "And `main.go`?")
			require.NotNil(t, c)
		}},
		"secret_files": {"secret_files: [main.go]", obeysSecretFiles},
		"instructions": {"instructions: Write British English.", func(t *testing.T, s *story) {
			s.say("/tenon fix `main.go`")
			require.Contains(t, s.Model.Questions()[0], "conventions of the repository>>\nWrite British English.\n")
		}},
		"ci":      {"ci: ignore", obeysCI},
		"autofix": {"autofix: 1", obeysAutofix},
		"limits.files": {"limits: {files: 1}", func(t *testing.T, s *story) {
			s.Model.Forget()
			s.Model.Says(threeEdits)
			require.NotEqual(t, "rocket", s.say(fixWords).verdict)
			require.Contains(t, s.pull.LastAnswer(), "the limit for one command is 1 here")
		}},
		"limits.blocks": {"limits: {blocks: 1}", func(t *testing.T, s *story) {
			s.Model.Forget()
			s.Model.Says(threeEdits)
			require.Contains(t, s.say(fixWords).answer,
				"The reply has 3 edits, and the limit for one command is 1 here, so nothing was applied.")
		}},
		"limits.tokens": {"limits: {tokens: 2000}", func(t *testing.T, s *story) {
			require.Equal(t, "confused", s.say("/tenon fix `main.go`").verdict)
			require.Empty(t, s.Model.Questions())
		}},
		"limits.code_tokens": {"limits: {code_tokens: 2000}", func(t *testing.T, s *story) {
			const line = "It was long, long ago.\n"
			shown := func() int {
				asked := s.Model.Requests()
				return strings.Count(asked[len(asked)-1].Messages[0].Text, line) * len(line)
			}
			s.push(map[string]string{"long.txt": strings.Repeat(line, 390)})
			require.Equal(t, "rocket", s.say("/tenon fix `main.go`, not `long.txt`").verdict)
			require.NotZero(t, shown())
			require.LessOrEqual(t, shown(), 6_000, "three bytes are a token")
			s.settings("limits: {code_tokens: 24000}\n")
			s.say("/tenon fix `main.go`, not `long.txt`")
			require.Equal(t, 390*len(line), shown())
		}},
		"budget.user.commands": {"budget: {user: {commands: 1}}", func(t *testing.T, s *story) {
			require.Contains(t, s.say("/tenon fix `main.go`").answer, "over 90% of your commands today used")
			require.Contains(
				t,
				s.say("/tenon fix `main.go`").answer,
				"The budget for your commands today is used up (1), so the model was not asked.",
			)
		}},
		"budget.repository.commands": {"budget: {repository: {commands: 1}}", func(t *testing.T, s *story) {
			s.addVictor()
			s.say("/tenon fix `main.go`")
			require.Contains(
				t,
				s.sayAs("victor", s.pull, "/tenon fix `main.go`").answer,
				"The budget for this repository's commands today is used up (1)",
			)
		}},
		"budget.repository.tokens": {"budget: {repository: {tokens: 1000}}", func(t *testing.T, s *story) {
			answer := s.say("/tenon fix `main.go`").answer
			require.Contains(t, answer, "The budget for this repository's tokens today is used up (1000)")
		}},
		"caution": {"caution: hold", obeysCaution},
		"resolve.new": {"resolve: {new: refuse}", func(t *testing.T, s *story) {
			s.conflict()
			s.Model.Forget()
			s.Model.Says(withNew)
			require.Contains(t, s.say("/tenon resolve").answer, "The model wrote new lines, which the settings refuse")
		}},
		"budget.organisation.tokens": {"", func(t *testing.T, s *story) {
			s.organisation("budget: {organisation: {tokens: 1000}}\n")
			require.Contains(
				t,
				s.say("/tenon fix `main.go`").answer,
				"The budget for this owner's tokens of the month is used up (1000)",
			)
		}},
	}
	for key, row := range rows {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.bot.Models = []port.ModelInfo{{Name: "one"}, {Name: "two"}}
			s.settings(row.settings + "\n")
			row.play(t, s)
		})
	}
	shown := newStory(t).say("/tenon config").answer
	for _, m := range regexp.MustCompile("(?m)^- `([a-z_.]+)`: ").FindAllStringSubmatch(shown, -1) {
		require.Contains(t, rows, m[1], "a setting without a story")
		delete(rows, m[1])
	}
	require.Empty(t, rows, "settings that nobody is shown")
}

func TestARepositoryRestrictsWhatItsOrganisationAllows(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.organisation("protected: [docs]\ninstructions: Write British English.\nlimits: {files: 5}\n")
	s.settings("protected: ['*.go']\nlimits: {files: 9}\n")
	got := s.say("/tenon fix the words in `main.go`")
	require.Contains(t, got.answer, "The settings protect this path")
	require.Contains(t, s.Model.Questions()[0], "conventions of the organisation>>\nWrite British English.\n")
	text := s.say("/tenon config").answer
	require.Regexp(
		t,
		"\n- `protected`: the built-in ones, `docs`, `\\*\\.go` · "+
			"\\[the organisation, line 1\\]\\(\\S+/acme/.github/blob/[0-9a-f]{40}/.github/tenon.yml#L1\\), "+
			"\\[the repository, line 1\\]\\(\\S+/acme/lathe/blob/[0-9a-f]{40}/.github/tenon.yml#L1\\)\n",
		text,
	)
	require.Contains(t, text, "`limits.files`: the organisation allows 5, and 9 is more, so this is ignored")
}

func TestAnOrganisationSwitchesTenonOff(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	org := s.organisation("enabled: false\n")
	s.settings("enabled: true\n")
	require.Contains(t, s.say("/tenon fix `main.go`").answer,
		"tenon is disabled here by [the organisation's settings, line 1]")
	require.Contains(
		t,
		s.say("/tenon config").answer,
		"the organisation disables tenon, and it can only be enabled there",
	)
	org.Push("main", map[string]string{".github/tenon.yml": "enabled: true\n"})
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict, "at once")
}

// What the organisation's repository says of itself is the organisation's word.
func TestTheRepositoryForSettingsIsHeldToItsOwn(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	org := s.organisation("enabled: false\n")
	require.Contains(
		t,
		s.sayIn(org.OpenIssue("maria", "x", ""), "/tenon fix it").answer,
		"disabled here by [the organisation's settings, line 1]",
	)
}

func TestAPullRequestsOwnSettingsDoNotCount(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("verbs: [help]\n")
	s.push(map[string]string{".github/tenon.yml": "verbs: [fix]\n"})
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "allow `help`")
	s.settings("verbs: []\n")
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "allow none.")
	s.settings("label: bot\n")
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict, "what is there now counts")
}

func TestSettingsThatCannotBeReadCloseEverything(t *testing.T) {
	t.Parallel()
	for says, file := range map[string]bottest.File{
		"is not valid YAML": {Data: "label: bot\nwho: [\n"},
		"is not a plain file; replace it with one, not a link":         {Mode: "120000", Data: "elsewhere.yml"},
		"is larger than 64 KiB, and settings take a few lines":         {Data: strings.Repeat("# comment\n", 7000)},
		"is larger than 64 KiB, and settings take a few lines, really": {Data: strings.Repeat("# comment\n", 2<<20)},
	} {
		s := newStory(t, goodbye)
		s.Repo.PushFiles("main", map[string]bottest.File{".github/tenon.yml": file}, "Set up\n")
		got := s.say("/tenon fix `main.go`")
		require.Contains(
			t,
			got.answer,
			"tenon does nothing here until its settings can be read: [`.github/tenon.yml` of `acme/lathe`",
		)
		require.Contains(t, got.answer, strings.TrimSuffix(says, ", really"))
		require.Empty(t, s.Model.Questions())
		require.Contains(t, s.say("/tenon config").answer, "These lines may hide a restriction")
		require.Contains(t, s.say("/tenon help").answer, "\n- `/tenon config` shows")
	}
	s := newStory(t, goodbye)
	s.settings("labl: bot\n")
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict, "an unknown key alone stops nothing")
	require.Contains(t, s.say("/tenon config").answer, "there is no setting `labl`; did you mean `label`?")
}

func TestAMisnamedFileOfSettingsIsPointedOut(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Repo.Push("main", map[string]string{".github/tenon.yaml": "enabled: false\n"})
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	require.Contains(t, s.say("/tenon config").answer, "`.github/tenon.yaml` does, which tenon does not read; rename it")
}

func TestAnOrganisationsRepositoryOutOfReachIsTold(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.organisation("enabled: false\n")
	s.GitHub.Install("acme", s.Repo)
	require.Contains(
		t,
		s.say("/tenon config").answer,
		"There is a repository `acme/.github`, but this app is not installed on it",
	)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict, "only the server's settings apply")
}

// Whether there is such a repository is believed for ten minutes; what it says is always asked.
func TestTheOrganisationsRepositoryIsRememberedForAWhile(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.say("/tenon config")
	s.say("/tenon config")
	require.Len(t, s.Calls("Sibling"), 1)
	s.Clock.Advance(5 * time.Minute)
	s.say("/tenon config")
	require.Len(t, s.Calls("Sibling"), 1)
	org := s.organisation("enabled: false\n")
	s.Clock.Advance(5 * time.Minute)
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "disabled here")
	require.Len(t, s.Calls("Sibling"), 2)
	org.Delete()
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict, "it is gone, as GitHub says when it is asked again")
	require.Len(t, s.Calls("Sibling"), 3)
}

// What of a repository that is there cannot be read may restrict something.
func TestSettingsThatGitHubDoesNotGiveAreWaitedFor(t *testing.T) {
	t.Parallel()
	for _, broken := range []error{errors.New("cut off"), port.ErrNotFound} {
		s := newStory(t, goodbye)
		s.organisation("label: bot\n")
		s.Before("Open").Of("acme/.github").Fail(broken)
		require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
		require.Contains(t, s.Logged(), "which is there")
	}
	s := newStory(t, goodbye)
	s.Before("Sibling").Every().Fail(errors.New("broken"))
	require.Equal(t, "confused", s.say("/tenon fix `main.go`").verdict)
	require.Empty(t, s.Model.Questions())
	require.Len(t, s.Queue.DeadLetters(), 1)
}

func TestAnEmptyRepositoryForSettingsSaysNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.GitHub.AddRepo("acme/.github", nil)
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
}

func TestAModelThatIsTakenAwayMeanwhileIsNotAsked(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.bot.Models = []port.ModelInfo{{Name: "one"}, {Name: "two"}}
	s.After("Record").Of("context").Do(func() { s.settings("models: [two]\n") })
	s.Before("Reserve").Kill()
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "The model `one` may no longer be used here.")
	require.Empty(t, s.Model.Questions())
}
