package tree_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/tree"
)

// linkedTree is a MemTree with links and submodules.
type linkedTree struct {
	tree.MemTree
	links map[string]tree.Kind
}

func (t linkedTree) Kind(name string) (tree.Kind, error) {
	if kind, ok := t.links[name]; ok {
		return kind, nil
	}
	for link := range t.links {
		if strings.HasPrefix(link, name+"/") {
			return tree.Folder, nil
		}
	}
	return t.MemTree.Kind(name)
}

func (t linkedTree) Links(string) ([]string, error) { return slices.Sorted(maps.Keys(t.links)), nil }

func namedTree() linkedTree {
	files := tree.MemTree{}
	for _, name := range []string{"README.md", "main.go", "src/Parser.go", "src/deep/café.go", "src/straße.txt",
		"docs/a.md", "Makefile", "old~1", "odd:name.txt", "trail.", "pair/x.go", "pair/X.go"} {
		files[name] = []byte("text\n")
	}
	return linkedTree{files, map[string]tree.Kind{
		"link": tree.Symlink, "src/current": tree.Symlink, "vendored": tree.Submodule,
	}}
}

// otherNames are paths that no file may get in namedTree, by why.
func otherNames() map[string][]string {
	all := map[string][]string{}
	add := func(why string, names ...string) { all[why] = append(all[why], names...) }
	for _, name := range []string{"README.md", "main.go", "src/Parser.go", "src/deep/café.go", "src/straße.txt",
		"docs/a.md", "Makefile"} {
		add("case", strings.ToUpper(name), strings.ToUpper(name[:1])+name[1:]+"/x", swapCase(name),
			swapCase(name)+"/below.go")
		add("stream", name+":evil", name+"::$DATA", name+":$I30:$INDEX_ALLOCATION", name+":Zone.Identifier", name+":a/b.go",
			swapCase(name)+"::$DATA")
		add("end", name+".", name+"...", name+" .", name+". .", name+"./x.go", name+" /x.go")
		add("ignored", name[:1]+"\u200c"+name[1:], name+"\ufeff", name[:1]+"\u200d"+name[1:])
	}
	for _, folder := range []string{"src", "docs", "src/deep", "pair"} {
		add("folder", swapCase(folder)+"/new.go", folder+"./new.go", folder+" /new.go", folder+":s/new.go",
			folder+"::$INDEX_ALLOCATION/new.go", strings.ToUpper(folder[:1])+folder[1:]+"/deeper/new.go")
	}
	for _, link := range []string{"link", "src/current", "vendored"} {
		add("link", link, link+"/f.txt", swapCase(link), swapCase(link)+"/f.txt", strings.ToUpper(link[:1])+link[1:]+"/f.txt",
			link+"./f.txt", link+" /f.txt", link+"::$DATA/f.txt", link+":x/f.txt", link[:1]+"\u200c"+link[1:]+"/f.txt",
			link+"/../f.txt", "./"+swapCase(link)+"//f.txt")
	}
	add("normal form", norm.NFD.String("src/deep/café.go"), "src/DEEP/"+norm.NFD.String("café.go"),
		norm.NFD.String("src/deep/CAFÉ.go"), "src/strasse.txt", "src/STRASSE.TXT", "src/STRAẞE.txt", "ma\u0131n.go:x",
		"\u212aeep:x", "ſrc/x.go", "docſ/x.go", "SRC/ſ.go")
	for _, short := range []string{"GIT~1", "git~2", "PROGRA~1", "GITHUB~1", "WORKFL~1", "README~1.MD", "A~1", "a~12.go",
		"GI7EBA~1", "MAKEFI~1", "CODEOW~1", "TENON~1.YML", "MAIN~1.GO", "x~9.c"} {
		add("short name", short, short+"/x.go", "src/"+short, "new/"+short+"/deeper/x.go")
	}
	for _, device := range []string{"con", "CON", "nul.txt", "NUL.tar.gz", "aux.c", "PRN", "com1", "COM9.log", "com¹",
		"LPT³.x", "lpt1", "conin$", "CONOUT$", "nul .txt"} {
		add("device", device, "src/"+device, device+"/x.go")
	}
	for _, name := range []string{"new.txt.", "new.txt ", "new.txt. ", "new ./x", "new. /x", " new.txt", "dir/ new.txt",
		"new.txt\u00a0", "new\u3000/x", "new.txt:", "c:new", "a:b", "x::$DATA", "x:y:$DATA", "new/x:y", "n:w/x"} {
		add("new", name, "src/"+name)
	}
	for _, git := range []string{".git", ".GIT", ".git.", ".git ", ".git::$INDEX_ALLOCATION", "git~1", "GIT~1",
		".g\u200cit", ".Git. . "} {
		add("git", git+"/config", "src/"+git+"/hooks/x", git)
	}
	add("elsewhere", "../up", "a/../../up", "/etc/passwd", "~/x", "C:/x", `..\x`, `src\..\..\x`, "src/../../x", "\x00",
		"a\nb", "a\tb", "\xff", "a\u202eb", "a\u2066b", "a\u2028b", "a/", ".", "./", "")
	return all
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, s)
}

