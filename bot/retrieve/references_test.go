package retrieve

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// tree is a repository with a bit of everything.
var tree = []string{
	".github/CODEOWNERS", "Makefile", "README.md", "app/[id]/page.tsx", "app/__init__.py", "app/main.py",
	"app/models/user.rb", "cmd/main.go",
	"docs/README.md", "docs/my notes.md", "internal/a/x.go", "internal/b/x.go", "server/start.go", "server/start_test.go",
	"src/App/Run.cs", "src/components/List.tsx", "src/main.rs",
	"src/main/java/com/acme/shop/Cart.java", "src/main/kotlin/com/acme/Main.kt",
	"src/net/server.rs", "src/utils/date.ts", "test", "web/app.js", "文档/说明.md",
}

// named resolves the references of a text, as "path" or "path:from-to".
func named(text string, files []string) (out []string) {
	x := indexOf(files...)
	for _, r := range findReferences(text) {
		for _, name := range r.names {
			found := x.resolve(name)
			for _, f := range found.files {
				if r.lines.From > 0 {
					f += fmt.Sprintf(":%d-%d", r.lines.From, r.lines.To)
				}
				out = append(out, f)
			}
			if len(found.files) > 0 {
				break
			}
		}
	}
	return out
}

func TestFilesThatACommentNames(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		text string
		want string // separated by bars
	}{
		"a whole path":                  {"look at server/start.go please", "server/start.go"},
		"in a code span":                {"look at `server/start.go`.", "server/start.go"},
		"with a line":                   {"server/start.go:12 is wrong", "server/start.go:12-12"},
		"with a line and a column":      {"server/start.go:12:5: undefined: x", "server/start.go:12-12"},
		"with a range":                  {"`server/start.go:12-20`", "server/start.go:12-20"},
		"with GitHub's line anchor":     {"server/start.go#L12-L20", "server/start.go:12-20"},
		"with GitHub's columns":         {"`server/start.go#L12C3-L20C9`", "server/start.go:12-20"},
		"with words behind":             {"`server/start.go`, line 42", "server/start.go:42-42"},
		"with words in brackets behind": {"server/start.go (lines 42 to 50)", "server/start.go:42-50"},
		"with words before":             {"line 7 of `server/start.go`", "server/start.go:7-7"},
		"another number behind":         {"`server/start.go` 42 times", "server/start.go"},
		"with ./":                       {"./server/start.go", "server/start.go"},
		"at the end of a sentence":      {"It is in server/start.go.", "server/start.go"},
		"in brackets":                   {"(see server/start.go)", "server/start.go"},
		"in a list with commas": {
			"server/start.go,cmd/main.go; Makefile",
			"server/start.go | cmd/main.go | Makefile",
		},
		"in emphasis":                      {"**server/start.go** and *cmd/main.go*", "server/start.go | cmd/main.go"},
		"as a Markdown link":               {"[the start](server/start.go)", "server/start.go"},
		"underscores are part of the name": {"app/__init__.py and `__init__.py`", "app/__init__.py | app/__init__.py"},
		"escaped underscores":              {`app/\_\_init\_\_.py`, "app/__init__.py"},
		"a base name that one file has":    {"fix start.go", "server/start.go"},
		"a base name that two files have":  {"fix x.go", "internal/a/x.go | internal/b/x.go"},
		"the end of a path":                {"fix a/x.go", "internal/a/x.go"},
		"the file at the top goes first":   {"README.md", "README.md"},
		"in another case":                  {"SERVER/Start.go and `readme.MD`", "README.md | server/start.go"},
		"a side of a diff": {
			"--- a/server/start.go\n+++ b/server/start.go",
			"server/start.go | server/start.go",
		},
		"more folders than there are":         {"/home/joe/lathe/server/start.go", "server/start.go"},
		"a path of Windows":                   {`C:\Users\joe\lathe\src\App\Run.cs`, "src/App/Run.cs"},
		"a path of Windows with a line":       {"`src\\App\\Run.cs:7`", "src/App/Run.cs:7-7"},
		"brackets in the name":                {"app/[id]/page.tsx is wrong", "app/[id]/page.tsx"},
		"a blank in the name":                 {"`docs/my notes.md`", "docs/my notes.md"},
		"Chinese without blanks":              {"请修复server/start.go中的错误", "server/start.go"},
		"Japanese punctuation":                {"「app/main.py」を直して、cmd/main.goも。", "app/main.py | cmd/main.go"},
		"a Chinese name":                      {"看 文档/说明.md", "文档/说明.md"},
		"no dot and no slash":                 {"The Makefile is wrong, and so is the test.", "Makefile"},
		"a bare word in code":                 {"run `test`", "test"},
		"a command line":                      {"`go vet server/start.go`", "server/start.go | server/start.go"},
		"in a code block":                     {"```\nedit cmd/main.go\n```", "cmd/main.go"},
		"no such file":                        {"fix nowhere.go", ""},
		"a path out of the tree":              {"../../etc/passwd /etc/passwd", ""},
		"dots and slashes":                    {". .. / // ... `` ``` () []", ""},
		"a link that is no link to a file":    {"https://example.com/server/start.go", ""},
		"a version is no file, and no domain": {"v1.2.3 on example.com, e.g. now", ""},
		"a line number beyond all files":      {"server/start.go:99999999999", "server/start.go"},
		"a frame of Go": {
			"goroutine 1 [running]:\nmain.main()\n\t/build/lathe/server/start.go:42 +0x1d",
			"server/start.go:42-42",
		},
		"a frame of Go's own library":        {"\t/usr/local/go/src/net/http/server.go:3102 +0x1", ""},
		"a frame of Python":                  {"  File \"/srv/lathe/app/main.py\", line 42, in run", "app/main.py:42-42"},
		"a frame of Node":                    {"    at Object.run (/srv/lathe/web/app.js:42:13)", "web/app.js:42-42"},
		"a frame of Node without a function": {"    at /srv/lathe/web/app.js:42:13", "web/app.js:42-42"},
		"a frame of webpack": {
			"    at List (webpack:///./src/components/List.tsx:7:3)",
			"src/components/List.tsx:7-7",
		},
		"a frame of Firefox": {
			"render@http://localhost:3000/src/components/List.tsx?t=1:7:3",
			"src/components/List.tsx:7-7",
		},
		"a frame of a dependency": {"    at run (/srv/lathe/node_modules/x/app.js:1:1)", ""},
		"a frame of Java": {
			"\tat com.acme.shop.Cart$Item.total(Cart.java:42)",
			"src/main/java/com/acme/shop/Cart.java:42-42",
		},
		"a frame of Java with a module": {
			"\tat app//com.acme.shop.Cart.total(Cart.java:42)",
			"src/main/java/com/acme/shop/Cart.java:42-42",
		},
		"a frame of Kotlin": {"\tat com.acme.MainKt.main(Main.kt:12)", "src/main/kotlin/com/acme/Main.kt:12-12"},
		"a frame of Rust": {
			"   3: lathe::net::server::start\n             at ./src/net/server.rs:42:9",
			"src/net/server.rs:42-42",
		},
		"a panic of Rust": {"thread 'main' panicked at src/main.rs:10:5:", "src/main.rs:10-10"},
		"a frame of C#": {
			`   at Acme.App.Run(String[] args) in C:\src\lathe\src\App\Run.cs:line 42`,
			"src/App/Run.cs:42-42",
		},
		"a frame of Ruby":                {"\tfrom app/models/user.rb:42:in `save'", "app/models/user.rb:42-42"},
		"an error of TypeScript":         {"src/utils/date.ts(12,5): error TS2345: no", "src/utils/date.ts:12-12"},
		"an error of TypeScript, pretty": {"src/utils/date.ts:12:5 - error TS2345: no", "src/utils/date.ts:12-12"},
		"an error of Rust":               {"error[E0308]: mismatched types\n  --> src/main.rs:10:5", "src/main.rs:10-10"},
		"an error of Maven": {
			"[ERROR] /w/src/main/java/com/acme/shop/Cart.java:[12,5] ';' expected",
			"src/main/java/com/acme/shop/Cart.java:12-12",
		},
		"a warning of a linter without column": {"app/main.py:12: E501 line too long", "app/main.py:12-12"},
		"words behind an error": {
			"app/main.py:12: wrong, compare `cmd/main.go` and web/app.js",
			"app/main.py:12-12 | cmd/main.go | web/app.js",
		},
		"two links": {"https://example.com/x https://github.example/acme/lathe/blob/main/Makefile#L3", "Makefile:3-3"},
		"a permalink": {
			"https://github.example/acme/lathe/blob/" + headSHA + "/server/start.go#L10-L20",
			"server/start.go:10-20",
		},
		"a permalink to a branch with slashes": {
			"(https://github.example/acme/lathe/blob/feature/x/server/start.go?plain=1#L10).",
			"server/start.go:10-10",
		},
		"a permalink with escapes": {
			"https://github.example/acme/lathe/blob/main/docs/my%20notes.md",
			"docs/my notes.md",
		},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, strings.Join(named(c.text, tree), " | "))
		})
	}
}

func TestSymbolsInCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"Start": "Start", "(*Server).Start()": "Start", "server.Start(ctx, nil)": "Start",
		"Cart::total": "total", "user.save!": "save", "#render": "render",
		"ok": "", "nil": "", "String": "", "a b": "", "x+y": "", "--flag": "", "12": "", "": "", strings.Repeat("x", 400): "",
	} {
		require.Equal(t, want, symbolIn(code), code)
	}
}

func FuzzFindReferences(f *testing.F) {
	for _, s := range []string{
		"server/start.go:12", "`a/b.go#L1-L2`", "> x.go\n\n\tat a.b.c(D.java:1)", "```\n  File \"x.py\", line 3\n",
		"https://h/o/r/blob/main/a#L1", "<!-- x -->", "[a]: b 'c'", "请x.go中", "**/*.{a,b}", "C:\\a\\b.cs:line 1",
	} {
		f.Add(s)
	}
	x := indexOf(tree...)
	f.Fuzz(func(t *testing.T, text string) {
		shown := markdown.ShownWithTargets(text)
		require.True(t, utf8.ValidString(shown))
		refs := findReferences(shown)
		require.LessOrEqual(t, len(refs), maxReferences)
		for _, r := range refs {
			require.NotZero(t, r.score(0))
			require.LessOrEqual(t, r.lines.From, r.lines.To)
			for _, name := range r.names {
				found := x.resolve(name)
				require.LessOrEqual(t, len(found.files), maxSameName)
				if r.reason == byPattern {
					x.match(name)
				}
			}
		}
		q := story{
			body: text, files: map[string]string{"server/start.go": "package server\n", "a/b.py": numbered("x = ", 500)},
			comment: port.Comment{Path: "a/b.py", Hunk: text, Line: 3},
		}.selects(t)
		require.LessOrEqual(t, len(q.Selection.LeftOut), maxLeftOut)
		require.Equal(t, "a/b.py", q.Files[0].Path)
	})
}
