package links_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

func TestTheLinksOfAThreadAreThoseOfItsRepository(t *testing.T) {
	t.Parallel()
	for thread, want := range map[string]string{
		"https://github.example/acme/lathe/issues/7":    "https://github.example/acme/lathe",
		"https://github.example/acme/lathe/pull/7":      "https://github.example/acme/lathe",
		"https://github.example/pull/issues/pull/7":     "https://github.example/pull/issues",
		"https://host.example/github/acme/lathe/pull/7": "https://host.example/github/acme/lathe",
	} {
		require.Equal(t, want, links.Of(port.Thread{URL: thread}).Repository())
	}
}

func TestThePagesOfARepository(t *testing.T) {
	t.Parallel()
	const lathe = "https://github.example/acme/lathe"
	on := links.On("https://github.example/", "acme/lathe")
	for want, got := range map[string]string{
		"":                         on.Repository(),
		"/issues/7":                on.Thread(7, false),
		"/pull/7":                  on.Thread(7, true),
		"/pull/7/checks":           on.Checks(on.Thread(7, true)),
		"/commit/c0ffee":           on.Commit("c0ffee"),
		"/compare/c0ffee...decade": on.Compare("c0ffee", "decade"),
		"/compare/main...tenon/a%20%28b%29?expand=1": on.NewPull("main", "tenon/a (b)"),
		"/blob/c0ffee/a%20b/c.go":                    on.File("c0ffee", "a b/c.go", 0, 0),
		"/blob/c0ffee/a.go#L3":                       on.File("c0ffee", "a.go", 3, 3),
		"/blob/c0ffee/a.go#L3-L5":                    on.File("c0ffee", "a.go", 3, 5),
		"/actions/runs/12":                           on.WorkflowRun(12),
	} {
		require.Equal(t, lathe+want, got)
	}
	require.Equal(t, "https://github.example/maria/lathe-2/commit/c0ffee", on.Of("maria/lathe-2").Commit("c0ffee"))
}
