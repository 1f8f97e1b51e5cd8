package policy

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
)

// layer reads a file in which nothing is wrong.
func layer(t *testing.T, text string) Layer {
	t.Helper()
	l, problems := Parse([]byte(text))
	require.Empty(t, problems)
	return l
}

// merged returns the policy of a repository with these files on a server that configures nothing.
func merged(t *testing.T, organisation, repository string) Policy {
	t.Helper()
	return DefaultPolicy().Under(Organisation, layer(t, organisation)).Under(Repository, layer(t, repository))
}

func problemsOf(p Policy) (out []string) {
	for _, problem := range p.Problems {
		out = append(out, fmt.Sprintf("%s:%d %s", problem.Source, problem.Line, problem.Text))
	}
	return out
}

func TestARepositoryRestrictsWhatItsOrganisationAllows(t *testing.T) {
	t.Parallel()
	p := merged(t, `verbs: [fix, ask, help]
who: maintain
models: [Fast, slow]
autofix: 3
protected: [db]
instructions: Be kind.
limits: {files: 50, code_tokens: 20_000}
budget: {user: {commands: 10}}
`, `enabled: false
verbs: [fix]
who: admin
models: [fast]
model: fast
partial: hold
autofix: off
protected: [db, api]
instructions: Be brief.
limits:
  files: 5
  tokens: 9000
  code_tokens: 12000
budget: {user: {commands: 2}}
`)
	require.Empty(t, p.Problems)
	require.True(t, p.Disabled)
	require.Equal(t, []string{"fix"}, p.Verbs)
	require.Equal(t, port.PermissionAdmin, p.Who)
	require.Equal(t, []string{"Fast"}, p.Models)
	require.Equal(t, "fast", p.Model)
	require.True(t, p.Hold)
	require.Zero(t, p.Autofix)
	require.Equal(t, []string{"db", "api"}, p.Protected)
	require.Equal(t, []Instruction{{Organisation, "Be kind."}, {Repository, "Be brief."}}, p.Instructions)
	require.Equal(t, Bounds{Files: 5, Blocks: 200, Tokens: 9000, CodeTokens: 12_000}, p.Bounds)
	require.EqualValues(t, 2, p.Budget.UserCommands)
	require.EqualValues(t, 60, p.Budget.RepositoryCommands)
	require.Equal(t, map[string][]Mark{
		"enabled": {{Repository, 1}}, "verbs": {{Organisation, 1}, {Repository, 2}}, "who": {{Repository, 3}},
		"models": {{Organisation, 3}, {Repository, 4}}, "model": {{Repository, 5}}, "partial": {{Repository, 6}},
		"autofix": {{Repository, 7}}, "protected": {{Organisation, 5}, {Repository, 8}},
		"instructions": {{Organisation, 6}, {Repository, 9}}, "limits.files": {{Repository, 11}},
		"limits.tokens": {{Repository, 12}}, "limits.code_tokens": {{Repository, 13}},
		"budget.user.commands": {{Repository, 14}},
	}, p.Marks)
}

