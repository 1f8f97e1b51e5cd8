package bot

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func set[T any](v T, line int) Setting[T] { return Setting[T]{Value: v, Set: true, Line: line} }

// list is a list whose items stand below its key.
func list(line int, words ...string) Setting[[]Word] {
	s := set([]Word{}, line)
	for i, w := range words {
		s.Value = append(s.Value, Word{w, line + 1 + i})
	}
	return s
}

func problemsOf(p Policy) (out []string) {
	for _, problem := range p.Problems {
		out = append(out, fmt.Sprintf("%s:%d %s", problem.Source, problem.Line, problem.Text))
	}
	return out
}

// merged are the settings of an organisation and a repository on a server without any.
func merged(organisation, repository Layer) Policy {
	return DefaultPolicy().under(Organisation, organisation).under(Repository, repository)
}

func TestARepositoryRestrictsWhatItsOrganisationAllows(t *testing.T) {
	t.Parallel()
	p := merged(Layer{
		Verbs: list(1, "fix", "ask", "help"), Who: set(PermissionMaintain, 5), Models: list(6, "Fast", "slow"), Autofix: set(3, 9),
		Protected: list(10, "db"), Instructions: set("Be kind.", 12), Files: set(50, 13), UserCommands: set[int64](10, 14),
	}, Layer{
		Enabled: set(false, 1), Verbs: list(2, "fix"), Who: set(PermissionAdmin, 4), Models: list(5, "fast"), Model: set("fast", 7), Hold: set(true, 8), Autofix: set(0, 9),
		Protected: list(10, "db", "api"), Instructions: set("Be brief.", 13), Files: set(5, 14), UserCommands: set[int64](2, 15), Tokens: set[int64](9000, 16),
	})
	require.Empty(t, p.Problems)
	require.True(t, p.Disabled)
	require.Equal(t, []string{"fix"}, p.Verbs)
	require.Equal(t, PermissionAdmin, p.Who)
	require.Equal(t, []string{"Fast"}, p.Models)
	require.True(t, p.Hold)
	require.Zero(t, p.Autofix)
	require.Equal(t, []string{"db", "api"}, p.Protected)
	require.Equal(t, []Instruction{{Organisation, "Be kind."}, {Repository, "Be brief."}}, p.Instructions)
	require.Equal(t, Bounds{Files: 5, Blocks: 200, Tokens: 9000}, p.Bounds)
	require.EqualValues(t, 2, p.Budget.UserCommands)
	require.EqualValues(t, 60, p.Budget.RepositoryCommands)
	require.Equal(t, map[string][]Mark{
		"enabled": {{Repository, 1}}, "verbs": {{Organisation, 1}, {Repository, 2}}, "who": {{Repository, 4}}, "models": {{Organisation, 6}, {Repository, 5}},
		"model": {{Repository, 7}}, "partial": {{Repository, 8}}, "autofix": {{Repository, 9}}, "protected": {{Organisation, 10}, {Repository, 10}},
		"instructions": {{Organisation, 12}, {Repository, 13}}, "limits.files": {{Repository, 14}}, "limits.tokens": {{Repository, 16}}, "budget.user.commands": {{Repository, 15}},
	}, p.Marks)
}

func TestARepositoryCannotLoosenWhatItsOrganisationSays(t *testing.T) {
	t.Parallel()
	p := merged(Layer{
		Enabled: set(false, 1), Verbs: list(2, "fix"), Who: set(PermissionAdmin, 4), Models: list(5, "fast"), Hold: set(true, 7), Autofix: set(1, 8), Files: set(5, 9),
	}, Layer{
		Enabled: set(true, 1), Verbs: list(2, "fix", "run"), Who: set(PermissionWrite, 5), Models: list(6, "slow", "fast"), Model: set("slow", 9), Hold: set(false, 10),
		Autofix: set(2, 11), Files: set(6, 12), Blocks: set(200, 13), OwnerTokens: set[int64](41_000_000, 14),
	})
	require.True(t, p.Disabled)
	require.Equal(t, []string{"fix"}, p.Verbs)
	require.Equal(t, PermissionAdmin, p.Who)
	require.Equal(t, []string{"fast"}, p.Models)
	require.Empty(t, p.Model)
	require.True(t, p.Hold)
	require.Equal(t, 1, p.Autofix)
	require.Equal(t, 5, p.Bounds.Files)
	require.EqualValues(t, 40_000_000, p.Budget.OwnerTokens)
	require.Equal(t, []string{
		"repository:1 enabled: the organisation switched tenon off, and only there it can be switched on again, so this is ignored",
		"repository:4 verbs: run is not among those that the organisation allows, so this is ignored",
		"repository:5 who: the organisation asks for admin, and write is less, so this is ignored",
		"repository:7 models: slow is not among those that the organisation allows, so this is ignored",
		"repository:9 model: the model slow is not one of those that may be used here, so this is ignored",
		"repository:10 partial: the organisation holds back what fits only in part, so this is ignored",
		"repository:11 autofix: the organisation allows 1 round, and 2 rounds is more, so this is ignored",
		"repository:12 limits.files: the organisation allows 5, and 6 is more, so this is ignored",
		"repository:14 budget.organisation.tokens: the server allows 40,000,000, and 41,000,000 is more, so this is ignored",
	}, problemsOf(p))
}

