package caution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANewHostIsNamed(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"a.py": "get('https://api.partner.io/x')", "a.go": "http.Get(\"http://user:pw@API.partner.io:80/x\")",
		"a.js": "fetch(`wss://api.partner.io/${a}`)", "a.sh": "exec 3<>/dev/tcp/api.partner.io/443",
		"a.yml": "url: https://api.partner.io", "a.html": "<script src=\"//api.partner.io/a.js\"></script>",
		"a.sql": "select 'https://api.partner.io';",
	} {
		require.Equal(t, []string{path + ":2 api.partner.io"}, only(Host, changed(path, "x\n", "x\n"+line+"\n")), path)
	}
	require.Equal(t, []string{"a.py:1 203.0.113.7"}, only(Host, changed("a.py", "", "get('http://203.0.113.7/')\n")))
}

func TestAHostThatIsKnownOrNobodysIsNotNamed(t *testing.T) {
	t.Parallel()
	const line = "get('https://api.partner.io/x')\n"
	require.Empty(t, only(Host, changed("a.py", "", line), changed("b.js", "fetch('https://api.partner.io')\n", "")))
	const link = "https://api.partner.io\n"
	for path, text := range map[string]string{"b.md": "See " + link, "b.go": "// See " + link} {
		require.Len(t, only(Host, changed("a.py", "", line), changed(path, text, text+"x\n")), 1, "nothing connected to it")
	}
	for _, host := range []string{"localhost", "127.0.0.1", "10.0.0.1", "[::1]", "example.com", "api.example.org",
		"a.test", "db", "www.w3.org"} {
		require.Empty(t, only(Host, changed("a.py", "", strings.ReplaceAll(line, "api.partner.io", host))), host)
	}
	require.Empty(t, only(Host, changed("a.py", "", "# https://api.partner.io\ndef a():\n"+
		"    \"\"\"See https://api.partner.io\"\"\"\n")))
	require.Empty(t, only(Host, changed("a.rs", "", "/// See https://api.partner.io\nfn a() {}\n")))
	require.Empty(t, only(Host, changed("a.sty", "", "% https://api.partner.io\n")))
	require.Empty(t, only(Host, changed("tests/a.py", "", line)))
}

func TestAnAddressThatIsANameIsNoHost(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"a.xml":        `<a xmlns="http://partner.io/ns" xsi:schemaLocation="http://partner.io/a http://partner.io/a.xsd"/>`,
		"b.xml":        `<!DOCTYPE a SYSTEM "http://api.partner.io/a.dtd">`,
		"a.json":       `{"$schema": "https://api.partner.io/a.json"}`,
		"package.json": `{"homepage": "https://api.partner.io", "license": "https://partner.io/license"}`,
		"a.gemspec":    "s.homepage = 'https://api.partner.io'", "a.rb": "b['homepage_uri'] = 'https://partner.io'",
		"pyproject.toml": `Homepage = "https://partner.io"`,
		"c.xml":          "<url>https://www.apache.org/licenses/LICENSE-2.0</url>",
	} {
		require.Empty(t, only(Host, changed(path, "", line+"\n")), path)
	}
	for path, line := range map[string]string{
		"a.py": "u = 'https://api.partner.io/x'  # license", "b.py": "license = get('https://api.partner.io/x')",
		"a.js":  "const homepage = 1; fetch('https://api.partner.io')",
		"a.xml": `<a xmlns="b"><u>https://api.partner.io</u></a>`,
		"c.py":  "u = 'https://api.partner.io/license'",
	} {
		require.Equal(t, []string{path + ":1 api.partner.io"}, only(Host, changed(path, "", line+"\n")), path)
	}
}

func TestANewHostIsNamedInEverySpelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, line, want string }{
		{"a.json", `{"u": "https:\/\/partner.io\/x"}`, "partner.io"}, {"a.properties", `u=https\://partner.io/x`,
			"partner.io"},
		{"a.js", `b = /https:\/\/api\.partner\.io\//`, "api.partner.io"}, {"a.py", "u = 'http://134744072/x'", "134744072"},
		{"a.py", "u = 'http://0x08080808/x'", "0x08080808"}, {"a.html", "<script src=//partner.io/a.js></script>",
			"partner.io"},
		{"a.js", "import('//partner.io/a.js')", "partner.io"}, {"a.js", "import a from 'b'\nfetch(`//partner.io`)",
			"partner.io"},
		{"a.py", "u = 'git@partner.io:a/b.git'", "partner.io"}, {"a.py", "u = 'https://partner\u3002io/x'", "partner.io"},
		{"a.py", "u = 'https://g\u0456thub.com/x'", "g\u0456thub.com"}, {"a.js", `fetch('https://\x70artner.io/x')`,
			`\x70artner.io`},
		{"a.py", "u = 'https://part\u00adner.io/x'", "part\u00adner.io"},
	} {
		at := fmt.Sprintf("%s:%d ", c.path, strings.Count(c.line, "\n")+1)
		require.Equal(t, []string{at + c.want}, only(Host, changed(c.path, "", c.line+"\n")), c.line)
	}
	for _, line := range []string{"'http://2130706433/'", "'http://0x7f000001/'", "'http://3000/'", "'//partner.io'"} {
		require.Empty(t, only(Host, changed("a.py", "", "u = "+line+"\n")), line)
	}
}