func TestARepositoryCannotLoosenWhatItsOrganisationSays(t *testing.T) {
	t.Parallel()
	p := merged(t, `enabled: false
verbs: [fix]
who: admin
models: [fast]
partial: hold
autofix: 1
limits: {files: 5, code_tokens: 12_000}
`, `enabled: true
verbs:
  - fix
  - run
who: write
models:
  - slow
  - fast
model: slow
partial: commit
autofix: 2
limits:
  files: 6
  blocks: 200
  code_tokens: 12_001
budget: {organisation: {tokens: 41_000_000}}
`)
	require.True(t, p.Disabled)
	require.Equal(t, []string{"fix"}, p.Verbs)
	require.Equal(t, port.PermissionAdmin, p.Who)
	require.Equal(t, []string{"fast"}, p.Models)
	require.Empty(t, p.Model)
	require.True(t, p.Hold)
	require.Equal(t, 1, p.Autofix)
	require.Equal(t, 5, p.Bounds.Files)
	require.Equal(t, 12_000, p.Bounds.CodeTokens)
	require.EqualValues(t, 40_000_000, p.Budget.OwnerTokens)
	require.Equal(t, []string{
		"repository:1 enabled: the organisation disables tenon, and it can only be enabled there, so this " +
			"is ignored",
		"repository:4 verbs: run is not among those that the organisation allows, so this is ignored",
		"repository:5 who: the organisation requires admin, which is more than write, so this is ignored",
		"repository:7 models: slow is not among those that the organisation allows, so this is ignored",
		"repository:9 model: the model slow is not one of those that may be used here, so this is ignored",
		"repository:10 partial: the organisation requires that all edits fit, so this is ignored",
		"repository:11 autofix: the organisation allows 1 round, and 2 rounds is more, so this is ignored",
		"repository:13 limits.files: the organisation allows 5, and 6 is more, so this is ignored",
		"repository:15 limits.code_tokens: the organisation allows 12,000, and 12,001 is more, so this is ignored",
		"repository:16 budget.organisation.tokens: the server allows 40,000,000, and 41,000,000 is more, so this is ignored",
	}, problemsOf(p))
	for _, problem := range p.Problems {
		require.False(t, problem.Closes, "nothing is lost: what the organisation says applies")
	}
}

func TestALoosenedListNamesAllThatRestrictedIt(t *testing.T) {
	t.Parallel()
	p := DefaultPolicy().Under(Server, layer(t, "verbs: [fix, ask, undo]")).
		Under(Organisation, layer(t, "verbs: [fix, ask]")).Under(Repository, layer(t, "verbs: [fix, undo]"))
	require.Equal(t, []string{"fix"}, p.Verbs)
	require.Equal(t, []string{"repository:1 verbs: undo is not among those that the server and the organisation allows, " +
		"so this is ignored"}, problemsOf(p))
}

func TestAnAutofixThatIsOffStaysOff(t *testing.T) {
	t.Parallel()
	p := merged(t, "autofix: off", "autofix: 1")
	require.Zero(t, p.Autofix)
	require.Equal(t, []string{
		"repository:1 autofix: the organisation allows off, and 1 round is more, so this is ignored",
	}, problemsOf(p))
}

func TestWhatDoesNotParseIsRefusedWhereAnybodySaysSo(t *testing.T) {
	t.Parallel()
	require.False(t, DefaultPolicy().WarnOnly)
	require.True(t, merged(t, "", "syntax: warn").WarnOnly, "nobody above says otherwise")
	require.False(t, merged(t, "syntax: warn", "syntax: refuse").WarnOnly)
	require.Equal(t, Organisation, merged(t, "syntax: warn", "syntax: warn").Marks["syntax"][0].Origin)
	p := merged(t, "syntax: refuse", "syntax: warn")
	require.False(t, p.WarnOnly)
	require.Equal(t, []string{
		"repository:1 syntax: the organisation refuses edits after which a file does not parse, so this is ignored",
	}, problemsOf(p))
	p = ServerPolicy(layer(t, "syntax: warn")).Under(Organisation, layer(t, "syntax: refuse")).
		Under(Repository, layer(t, "syntax: warn"))
	require.False(t, p.WarnOnly)
	require.Len(t, p.Problems, 1)
}

func TestWhatIsNotCheckedIsRefusedWhereAnybodySaysSo(t *testing.T) {
	t.Parallel()
	require.False(t, DefaultPolicy().RefuseUnchecked)
	require.True(t, merged(t, "", "unchecked: refuse").RefuseUnchecked)
	require.True(t, merged(t, "unchecked: commit", "unchecked: refuse").RefuseUnchecked)
	p := merged(t, "unchecked: refuse", "unchecked: commit")
	require.True(t, p.RefuseUnchecked)
	require.Equal(t, []string{
		"repository:1 unchecked: the organisation refuses edits of files that are not checked, so this is ignored",
	}, problemsOf(p))
	require.False(t, p.TreatsEditsAs(DefaultPolicy()))
}