func TestWhatRestrictsNothingIsTheRepositorysToChoose(t *testing.T) {
	t.Parallel()
	p := merged(Layer{Format: set("diff", 1), Label: set("bot", 2), Base: set("main", 3), Push: set(true, 4), LineFeeds: set(true, 5)},
		Layer{Format: set("v3", 1), Label: set("fix me", 2), Base: set("next", 3), Push: set(false, 4), LineFeeds: set(false, 5)})
	require.Empty(t, p.Problems)
	require.Equal(t, []any{"v3", "fix me", "next", false, false}, []any{p.Format, p.Label, p.Base, p.Push, p.LineFeeds})
}

func TestTheServersOwnBudgetMayBeMoreThanTheDefault(t *testing.T) {
	t.Parallel()
	p := ServerPolicy(Layer{UserCommands: set[int64](500, 3), Push: set(true, 0)})
	require.Empty(t, p.Problems)
	require.EqualValues(t, 500, p.Budget.UserCommands)
	require.True(t, p.Push)
	p = p.under(Organisation, Layer{UserCommands: set[int64](400, 1)}).under(Repository, Layer{UserCommands: set[int64](450, 1)})
	require.EqualValues(t, 400, p.Budget.UserCommands)
	require.Len(t, p.Problems, 1)
}

func TestAListThatNamesNothingAllowsNothing(t *testing.T) {
	t.Parallel()
	p := merged(Layer{}, Layer{Verbs: list(1), Models: list(2)})
	require.NotNil(t, p.Verbs)
	require.Empty(t, p.Verbs)
	require.False(t, p.allowsModel("fast"))
	p = merged(Layer{Verbs: list(1, "fix")}, Layer{Verbs: list(1, "ask")})
	require.NotNil(t, p.Verbs)
	require.Empty(t, p.Verbs)
}

// Policies are shared by all events of a server: what one repository says must not reach another.
func TestTheSettingsOfOneRepositoryDoNotReachAnother(t *testing.T) {
	t.Parallel()
	server := ServerPolicy(Layer{Protected: list(1, "a", "b", "c"), Ignore: list(2, "x"), Instructions: set("i", 3), Verbs: list(4, "fix", "ask")})
	server.Protected = slices.Grow(server.Protected, 8)
	one := server.under(Repository, Layer{Protected: list(1, "one"), Ignore: list(2, "y"), Instructions: set("j", 3), Verbs: list(4, "run"), Who: set(PermissionAdmin, 5)})
	two := server.under(Repository, Layer{Protected: list(1, "two")})
	require.Equal(t, []string{"a", "b", "c", "one"}, one.Protected)
	require.Equal(t, []string{"a", "b", "c", "two"}, two.Protected)
	require.Equal(t, PermissionWrite, two.Who)
	require.Empty(t, server.Problems)
	require.NotContains(t, server.Marks, "who")
	require.Len(t, server.Marks["protected"], 1)
	require.Len(t, server.Instructions, 1)
}

func TestGlobsAreReadLikeThoseOfGitignore(t *testing.T) {
	t.Parallel()
	for pattern, names := range map[string][2][]string{
		"db":               {{"db", "db/a/b.sql", "x/db/c", "DB/a", "db./a", "d\u200cb/a"}, {"dbx", "a/dbx/b"}},
		"db/":              {{"db/a", "x/db/c"}, {"dbx"}},
		"/db":              {{"db/a", "db"}, {"x/db/c"}},
		"*.sql":            {{"a.sql", "x/y/B.SQL", "a.sql/b"}, {"a.sqlx"}},
		"src/**/gen":       {{"src/gen", "src/a/b/gen/x.go"}, {"gen/x.go"}},
		"db/migrations/**": {{"db/migrations/1.sql"}, {"db/seed.sql"}},
		"{a,b}/*.md":       {{"a/x.md", "b/y.md"}, {"c/x.md", "a/b/x.md"}},
		"[Mm]akefile":      {{"Makefile", "x/makefile"}, {"makefiles"}},
	} {
		require.Empty(t, GlobProblem(pattern), pattern)
		for _, name := range names[0] {
			require.True(t, fitsGlob([]string{"no", pattern}, name), "%s %s", pattern, name)
		}
		for _, name := range names[1] {
			require.False(t, fitsGlob([]string{"no", pattern}, name), "%s %s", pattern, name)
		}
	}
	for _, bad := range []string{"", "/", " ", "!a", `a\b`, "[", "a\nb", "a\u202eb", "*/*/*/*/*/*/*/*/*", "{a}{b}{c}"} {
		require.NotEmpty(t, GlobProblem(bad), bad)
	}
}