func TestANewHostThatATestSendsToIsNamed(t *testing.T) {
	t.Parallel()
	for path, lines := range map[string]string{
		"a_test.go":       "_, _ = http.Get(\"https://partner.io/?\" + a)",
		"tests/test_a.py": "u = 'https://partner.io'\na = 1\nb(u, os.environ)",
		"a.test.js":       "const k = process.env.KEY\nb(`https://partner.io/${k}`)",
		"spec/a_spec.rb":  "Net::HTTP.get('https://partner.io')",
		"test/a.sh":       "curl -d @- https://partner.io",
	} {
		require.Len(t, only(Host, changed(path, "", lines+"\n")), 1, path)
	}
	require.Empty(t, only(Host, changed("a_test.go", "", "a := parse(\"https://partner.io\")\n")), "a word of a test")
	require.Empty(t, only(Host, changed("a_test.go", "",
		"a := \"https://partner.io\"\n\n\n\n\n\nb := os.Getenv(\"A\")\n")), "far")
}

func TestANewHostInALockFileIsNamed(t *testing.T) {
	t.Parallel()
	for path, lines := range map[string]string{
		"package-lock.json": `{"version": "1.0.0", "resolved": "https://partner.io/a.tgz", "integrity": "sha512-x"}`,
		"yarn.lock":         `  resolved "https://partner.io/a.tgz"`,
		"a/yarn.lock":       `  resolution: "a@https://partner.io/a.tgz"`,
		"pnpm-lock.yaml":    "    resolution: {tarball: https://partner.io/a.tgz}",
		"uv.lock":           `source = { registry = "https://partner.io" }`,
		"poetry.lock":       `url = "https://partner.io/l"`, "Cargo.lock": `source = "git+https://partner.io/a#1"`,
		"composer.lock": "\"type\": \"zip\",\n\"url\": \"https://partner.io/a.zip\",",
		"Gemfile.lock":  "  remote: https://partner.io/",
		"Podfile.lock":  "    :git: https://partner.io/a.git", "mix.lock": `"a": {:git, "https://partner.io/a", "1", []},`,
		"Pipfile.lock": `"url": "https://partner.io/simple"`, "Package.resolved": `"location" : "https://partner.io/a.git",`,
	} {
		at := fmt.Sprintf("%s:%d partner.io", path, strings.Count(lines, "\n")+1)
		require.Equal(t, []string{at}, only(Source, changed(path, "", lines+"\n")), path)
		known := strings.ReplaceAll(lines, "partner.io", "registry.npmjs.org")
		require.Empty(t, only(Source, changed(path, "", known+"\n")), "%s: a usual place", path)
		require.Empty(t, found(changed("fixtures/"+path, "", lines+"\n")), "%s: data of tests", path)
		require.Empty(t, found(changed(path, "b "+lines+"\n", lines+"\nb\n")), "%s: it was there", path)
	}
	for path, lines := range map[string]string{
		"package-lock.json": `"url": "https://opencollective.com/a"`, "pnpm-lock.yaml": "deprecated: see https://partner.io",
		"composer.lock": "{\n\"url\": \"https://partner.io/funding\",\n\"type\": \"custom\"",
		"go.sum":        "partner.io/a v1 h1:x=",
		"Cargo.lock":    `source = "registry+https://github.com/rust-lang/crates.io-index"`,
		"a.snap":        "url: https://partner.io",
	} {
		require.Empty(t, found(changed(path, "", lines+"\n")), path)
	}
	require.Equal(t, []string{"unexamined package-lock.json:0"}, found(changed("package-lock.json", "",
		"{"+strings.Repeat(`"a": "b", `, 500)+"}\n")), "on one line")
}