func TestCautionsAreHeldWhereAnybodySaysSo(t *testing.T) {
	t.Parallel()
	require.False(t, DefaultPolicy().HoldCautions)
	require.True(t, merged(t, "caution: show", "caution: hold").HoldCautions)
	p := merged(t, "caution: hold", "caution: show")
	require.True(t, p.HoldCautions)
	require.Equal(t, []string{
		"repository:1 caution: the organisation leaves edits with a caution to people, so this is ignored",
	}, problemsOf(p))
}

func TestARepositoryChoosesWhatRestrictsNothing(t *testing.T) {
	t.Parallel()
	p := merged(t, "format: diff\nlabel: bot\nbase: main\ncommits: push\nline_endings: lf\nnotify: none\nmodel: fast",
		"format: v3\nlabel: fix me\nbase: next\ncommits: verified\nline_endings: keep\nnotify: requester\nmodel: slow")
	require.Empty(t, p.Problems)
	require.Equal(t, []any{"v3", "fix me", "next", false, false, false, "slow"},
		[]any{p.Format, p.Label, p.Base, p.Push, p.LineFeeds, p.Quiet, p.Model})
	for _, name := range []string{"format", "label", "base", "commits", "line_endings", "notify", "model"} {
		require.Len(t, p.Marks[name], 1, name)
		require.Equal(t, Repository, p.Marks[name][0].Origin, name)
	}
}

// The line that a value comes from is the highest one that gives it.
func TestAValueThatIsGivenAgainKeepsItsPlace(t *testing.T) {
	t.Parallel()
	same := "enabled: false\nverbs: [fix]\nwho: admin\nmodels: [fast]\npartial: hold\nlimits: {files: 5}\n"
	p := merged(t, same, same)
	require.Empty(t, p.Problems)
	for _, name := range []string{"enabled", "verbs", "who", "models", "partial", "limits.files"} {
		require.Len(t, p.Marks[name], 1, name)
		require.Equal(t, Organisation, p.Marks[name][0].Origin, name)
	}
	p = merged(t, "", "enabled: true\nwho: write\npartial: commit\nlimits: {files: 200}\n")
	for i, name := range []string{"enabled", "who", "partial", "limits.files"} {
		require.Equal(t, []Mark{{Repository, i + 1}}, p.Marks[name], "a default that a layer gives comes from there")
	}
}

func TestTheServersOwnBudgetMayBeMoreThanTheDefault(t *testing.T) {
	t.Parallel()
	p := ServerPolicy(layer(t, "budget: {user: {commands: 500}}\ncommits: push\n"))
	require.Empty(t, p.Problems)
	require.EqualValues(t, 500, p.Budget.UserCommands)
	require.True(t, p.Push)
	p = p.Under(Organisation, layer(t, "budget: {user: {commands: 400}}")).
		Under(Repository, layer(t, "budget: {user: {commands: 450}}"))
	require.EqualValues(t, 400, p.Budget.UserCommands)
	require.Equal(t, []string{
		"repository:1 budget.user.commands: the organisation allows 400, and 450 is more, so this is ignored",
	}, problemsOf(p))
}

func TestAListThatNamesNothingAllowsNothing(t *testing.T) {
	t.Parallel()
	p := merged(t, "", "verbs: []\nmodels: []\n")
	require.NotNil(t, p.Verbs)
	require.Empty(t, p.Verbs)
	require.False(t, p.AllowsModel("fast"))
	fix, _ := command.Lookup("fix")
	require.False(t, p.AllowsCommand(fix))
	p = merged(t, "verbs: [fix]", "verbs: [ask]")
	require.NotNil(t, p.Verbs)
	require.Empty(t, p.Verbs)
}