func TestSettingsProtectAndHideBesideWhatIsBuiltIn(t *testing.T) {
	t.Parallel()
	p := Policy{Protected: []string{"db/**"}, Ignore: []string{"*.csv"}}
	require.True(t, p.protects("db/1.sql"))
	require.True(t, p.protects(".github/workflows/ci.yml"))
	require.False(t, p.protects("a.csv"), "it may be made anew")
	require.Equal(t, "the settings keep it from the model", hides(p, "x/a.csv"))
	require.NotEmpty(t, hides(p, ".env"))
	require.Empty(t, hides(p, "main.go"))

	tree := engine.MemTree{"a.csv": []byte("secret,1\n")}
	require.True(t, Guard{Policy: p, Tree: tree}.Protects("a.csv"), "a failed edit would tell what it holds")
	require.False(t, Guard{Policy: p, Tree: tree}.Protects("b.csv"))
}

func TestMoreEditsThanTheSettingsAllowAreRefused(t *testing.T) {
	t.Parallel()
	blocks := []engine.Block{{Path: "a"}, {Path: "a"}, {Path: "b"}}
	require.NoError(t, Bounds{Files: 2, Blocks: 3}.within(blocks))
	require.NoError(t, Bounds{}.within(blocks))
	require.EqualError(t, Bounds{Files: 2, Blocks: 2}.within(blocks), "The reply holds 3 edits, and the limit for one command is 2 here, so nothing was applied. Ask for less at a time; `/tenon config` shows where the limit stands.")
	require.EqualError(t, Bounds{Files: 1, Blocks: 3}.within(blocks), "The reply changes 2 files, and the limit for one command is 1 here, so nothing was applied. Ask for less at a time; `/tenon config` shows where the limit stands.")
	require.NoError(t, DefaultPolicy().Bounds.within(make([]engine.Block, 300)), "the engine has its own bound")
}

func TestACallThatTheSettingsDoNotAffordIsNotMade(t *testing.T) {
	t.Parallel()
	b := Bounds{Tokens: 20_000}
	require.NoError(t, b.affords(Usage{}, reserve(Request{System: "x"})))
	require.ErrorContains(t, b.affords(Usage{In: 9000, Out: 1}, reserve(Request{System: "x"})), "about 21,001 tokens, and one command may take 20,000 here")
	require.NoError(t, Bounds{}.affords(Usage{In: 1e9}, reserve(Request{})))
}

func TestWhoMayIsRaisedForWhatChangesSomething(t *testing.T) {
	t.Parallel()
	p := Policy{Who: PermissionMaintain}
	require.Equal(t, PermissionMaintain, p.needs(Command{Needs: PermissionWrite}))
	require.Equal(t, PermissionAdmin, p.needs(Command{Needs: PermissionAdmin}))
	require.Equal(t, PermissionRead, p.needs(Command{Needs: PermissionRead}))
	require.Equal(t, PermissionWrite, p.needs(Command{Verb: "config", Needs: PermissionWrite}), "it shows what keeps somebody away")
	require.Equal(t, PermissionWrite, Policy{}.needs(Command{Needs: PermissionWrite}))
}

func TestTheModelIsTheCommandsThenTheSettings(t *testing.T) {
	t.Parallel()
	models := []ModelInfo{{Name: "fast"}, {Name: "slow"}, {Name: "dear"}}
	for _, c := range []struct {
		asked  string
		policy Policy
		want   string
	}{
		{"", Policy{}, "fast"},
		{"", Policy{Model: "Slow"}, "slow"},
		{"dear", Policy{Model: "slow"}, "dear"},
		{"", Policy{Models: []string{"slow", "dear"}}, "slow"},
		{"fast", Policy{Models: []string{"slow", "dear"}}, "There is no model `fast` for this repository. There are: `slow`, `dear`."},
		{"", Policy{Models: []string{}}, "No model may be used in this repository. `/tenon config` shows which setting leaves none."},
	} {
		s := &session{Bot: &Bot{Models: models}, journal: journalOf(Run{}), ev: lathe, inv: invocation{options: options{model: c.asked}}, policy: c.policy}
		m, err := s.model()
		if err != nil {
			m.Name = err.Error()
		}
		require.Equal(t, c.want, m.Name)
	}
}
