package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// settings puts settings on a branch of the repository.
func (s *stage) settings(branch, text string) {
	s.t.Helper()
	_, err := s.github.Push(s.repo, branch, map[string]string{".github/tenon.yml": text}, "Set tenon up\n")
	require.NoError(s.t, err)
}

// organisation makes the organisation's repository for settings.
func (s *stage) organisation(text string) {
	s.t.Helper()
	require.NoError(s.t,
		s.github.AddRepo(sim.Repo{Name: "acme/.github", Files: map[string]string{".github/tenon.yml": text},
			Public: true}))
}

// asked is the answer to a command that does not wait in line.
func (s *stage) asked(command string) string {
	s.t.Helper()
	before := s.answers()
	s.comment("maria", command)
	var answer string
	s.until("the answer to "+command, func() bool {
		for _, a := range s.answers() {
			if !slices.Contains(before, a) {
				answer = a
			}
		}
		return answer != ""
	})
	return answer
}

func TestARepositoryRestrictsWhatItsOrganisationAllows(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.organisation("protected: [docs]\ninstructions: Write British English.\nlimits: {files: 5}\n")
	s.settings("main", "protected: ['*.go']\nlimits: {files: 9}\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "confused")
	require.Contains(t, s.answers()[0], "❌ **Nothing committed:** ")
	require.Contains(t, s.answers()[0], "The settings protect this path")
	require.Empty(t, s.commits())
	require.Contains(t, s.model.questions()[0], "conventions of the organisation>>\nWrite British English.\n")

	text := s.asked("/tenon config")
	require.Regexp(t, "\n- `protected`: the built-in ones, `docs`, `\\*\\.go` · \\[the organisation, line "+
		"1\\]\\(\\S+/acme/.github/blob/[0-9a-f]{40}/.github/tenon.yml#L1\\), "+
		"\\[the repository, line 1\\]\\(\\S+/acme/lathe/blob/[0-9a-f]{40}/.github/tenon.yml#L1\\)\n", text)
	require.Contains(t, text, "`limits.files`: the organisation allows 5, and 9 is more, so this is ignored")
}

func TestAPullRequestsOwnSettingsDoNotCount(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.settings("main", "verbs: [help]\n")
	s.settings("speed", "verbs: [fix]\nwho: write\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "confused")
	require.Contains(t, s.answers()[0], "`/tenon fix` is not allowed here: [the repository's settings, line 1]")
	require.Contains(t, s.answers()[0], "allow `help`")
	require.Empty(t, s.model.questions())
	require.Empty(t, s.commits())

	s.settings("main", "label: bot\n")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket",
		"what is there now counts")
}

func TestSettingsThatCannotBeReadKeepEverythingAsItIs(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.settings("main", "label: bot\nwho: [\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "confused")
	require.Contains(t, s.answers()[0],
		"tenon does nothing here until its settings can be read: [`.github/tenon.yml` of `acme/lathe`, line ")
	require.Contains(t, s.answers()[0], "is not valid YAML")
	require.Empty(t, s.model.questions())
	require.Empty(t, s.commits())
	require.Contains(t, s.asked("/tenon config"), "These lines may hide a restriction")
	require.Contains(t, s.asked("/tenon help"), "\n- `/tenon config` shows")

	s.settings("main", "labl: bot\n")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket",
		"an unknown key alone stops nothing")
	require.Contains(t, s.asked("/tenon config"), "there is no setting `labl`; did you mean `label`?")
}

func TestAnOrganisationsRepositoryOutOfReachIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.organisation("enabled: false\n")
	_, err := s.github.Install(sim.Installation{Owner: "acme", Repos: []string{"lathe"}})
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.asked("/tenon config"),
		"There is a repository `acme/.github`, but this app is not installed on it")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket",
		"only the server's settings apply")
}