// What a new file is called must mean the same file on every system: of more than 300 names that do not, none is
// written.
func TestNoFileIsMadeUnderANameThatSomeSystemTakesForAnother(t *testing.T) {
	t.Parallel()
	tried := 0
	for why, names := range otherNames() {
		for _, name := range names {
			repo := namedTree()
			before := maps.Clone(repo.MemTree)
			blocks := []engine.Block{{Path: name, Create: true, Replace: []string{"evil"}}}
			out, err := engine.Apply(repo, blocks, engine.Options{})
			require.NoError(t, err)
			require.Equal(t, engine.Failed, out.Results[0].Status, "%s: %q", why, name)
			require.NotEmpty(t, out.Results[0].Detail)
			require.Equal(t, before, repo.MemTree, "%s: %q", why, name)
			tried++
		}
	}
	require.GreaterOrEqual(t, tried, 300)
	t.Logf("%d names refused, 0 written", tried)
}

func TestWhatATreeHasIsEditedWhateverItsNameIs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"odd:name.txt", "old~1", "trail.", "pair/x.go", "pair/X.go", "src/deep/café.go"} {
		repo := namedTree()
		blocks := []engine.Block{{Path: name, Find: []string{"text"}, Replace: []string{"new"}}}
		out, err := engine.Apply(repo, blocks, engine.Options{})
		require.NoError(t, err)
		require.Equal(t, engine.Applied, out.Results[0].Status, "%s: %s", name, out.Results[0].Detail)
	}
}

func TestOrdinaryNewNamesAreTaken(t *testing.T) {
	t.Parallel()
	repo := namedTree()
	var blocks []engine.Block
	names := []string{"readme.txt", "src/parser_test.go", "new/deep/a.go", "new/deep/b.go", ".gitignore", "a b.txt",
		"x~.txt", "notes~", "file.txt~", "x.~1~", "backup~2024.tar.gz", "ünïcode/日本.md", "src/deep/cafe.go",
		".env.example", "a..b",
		"src/current2/x.go", "linked/x.go", "console.log", "com10", "emoji/👍.md", "very-long~1.txt", "pair/y.go"}
	for _, name := range names {
		blocks = append(blocks, engine.Block{Path: name, Create: true, Replace: []string{"new"}})
	}
	out, err := engine.Apply(repo, blocks, engine.Options{})
	require.NoError(t, err)
	for _, r := range out.Results {
		require.Equal(t, engine.Applied, r.Status, "%s: %s", r.Path, r.Detail)
	}
	require.Len(t, out.Changed, len(names))
}

func TestTwoNewFilesOfOneReplyAreNoCasePair(t *testing.T) {
	t.Parallel()
	repo := tree.MemTree{}
	out, err := engine.Apply(repo, []engine.Block{
		{Path: "New/a.go", Create: true, Replace: []string{"1"}}, {Path: "new/b.go", Create: true, Replace: []string{"2"}},
		{Path: "New/A.go", Create: true, Replace: []string{"3"}}, {Path: "New/b.go", Create: true, Replace: []string{"4"}},
	}, engine.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"New/a.go", "New/b.go"}, out.Changed)
	require.Equal(t, engine.UnsafePath, out.Results[1].Reason)
	require.Equal(t, "Unsafe path: New/a.go exists, and some systems treat the two names as the same",
		out.Results[2].Detail)
}

// Files behind a link are not edited, however the path to them is written.
func TestAnEditThroughALinkInAnotherCaseIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"LINK/Parser.go", "Link/deep/café.go", "src/Current/Parser.go", "VENDORED/main.go"} {
		repo := namedTree()
		blocks := []engine.Block{{Path: name, Find: []string{"text"}, Replace: []string{"evil"}}}
		out, err := engine.Apply(repo, blocks, engine.Options{})
		require.NoError(t, err)
		require.Equal(t, engine.UnsafePath, out.Results[0].Reason, "%s: %s", name, out.Results[0].Detail)
		require.Empty(t, out.Changed)
	}
}

// A folder beside a link, in another spelling, does not hide it.
func TestALinkBesideAFolderIsNotWrittenThrough(t *testing.T) {
	t.Parallel()
	repo := linkedTree{tree.MemTree{"Lib/x.go": []byte("text\n")}, map[string]tree.Kind{"lib": tree.Symlink}}
	for _, names := range []*tree.Names{tree.NewNames(repo), tree.NewNames(listedTree{repo, new(int)})} {
		link, err := names.LinkBehind("LIB/x.go")
		require.NoError(t, err)
		require.Equal(t, "lib", link)
	}
}

// A name that differs in case alone may be given to the file that has the other, by moving it.
func TestNamesKnowWhatIsRemovedAtTheSameTime(t *testing.T) {
	t.Parallel()
	names := tree.NewNames(namedTree())
	for _, c := range []struct {
		name string
		gone []string
		want string
	}{
		{"readme.md", []string{"README.md"}, ""},
		{"readme.md", []string{"main.go"}, "README.md"},
		{"Docs/a.md", []string{"docs/a.md"}, ""},
		{"Src/Parser.go", []string{"src/Parser.go"}, "src"},
		{"README.md", nil, ""},
	} {
		twin, err := names.Twin(c.name, c.gone...)
		require.NoError(t, err)
		require.Equal(t, c.want, twin, c.name)
	}
}

func BenchmarkNamesOfALargeTree(b *testing.B) {
	repo := tree.MemTree{}
	for i := range 20_000 {
		repo[fmt.Sprintf("src/Module%d/File%d.go", i%300, i)] = nil
	}
	for b.Loop() {
		_, _ = tree.NewNames(repo).Twin("src/module7/file7.go")
	}
}
