package retrieve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/prompts"
)

func TestPathsAreListedByFolderEachOnce(t *testing.T) {
	t.Parallel()
	q := story{body: "hello there", ignore: []string{"private/**"}, files: map[string]string{
		"main.go": "package main\n", "main_test.go": "package main\n", "web/a b.ts": "x\n", "web/(shop)/[id].tsx": "x\n",
		"web/ünï.ts": "x\n", "web/a, b.ts": "x\n", "web/x/: y/z.ts": "x\n", "web/a,b.ts": "x\n",
		"docs/guide.md": "# x\n", "data.json": "{}\n", "logo.png": "x", "private/x.go": "package x\n",
		"vendor/v/v.go": "package v\n", "local_settings.py": "X = 1\n", "web/\x1b[31m.ts": "x\n", "web/a\nb.ts": "x\n",
		"a/deep/deep_test.go": "package deep\n", "link.go": "package main\n",
	}}.selects(t)
	require.Equal(t, []prompts.Listing{
		{Folder: ".", Names: []string{"link.go", "main.go", "main_test.go"}},
		{Folder: "a/deep", Names: []string{"deep_test.go"}},
		{Folder: "web", Names: []string{"a b.ts", "a,b.ts", "ünï.ts"}},
		{Folder: "web/(shop)", Names: []string{"[id].tsx"}},
	}, q.Paths, "without what is withheld, and what is no source")
	require.Equal(t, 2, q.Unlisted, "names that would be read as several")
	require.Equal(t, "8 source files besides tests: TypeScript (5), Go (2), TSX (1). Top folders: web/ (6).", q.Project)
	require.Empty(t, story{body: "hello", files: map[string]string{"a.md": "x\n"}}.selects(t).Project)
}

func TestTheLikeliestPathsAreListedFirst(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprintf("lib/deep/m%02d.py", i)] = "x = 1\n"
		files[fmt.Sprintf("lib/m%02d.py", i)] = "x = 1\n"
		files[fmt.Sprintf("tests/test_m%02d.py", i)] = "x = 1\n"
	}
	files["lib/deep/deeper/gear.py"] = "x = 1\n"
	for room, want := range map[int]string{
		0: "", 40: "gear", 200: "gear lib", 600: "gear lib deep", 1600: "gear lib deep tests",
	} {
		st := story{body: "the gear slips", files: files}
		repos := st.repository()
		out, err := Select(t.Context(), st.open(t, repos), st.query(repos), Room{Code: 1000, Names: room})
		require.NoError(t, err)
		require.LessOrEqual(t, listingBytes(out.Paths), room)
		listed := found{Found: out}.listed()
		require.Equal(t, 121, len(listed)+out.Unlisted, room)
		var kinds []string
		for kind, prefix := range map[string]string{
			"gear": "lib/deep/deeper/", "lib": "lib/m", "deep": "lib/deep/m", "tests": "tests/",
		} {
			if slices.ContainsFunc(listed, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
				kinds = append(kinds, kind)
			}
		}
		require.ElementsMatch(t, strings.Fields(want), kinds, "%d: what fits, what is near the root, and tests last", room)
	}
}

func TestListingsKeepToTheirRoom(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("many/%s%02d.md", strings.Repeat("x", 100), i)] = "x\n"
		files[fmt.Sprintf("more/%02d.md", i)] = "x\n"
	}
	st := story{body: "`many` and `more`", files: files}
	repos := st.repository()
	for _, room := range []int{0, 100, 1000, 100_000} {
		out, err := Select(t.Context(), st.open(t, repos), st.query(repos), Room{Names: room})
		require.NoError(t, err)
		require.LessOrEqual(t, listingBytes(out.Listings), room)
		require.Equal(t, room >= 1000, len(out.Listings) > 0)
	}
}