// Policies are shared by all events of a server: what one repository says must not reach another.
func TestTheSettingsOfOneRepositoryDoNotReachAnother(t *testing.T) {
	t.Parallel()
	server := ServerPolicy(layer(t, "protected: [a, b, c]\nignore: [x]\ninstructions: i\nverbs: [fix, ask]\n"))
	server.Protected = slices.Grow(server.Protected, 8)
	one := server.Under(Repository, layer(t, "protected: [one]\nignore: [y]\ninstructions: j\nverbs: [run]\nwho: admin\n"))
	two := server.Under(Repository, layer(t, "protected: [two]\n"))
	require.Equal(t, []string{"a", "b", "c", "one"}, one.Protected)
	require.Equal(t, []string{"a", "b", "c", "two"}, two.Protected)
	require.Equal(t, port.PermissionWrite, two.Who)
	require.Empty(t, server.Problems)
	require.NotContains(t, server.Marks, "who")
	require.Len(t, server.Marks["protected"], 1)
	require.Len(t, server.Instructions, 1)
}

func TestTheFirstProblemThatMayHideARestrictionClosesTheRepository(t *testing.T) {
	t.Parallel()
	_, closed := Policy{Problems: []Problem{{Text: "an unknown key"}}}.Closed()
	require.False(t, closed)
	first, closed := Policy{Problems: []Problem{{Text: "an unknown key"}, {Text: "no YAML", Closes: true},
		{Text: "a third", Closes: true}}}.Closed()
	require.True(t, closed)
	require.Equal(t, "no YAML", first.Text)
}

func TestWhoIsAskedForMoreOnlyByWhatChangesSomething(t *testing.T) {
	t.Parallel()
	p := Policy{Who: port.PermissionMaintain}
	require.Equal(t, port.PermissionMaintain, p.Needs(command.Command{Needs: port.PermissionWrite}))
	require.Equal(t, port.PermissionAdmin, p.Needs(command.Command{Needs: port.PermissionAdmin}))
	require.Equal(t, port.PermissionRead, p.Needs(command.Command{Needs: port.PermissionRead}))
	config, _ := command.Lookup("config")
	require.Equal(t, port.PermissionWrite, p.Needs(config), "it shows what keeps somebody away")
	require.Equal(t, port.PermissionWrite, Policy{}.Needs(command.Command{Needs: port.PermissionWrite}))
}

func TestSettingsCannotForbidTheCommandsThatShowThem(t *testing.T) {
	t.Parallel()
	var always []string
	for _, c := range command.All() {
		require.True(t, DefaultPolicy().AllowsCommand(c), c.Verb)
		require.Equal(t, c.AlwaysAllowed || c.Verb == "fix", Policy{Verbs: []string{"fix"}}.AllowsCommand(c), c.Verb)
		if (Policy{Verbs: []string{}}).AllowsCommand(c) {
			always = append(always, c.Verb)
		}
	}
	require.Equal(t, []string{"cancel", "status", "config", "help"}, always)
}

func TestAModelIsAllowedInAnyCase(t *testing.T) {
	t.Parallel()
	p := Policy{Models: []string{"Fast"}}
	require.True(t, p.AllowsModel("fast"))
	require.False(t, p.AllowsModel("slow"))
	require.True(t, Policy{}.AllowsModel("any"))
}

// Another workflow than the one that an organisation names might let everything pass.
func TestAWorkflowThatHasToPassIsReplacedByNoLowerLayer(t *testing.T) {
	t.Parallel()
	p := merged(t, "verify: verify.yml", "verify: nothing.yml")
	require.Equal(t, "verify.yml", p.Verify)
	require.Equal(t, []string{
		"repository:1 verify: the organisation requires that verify.yml passes, so this is ignored",
	}, problemsOf(p))
	require.Equal(t, "verify.yml", merged(t, "", "verify: verify.yml").Verify)
}