func TestAnOrganisationSwitchesTenonOff(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.organisation("enabled: false\n")
	s.settings("main", "enabled: true\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "confused")
	require.Contains(t, s.answers()[0], "tenon is disabled here by [the organisation's settings, line 1]")
	require.Empty(t, s.commits())
	require.Contains(t, s.asked("/tenon config"),
		"the organisation disables tenon, and it can only be enabled there")
}

func TestOnlyAdminsWhereTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddUser("paul"))
	require.NoError(t, s.github.SetRole(s.repo, "paul", entity.RoleWrite))
	s.settings("main", "who: admin\n")
	s.start()
	require.Contains(t, s.settled(s.comment("paul", "/tenon fix the words in `main.go`")), "-1")
	s.until("the refusal", func() bool { return len(s.answers()) > 0 })
	require.Contains(t, s.answers()[0], "needs admin permission in this repository, and you have write")
	require.Empty(t, s.model.questions())
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
}

func TestConventionsAreThoseOfTheBranchThatIsMergedInto(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.Branch(s.repo, "next", "main"))
	for branch, text := range map[string]string{"main": "Of main.\n", "next": "Of next.\n",
		"speed": "Of the pull request.\n"} {
		_, err := s.github.Push(s.repo, branch, map[string]string{"AGENTS.md": text}, "Agree\n")
		require.NoError(t, err)
	}
	var err error
	s.pull, err = s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Be fast in the next", Head: "speed",
		Base: "next"})
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
	require.Contains(t, s.model.questions()[0], "conventions AGENTS.md>>\nOf next.\n")
	require.NotContains(t, s.model.questions()[0], "Of main.")
}

func TestWhatTheSettingsHideIsNotShownAndNotEdited(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.settings("main", "ignore: [main.go]\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "confused")
	for _, q := range s.model.questions() {
		require.NotContains(t, q, strings.TrimSpace(stageFiles["main.go"]))
		require.NotContains(t, q, "println(\"hello\")\n}")
	}
	require.Contains(t, s.answers()[0], "The settings hide the file from the model")
	require.Empty(t, s.commits())
}

func TestMoreEditsThanTheSettingsAllowAreNotApplied(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply+"\ngreet.go\n```go\n<<<<<<< SEARCH\nfunc greet() string { return \"hello\" "+
		"}\n=======\nfunc greet() string { return \"goodbye\" }\n>>>>>>> REPLACE\n```\n")
	s.settings("main", "limits: {blocks: 1}\n")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go` and `greet.go`")), "confused")
	require.Contains(t, s.answers()[0],
		"The reply has 2 edits, and the limit for one command is 1 here, so nothing was applied.")
	require.Empty(t, s.commits())
}

func TestSettingsThatAreKnownCostOneGitRequestForEachRepository(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.organisation("who: write\n")
	s.settings("main", "label: bot\n")
	s.start()
	s.asked("/tenon config")
	s.github.ForgetRequests()
	s.asked("/tenon config")
	git, api := map[string]int{}, 0
	for _, r := range s.github.Requests() {
		repo, _, isGit := strings.Cut(r.Path, ".git/")
		switch {
		case isGit:
			git[repo]++
		case r.Method == "GET" && r.Path != "/api/v3/app/hook/deliveries": // which the sweep of a start asks for
			api++
		}
	}
	require.Equal(t, map[string]int{"/acme/lathe": 1, "/acme/.github": 1}, git)
	require.Equal(t, 1, api, "the permission of who asks")
}

// GitHub tells of the repository for settings as soon as it is part of the installation.
func TestAnOrganisationWithoutARepositoryForSettingsIsAskedForItOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.AddRepo(sim.Repo{Name: "acme/.github",
		Files: map[string]string{".github/tenon.yml": "verbs: [help, config]\n"}}))
	_, err := s.github.Install(sim.Installation{Owner: "acme", Repos: []string{s.repo}})
	require.NoError(t, err)
	s.start()
	require.NotContains(t, s.asked("/tenon config"), "acme/.github/blob/")
	s.github.ForgetRequests()
	s.asked("/tenon config")
	for _, r := range s.github.Requests() {
		require.NotContains(t, r.Path, "access_tokens")
		require.NotContains(t, r.Path, ".github")
	}
	_, err = s.github.Install(sim.Installation{Owner: "acme"})
	require.NoError(t, err)
	s.until("the delivery of the change", func() bool {
		return slices.ContainsFunc(s.github.Deliveries(), func(d simhttp.Delivery) bool {
			return d.Event == "installation_repositories" && d.Status == 204
		})
	})
	require.Contains(t, s.asked("/tenon config"), "acme/.github/blob/")
}
