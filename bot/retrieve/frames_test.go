package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/prompts"
)

// A panic of Go names what ran, the innermost frame first; what runs it is not the repository's.
func TestAPanicOfGo(t *testing.T) {
	t.Parallel()
	q := story{
		body: "/tenon fix this\n\n```\npanic: runtime error: invalid memory address or nil pointer dereference\n" +
			"[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4a2d1c]\n\ngoroutine 18 [running]:\n" +
			"github.com/acme/lathe/internal/spin.(*Lathe).Turn(0x0)\n" +
			"\t/home/runner/work/lathe/internal/spin/turn.go:520 +0x1c\n" +
			"main.run(...)\n\t/home/runner/work/lathe/cmd/lathe/main.go:4\n" +
			"runtime.goexit()\n\t/usr/local/go/src/runtime/asm_amd64.s:1695 +0x1\n" +
			"created by main.main\n\t/home/runner/work/lathe/cmd/lathe/start.go:7 +0x9\n```\n",
		files: map[string]string{
			"internal/spin/turn.go":      "package spin\n\nfunc (l *Lathe) Turn() {\n" + numbered("// line", 900) + "}\n",
			"internal/spin/turn_test.go": "package spin\n", "internal/other.go": "package internal\n",
			"cmd/lathe/main.go":  "package main\n\nfunc run() {\n\tlathe.Turn()\n}\n",
			"cmd/lathe/start.go": "package main\n", "runtime/asm_amd64.s": "x\n",
		},
	}.selects(t)
	require.Equal(t, []string{
		"internal/spin/turn.go 1-120 460-580", "cmd/lathe/main.go", "cmd/lathe/start.go", "internal/spin/turn_test.go",
	}, q.names())
	turn := q.Files[0]
	require.Equal(t, 904, turn.Lines)
	require.True(t, strings.HasPrefix(turn.Parts[1].Text, "// line 457\n"), turn.Parts[1].Text)
	require.Empty(t, turn.Outline, "what is shown is not listed again")
	require.Contains(t, q.Paths, prompts.Listing{Folder: "internal/spin", Names: []string{"turn.go", "turn_test.go"}})
	require.Equal(t, []int{80, 76, 72}, q.scores()[:3])
	require.Equal(t, "in a stack trace", q.Selection.Files[0].Why)
}

// Python's innermost frame is the last.
func TestATracebackOfPython(t *testing.T) {
	t.Parallel()
	q := story{
		body: "@tenon\n```\nTraceback (most recent call last):\n  File \"/app/shop/views.py\", line 3, in post\n" +
			"    cart.add(item)\n  File \"/usr/lib/python3.11/site-packages/django/db/models.py\", line 9, in add\n    x()\n" +
			"  File \"/app/shop/cart.py\", line 2, in add\n    raise errors.Empty\nerrors.Empty\n```",
		files: map[string]string{
			"shop/views.py": "a\nb\nc\n", "shop/cart.py": "def add():\n    raise ValueError\n",
			"tests/test_cart.py": "x\n", "db/models.py": "x\n",
		},
	}.selects(t)
	require.Equal(t, []string{"shop/cart.py", "shop/views.py", "tests/test_cart.py"}, q.names())
	require.Equal(t, []int{80, 76, 5}, q.scores())
}

func TestAStackOfJavaFindsClassesByTheirPackage(t *testing.T) {
	t.Parallel()
	const (
		cart       = "core/src/main/java/com/acme/shop/Cart.java"
		cartTest   = "core/src/test/java/com/acme/shop/CartTest.java"
		controller = "web/src/main/java/com/acme/web/CartController.java"
	)
	q := story{
		body: "It fails:\n\n    java.lang.NullPointerException: price\n        at com.acme.shop.Cart.total(Cart.java:2)\n" +
			"        at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)\n" +
			"        at com.acme.web.CartController.show(CartController.java:3)\n",
		files: map[string]string{
			cart: "class Cart {\n}\n", "legacy/src/com/acme/old/Cart.java": "class Cart {\n}\n",
			controller: "class CartController {\n}\n", cartTest: "class CartTest {}\n",
		},
	}.selects(t)
	require.Equal(t, []string{cart, controller, cartTest}, q.names())
}

func TestABacktraceOfRust(t *testing.T) {
	t.Parallel()
	q := story{
		body: "```\nthread 'main' panicked at src/net/server.rs:2:9:\ncalled `Option::unwrap()` on a `None` value\n" +
			"stack backtrace:\n   0: rust_begin_unwind\n             at /rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869" +
			"/library/std/src/panicking.rs:665:5\n   2: lathe::net::server::listen\n             at ./src/net/server.rs:2:9\n" +
			"   3: lathe::main\n             at ./src/main.rs:3:5\n```",
		files: map[string]string{
			"src/net/server.rs": "pub fn listen() {\n}\n", "src/main.rs": "fn main() {\n}\n", "src/panicking.rs": "x\n",
		},
	}.selects(t)
	require.Equal(t, []string{"src/net/server.rs", "src/main.rs"}, q.names())
}

func TestAListOfErrorsOfTypeScript(t *testing.T) {
	t.Parallel()
	q := story{
		body: "/tenon fix\n```\nsrc/list.tsx(2,5): error TS2345: Argument of type 'string' is not assignable.\n" +
			"src/api/client.ts(1,1): error TS2307: Cannot find module './types'.\nsrc/list.tsx(9,5): error TS2322: no\n\n" +
			"Found 3 errors in 2 files.\n```",
		files: map[string]string{"src/list.tsx": numbered("a", 10), "src/api/client.ts": "x\n", "src/list.test.tsx": "t\n"},
	}.selects(t)
	require.Equal(t, []string{"src/list.tsx", "src/api/client.ts", "src/list.test.tsx"}, q.names())
	require.Equal(t, "in an error message", q.Selection.Files[0].Why)
}
