package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
)

// streamed writes a text in pieces of a length and returns what was shown until its end, and the parts of it.
func streamed(text string, piece int) (shown string, parts int) {
	var s Stream
	for len(text) > 0 {
		n := min(piece, len(text))
		s.Write(text[:n])
		text = text[n:]
		if next := s.Next(); next != "" {
			shown += next
			parts++
		}
	}
	return shown, parts
}

// streamedSecrets are texts, each with what nobody may see of it.
func streamedSecrets() map[string]string {
	random := func(n int) string { return strings.Repeat("q7Rb9T"+"zK2mWx", n)[:n] }
	body := strings.Repeat(random(64)+"\n", 4)
	coded, word := "c2Vjcm"+"V0cGFzcw", "opense"+"same77"
	return map[string]string{
		"Set it:\n\nAWS_SECRET_ACCESS_KE" + "Y=" + random(40) + "\n\nDone.\n":                           random(40),
		"-----BEGIN RSA PRIVATE KEY-----\n" + body + "-----END RSA PRIVATE KEY-----\nthe end\n":         random(64),
		"the rest of a key:\n" + body + "-----END RSA PRIVATE KEY-----\nthe end\n":                      random(64),
		"-----BEGIN OPENSSH PRIVATE KEY-----\n" + body:                                                  random(64),
		"kind: Secret\ndata:\n  password: " + coded + "==\nmetadata:\n  name: x\n":                      coded,
		"data:\n  password: " + coded + "==\nmetadata:\n  name: x\nkind: Secret\n":                      coded,
		"---\nkind: ConfigMap\n---\nstringData:\n  password: " + word + "\nkind: Secret\nand so on\n\n": word,
	}
}

func TestAStreamShowsNoSecretHoweverItIsSplit(t *testing.T) {
	t.Parallel()
	for text, hidden := range streamedSecrets() {
		require.NotContains(t, Redacted(text), hidden)
		for _, piece := range []int{1, 3, 17, 64, 100_000} {
			shown, _ := streamed(text, piece)
			require.NotContains(t, shown, hidden[:12], "%q in pieces of %d", text, piece)
		}
	}
}

func TestAStreamShowsLinesAsSoonAsTheyAreWhole(t *testing.T) {
	t.Parallel()
	text := "first\n\nsecond\nmain.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n"
	shown, parts := streamed(text, 1)
	require.Equal(t, text, shown)
	require.Equal(t, strings.Count(text, "\n"), parts)

	var s Stream
	s.Write("no line ye")
	require.Empty(t, s.Next())
	s.Write("t\nnext")
	require.Equal(t, "no line yet\n", s.Next())
	require.Empty(t, s.Next())
}

func TestTheValuesOfAManifestAreHiddenUntilItIsWhole(t *testing.T) {
	t.Parallel()
	shown, parts := streamed("data:\n  color: blue\n  empty: ''\nkind: ConfigMap\n", 1)
	require.Equal(t, "data:\n  color: [redacted: possible Kubernetes secret]\n  empty: ''\nkind: ConfigMap\n", shown)
	require.Equal(t, 4, parts, "nothing waits for it")
	code := "const page = {\n\tdata: response.json(),\n\t\"data\": {\n\t\ta: 1,\n\t},\n};\n"
	shown, _ = streamed(code, 1)
	require.Equal(t, code, shown)
}

// leak returns a part of a text that a stream of it shows in pieces of a length, and that is hidden in the whole text.
func leak(text string, piece int) string {
	shown, _ := streamed(text, piece)
	showed := strings.SplitAfter(shown, "\n")
	whole := Mask(text)
	masked := strings.SplitAfter(whole.Text(), "\n")
	at := 0
	for i, line := range strings.SplitAfter(text, "\n") {
		if i == len(showed) {
			break
		}
		for _, f := range whole.found {
			from, to := max(f.from, at), min(f.to, at+len(line))
			for ; from+8 <= to; from++ {
				part := text[from : from+8]
				if strings.Contains(showed[i], part) && !strings.Contains(masked[i], part) && !innocentPart(f, line, part) {
					return part
				}
			}
		}
		at += len(line)
	}
	return ""
}

// innocentPart reports whether a part of a line says nothing of the secret that the line belongs to: what is white, the
// marks and the headers of a key, and what a whole text hides only since it is too long to look at.
func innocentPart(f match, line, part string) bool {
	return f.kind == "unchecked text" || strings.TrimSpace(part) == "" || strings.Trim(part, "-=+ ") == "" ||
		strings.Contains(line, "PRIVATE KEY") || f.kind == "private key" && strings.Contains(line, ": ")
}

// keysInLines returns texts with private keys in lines of each length.
func keysInLines() (out []string) {
	for width := 10; width < 80; width += 3 {
		var key strings.Builder
		for rest := "MIIEpAI" + "BAAKC" + alphanumeric.random(500); rest != ""; {
			n := min(width, len(rest))
			key.WriteString(rest[:n] + "\n")
			rest = rest[n:]
		}
		const end = "-----END RSA PRIVATE KEY-----\nbelow\n"
		out = append(out, "key: "+key.String()+"\nbelow\n", key.String()+end,
			"-----BEGIN RSA PRIVATE KEY-----\n"+key.String()+end, "x\n"+alphanumeric.random(3*64+width)+"\n"+end)
	}
	return out
}

func TestAStreamShowsNoMoreThanTheWholeTextWould(t *testing.T) {
	t.Parallel()
	texts := keysInLines()
	for _, shape := range secrettest.Maker(1).Shapes() {
		texts = append(texts, shape.Text)
	}
	texts = append(texts, "pat"+alphanumeric.random(14)+"."+hexadecimal.random(64)+" is of\n\nAirtable\n")
	for _, text := range texts {
		require.Empty(t, leak(text, 30), text)
	}
}

func TestAStreamIsBounded(t *testing.T) {
	t.Parallel()
	var s Stream
	for range 100 {
		s.Write(strings.Repeat("all work and no play\n", 500))
	}
	require.LessOrEqual(t, s.text.Len(), MaxStream)
	require.LessOrEqual(t, len(s.Next()), MaxStream)
	s.Write("more\n")
	require.Empty(t, s.Next())
}

func FuzzStream(f *testing.F) {
	for text := range streamedSecrets() {
		f.Add(text, 5)
	}
	for i, text := range keysInLines() {
		f.Add(text, i)
	}
	f.Add("a\r\n-----BEGIN PRIVATE KEY-----\n", 1)
	f.Fuzz(func(t *testing.T, text string, piece int) {
		if len(text) > 2000 || piece <= 0 {
			t.Skip()
		}
		require.Empty(t, leak(text, piece%(len(text)+1)+1))
	})
}
