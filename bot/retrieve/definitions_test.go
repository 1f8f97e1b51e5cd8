package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSymbolsAreShownWhereTheyAreDefined(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.go": "package a\n\nfunc Listen() {}\n", "b.go": "package a\n\nfunc other() { Listen() }\n",
		"c.py": "class Listener:\n    def close(self):\n        pass\n", "d.rs": "pub async fn spin() {}\n",
	}
	defining := func(body string, ignore ...string) []string {
		q := story{body: body, files: files, ignore: ignore}.selects(t)
		shown := q.shownFor(bySymbol)
		for i, name := range shown {
			require.Equal(t, name, q.Selection.Files[i].Path, "before what only has the words")
		}
		return shown
	}
	q := story{body: "rename `Listen()`", files: files}.selects(t)
	require.Equal(t, []string{"a.go", "b.go"}, q.names(), "where it is used has to be changed as well")
	require.Equal(t, []string{"b.go"}, q.shownFor(byRank))
	require.Equal(t, []string{"a.go"}, defining("rename `Listen()`"))
	require.Equal(t, []string{"c.py"}, defining("`Listener.close` leaks"))
	require.Equal(t, []string{"d.rs"}, defining("`lathe::spin`"))
	require.Empty(t, defining("rename `Listen()`", "a.go"))
	for _, name := range []string{"e", "f", "g"} {
		files[name+".go"] = "package a\n\nfunc Listen() {}\n"
	}
	require.Empty(t, defining("rename `Listen`"), "four definitions say too little")
	for i := range 1100 {
		files["many/"+strings.Repeat("m", i%50+1)+strings.Repeat("n", i/50)+".py"] = "def spin():\n"
	}
	require.Empty(t, defining("`lathe::spin`"))
}
