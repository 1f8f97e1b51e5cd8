package caution

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDecodedTextThatRunsIsNamed(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"a.py": "exec(base64.b64decode(a))", "b.py": "c = b64decode(a)\nprint(1)\nexec(c)", "a.js": "eval(atob(a))",
		"a.ts": "new Function(Buffer.from(a, 'base64').toString())()", "a.sh": "echo $A | base64 -d | sh",
		"a.rb": "eval(Base64.decode64(a))", "a.php": "<?php eval(gzinflate(base64_decode($a)));",
		"a.go": "b, _ := hex.DecodeString(a)\nexec.Command(string(b)).Run()",
	} {
		require.Equal(t, []string{"runs decoded text"}, whats(only(Obfuscated, changed(path, "", text+"\n"))), path)
	}
	require.Empty(t, only(Obfuscated, changed("a.py", "", "a = b64decode(b)\n"+strings.Repeat("c = 1\n", 20)+"exec(d)\n")))
	require.Empty(t, only(Obfuscated, changed("a.py", "", "# exec(b64decode(a)) would be wrong\n")))
	minified := strings.Repeat("a(b);", 100) + "\n"
	require.Empty(t, only(Obfuscated, changed("a.js", minified, minified+"c=atob(d);e.exec(f)\n")), "a tool wrote it")
}

func whats(found []string) (out []string) {
	for _, text := range found {
		_, what, _ := strings.Cut(text, " ")
		out = append(out, what)
	}
	return out
}

func TestEscapesOfPlainLettersAreNamed(t *testing.T) {
	t.Parallel()
	for path, text := range map[string]string{
		"a.js":   `a("\x68\x74\x74\x70\x73\x3a\x2f\x2f")`,
		"a.java": `String a = "\u0072\u0075\u006e\u0074\u0069\u006d\u0065\u0020";`,
		"a.py":   "a = chr(104)+chr(116)+chr(116)+chr(112)+chr(115)+chr(58)+chr(47)",
		"a.ts":   "String.fromCharCode(104, 116, 116, 112, 115, 58, 47)", "a.sh": `printf '\150\164\164\160\163\072\057\057'`,
	} {
		require.Equal(t, []string{path + ":1 escapes of plain letters"}, only(Obfuscated, changed(path, "", text+"\n")), path)
	}
	require.Empty(t, only(Obfuscated, changed("a.js", "", `a("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09")`+"\n")), "bytes")
	require.Empty(t, only(Obfuscated, changed("a.js", "", `a("\u00e9\u00e8\u00ea\u00eb\u00e0\u00e2\u00e4\u00e1")`+"\n")),
		"letters")
}

func TestALongLineOfCodeIsNamed(t *testing.T) {
	t.Parallel()
	long := "a(" + strings.Repeat("1, ", 400) + ")\n"
	require.Equal(t, []string{"a.js:2 a line of more than 1,000 bytes"}, only(Obfuscated, changed("a.js", "b\n",
		"b\n"+long)))
	require.Empty(t, only(Obfuscated, changed("a.js", long, long+"b\n"+strings.ReplaceAll(long, "1", "2"))),
		"the file has some")
	require.Empty(t, only(Obfuscated, changed("a.js", "b\n", "b\nc = '"+strings.Repeat("long ", 400)+"'\n")), "a string")
	require.Empty(t, only(Obfuscated, changed("a.js", "b\n", "b\n// "+strings.Repeat("long ", 400)+"\n")), "a comment")
	for _, path := range []string{"a.json", "a.min.js", "a.svg", "package-lock.json", "a.md"} {
		require.Empty(t, only(Obfuscated, changed(path, "b\n", "b\n"+long)), path)
	}
}
