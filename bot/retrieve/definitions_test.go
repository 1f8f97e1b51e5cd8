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
	require.Equal(t, []string{"a.go"}, story{body: "rename `Listen()`", files: files}.selects(t).names())
	require.Equal(t, []string{"c.py"}, story{body: "`Listener.close` leaks", files: files}.selects(t).names())
	require.Equal(t, []string{"d.rs"}, story{body: "`lathe::spin`", files: files}.selects(t).names())
	require.Empty(t, story{body: "rename `Listen()`", files: files, ignore: []string{"a.go"}}.selects(t).Files)
	for _, name := range []string{"e", "f", "g"} {
		files[name+".go"] = "package a\n\nfunc Listen() {}\n"
	}
	require.Empty(t, story{body: "rename `Listen`", files: files}.selects(t).Files, "four definitions say too little")
	for i := range 1100 {
		files["many/"+strings.Repeat("m", i%50+1)+strings.Repeat("n", i/50)+".py"] = "def spin():\n"
	}
	require.Empty(t, story{body: "`lathe::spin`", files: files}.selects(t).Files, "so many files are not looked into")
}
