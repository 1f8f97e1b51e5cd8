package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlyWhatIsMeantAsAFileIsMissing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"server/start.go", "docs/usage.md", "docs/new.md", "start.go", "gone.txt", "./a/b.py", "src/app/[id]/page.tsx",
		"src/(group)/layout.tsx", "packages/@acme/core/index.ts", ".github/workflows/ci.yml", ".eslintrc.json",
		"build/Dockerfile", "docker/Makefile", "third_party/BUILD", "include/util.h", "src/x.c", "conf/app.toml",
		"app/Http/Kernel.php", "db/schema.sql", "lib/user.rb", "web/App.vue", "k8s/values.yaml", "go.mod", "CMakeLists.txt",
		"package.json", "src/main.rs", "text/intro.md", "image/logo.svg", "video/player.js", "文档/说明.md",
		"tests/test_x.py", "a+b/c.go", `src\main.cpp`, "x/y/z.ipynb", "1.2/notes.md", "ab.c",
	} {
		require.True(t, namesSourceFile(name), name)
	}
	for kind, names := range map[string][]string{
		"devices and absolute paths": {
			"/dev/null", "/usr/bin/env", "/etc/hosts.conf", "/tmp/x.txt", "/proc/self/status", "/src/main.go", "//x/y.go",
			`C:\Windows\system.ini`, "C:/Users/x/a.py", "D:\\a.txt", "~/.bashrc", "~/x.py", "$HOME/x.sh", "%APPDATA%/x.ini",
			"${DIR}/a.go", `\\share\x.txt`,
		},
		"what leads out": {"../x.go", "a/../../b.go", "..", "../..", "a/...", "..."},
		"media types": {
			"audio/ogg", "text/html", "text/plain", "image/svg+xml", "application/json", "application/vnd.api+json",
			"application/x-www-form-urlencoded", "multipart/form-data", "font/woff2", "video/mp4", "application/ld+json",
		},
		"units and sums": {"10+3J/m/s", "m/s", "km/h", "kg/m^3", "req/s", "MB/s", "1/2", "3/4", "10/100/1000"},
		"alternatives": {
			"and/or", "I/O", "n/a", "N/A", "read/write", "client/server", "TCP/IP", "yes/no", "input/output", "on/off",
			"true/false", "he/she", "GET/POST", "CI/CD", "w/o", "24/7", "A/B", "and/or/not", "docs/usage", "src/foo",
		},
		"dates and versions": {
			"2024/05/12", "12/05/2024", "05/12", "v1.2.3", "1.2.3", "1.2/1.3", "v2.0.0-rc.1", "python3.11", "ES2015",
			"libfoo.so.1", "foo-1.2.3.tar.gz",
		},
		"addresses": {
			"https://example.com/a.js", "example.com/index.html", "www.example.org/x.md", "github.com/acme/lathe/main.go",
			"localhost:8080", "127.0.0.1:3000", "example.com", "cdn.jsdelivr.net/npm/x.js", "raw.githubusercontent.com/a/b.py",
			"users/:id.json", "api/v1/users", "/api/v1/users.json", "a?b=c.js", "user@example.com", "docs.rs",
			"mailto:x@example.com", "acme/lathe#12", "acme/lathe@v1", "@acme/core",
		},
		"libraries": {
			"node_modules/react/index.js", "lib/node_modules/x/y.js", "Node.js", "node.js", "Vue.js", "Next.js", "socket.io",
			"three.js", "net/http", "encoding/json", "react-dom/server", "lodash/fp", "@babel/core",
		},
		"code": {
			"user.save", "console.log", "os.path", "self.c", "this.m", "response.json", "req.body", "fmt.Println", "a.b.c",
			"foo()", "foo.bar()", "a / b", "x.y", "i.e", "e.g", "s/foo/bar/", "s/a/b/g", "^/api/.*$", "--flag=a/b.go", "-x.go",
			"<name>.go", "{a,b}.go", "*.go", "a|b.go", "x = a.py", "a.py;b.py", "if/else", "try/catch", "App.config",
		},
		"placeholders":   {"path/to/file.go", "path/to/file", "path/to/x/y.md"},
		"nothing":        {"", ".", "/", "./", ".go", ".md", "a", "x.", "a//b.go", "a/b.go/"},
		"what is hidden": {"a\u202eb.go", "a\x00.go", "a\nb.go"},
		"what is long":   {strings.Repeat("a/", 200) + "b.go"},
	} {
		for _, name := range names {
			require.False(t, namesSourceFile(name), "%s: %q", kind, name)
		}
	}
}

func TestBogusNamesAreNotToldToTheModel(t *testing.T) {
	t.Parallel()
	q := story{
		body: "`/dev/null`, `audio/ogg`, `10+3J/m/s`, `localhost:8080`, `and/or`, `foo:12` and `server/gone.go:12` of " +
			"`main.go`",
		files: map[string]string{"main.go": "package main\n"},
	}.selects(t)
	require.Equal(t, []string{"server/gone.go"}, q.Missing)
	require.Equal(t, "there is no such file", q.why("server/gone.go"))
	require.Empty(t, q.why("/dev/null"))
}

func FuzzNamesSourceFile(f *testing.F) {
	for _, s := range []string{"a/b.go", "/dev/null", `a\b.c`, "x/[id].tsx", "..", "\xff/a.go"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if !namesSourceFile(name) {
			return
		}
		clean, inside := cleanName(strings.ReplaceAll(name, `\`, "/"))
		require.True(t, inside, "%q is relative", name)
		require.NotEmpty(t, clean)
		require.NotContains(t, name, "://")
		require.LessOrEqual(t, len(name), maxMissingBytes)
	})
}
