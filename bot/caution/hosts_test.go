package caution

import (
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
	require.Empty(t, only(Host, changed("a.py", "", line), changed("b.md", "See https://api.partner.io\n", "")))
	for _, host := range []string{"localhost", "127.0.0.1", "10.0.0.1", "[::1]", "example.com", "api.example.org",
		"a.test", "db", "www.w3.org"} {
		require.Empty(t, only(Host, changed("a.py", "", strings.ReplaceAll(line, "api.partner.io", host))), host)
	}
	require.Empty(t, only(Host, changed("a.py", "", "# https://api.partner.io\ndef a():\n"+
		"    \"\"\"See https://api.partner.io\"\"\"\n")))
	require.Empty(t, only(Host, changed("a.rs", "", "/// See https://api.partner.io\nfn a() {}\n")))
	require.Empty(t, only(Host, changed("a.sty", "", "% https://api.partner.io\n")))
	require.Empty(t, only(Host, changed("tests/a.py", "", line)))
	require.Empty(t, only(Host, changed("package-lock.json", "", "{\"a\": \"https://api.partner.io\"}\n")))
	require.Empty(t, only(Host, changed("a.xml", "", "<a xmlns=\"http://api.partner.io/ns\"/>\n")), "a name, no address")
}
