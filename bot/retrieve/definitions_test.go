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

func TestWhatANamedPlaceUsesIsShownToo(t *testing.T) {
	t.Parallel()
	q := story{
		body: "server/start.go:4 is wrong",
		files: map[string]string{
			"server/start.go": "package server\n\nfunc Start() {\n\tlistenOn(port)\n}\n",
			"server/net.go":   "package server\n\nfunc listenOn(p int) {}\n",
			"server/far.go":   "package server\n\nfunc far() {}\n",
		},
	}.selects(t)
	require.Equal(t, []string{"server/start.go", "server/net.go"}, q.names())
	require.Equal(t, "defines what a shown place uses", q.Selection.Files[1].Why)
}

// Of what named places use, the files that define most of it are shown, and names that are defined everywhere say
// nothing.
func TestTheFilesThatDefineMostAreShown(t *testing.T) {
	t.Parallel()
	st := story{
		body: "a/main.go:3 b/main.go:3 c/main.go:3 d/main.go:3",
		files: map[string]string{
			"a/main.go": "package a\n\nfunc run() { first(); second(); common() }\n",
			"a/both.go": "package a\n\nfunc first() {}\n\nfunc second() {}\n",
			"b/main.go": "package b\n\nfunc run() { third() }\n", "b/one.go": "package b\n\nfunc third() {}\n",
			"c/main.go": "package c\n\nfunc run() {}\n",
			"d/main.go": "package d\n\nfunc run() { fourth() }\n", "d/one.go": "package d\n\nfunc fourth() {}\n",
		},
	}
	for _, name := range []string{"w", "x", "y", "z"} {
		st.files["a/"+name+".go"] = "package a\n\nfunc common() {}\n"
	}
	require.Equal(t, []string{"a/main.go", "b/main.go", "c/main.go", "d/main.go", "a/both.go", "b/one.go"},
		st.selects(t).names(), "of three files at most is looked up what they use")
}
