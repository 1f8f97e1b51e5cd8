package secret

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Whatever a text is made of, it is done within the bounds, and keeps its lines.
func TestHostileTextsAreBounded(t *testing.T) {
	t.Parallel()
	var words, names strings.Builder
	for _, r := range defaultScanner().rules {
		for _, word := range r.keywords {
			words.WriteString(word)
			names.WriteString(word + " = \"" + hexadecimal.random(30) + "\"\n")
		}
	}
	for _, unit := range []string{
		words.String(), names.String(), "a", "ey", "eyJ" + lowercase.random(40) + ".", "://a@", "https://a:bcd@",
		"sk-", "s.", "key=", "curl -u\n", "curl ",
		"-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\nA: b\n",
		lowercase.random(26) + "-----END PRIVATE KEY-----\n",
		"kind: Secret\n", "kind: Secret\n---\n", "Secret", "kind: Secret\ndata:\n a: b\n", "token: " + lowercase.random(26),
	} {
		text := strings.Repeat(unit, 64<<10/len(unit)+1)
		redacted, _ := Redact(text)
		require.Equal(t, strings.Count(text, "\n"), strings.Count(redacted, "\n"))
	}
	secret := "DATADOG_KEY=" + hexadecimal.random(40)
	text, kinds := Redact(strings.Repeat(names.String(), 20) + secret)
	require.Contains(t, kinds, "unchecked text")
	require.False(t, strings.Contains(text, secret), "what is not looked at is not shown either")
}

// Who redacts many texts is told what the work was: the length of a text does not say it.
func TestTheWorkOfRedactingIsCounted(t *testing.T) {
	t.Parallel()
	const line = "secret_key=" + "'Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8'\n"
	for _, size := range []int{50_000, 200_000, 900_000} {
		hostile := strings.Repeat(line, size/len(line))
		work := Mask(hostile).work
		require.GreaterOrEqual(t, work, len(hostile))
		require.LessOrEqual(t, work, max(minWork, workPerByte*len(hostile)))
		plain := strings.Repeat("x = 1\n", size/6)
		work = Mask(plain).work
		require.Equal(t, len(plain), work)
	}
	work := Mask(strings.Repeat(line, 2000)).work
	require.GreaterOrEqual(t, work, 2*2000*len(line), "a dense text takes more than its length")
}

// A secret is found however long it is, and wherever it stands.
func TestLongSecretsAreFoundToTheirEnd(t *testing.T) {
	t.Parallel()
	for _, n := range []int{100, 1000, 10_000, 60_000} {
		token := "eyJ" + alphanumeric.random(20) + ".eyJ" + alphanumeric.random(30) + "." + alphanumeric.random(n)
		for _, before := range []string{"", "x ", strings.Repeat("a line of text\n", 200)} {
			require.Equal(t, before+"[redacted: JSON web token] y", Redacted(before+token+" y"), n)
			require.Equal(t, before+"[redacted: JSON web token]", Redacted(before+token), n)
		}
	}
	word := strings.Repeat("a", 300) + "AKIA" + "Q3EGRIPLKJHGFDSA"
	require.Equal(t, word, Redacted(word), "the middle of a word begins no key, however long the word is")
}

// Identity providers put much into the claims of a token, and registries take whole tokens as passwords.
func TestSecretsWithALongMiddleAreFound(t *testing.T) {
	t.Parallel()
	for _, n := range []int{100, 320, 600, 2000, 20_000} {
		token := "eyJ" + alphanumeric.random(40) + ".eyJ" + alphanumeric.random(n) + "." + alphanumeric.random(342)
		for _, around := range []string{
			"%s", "x = \"%s\"\n", "Authorization: Bearer %s\n", "  bearer: %s\n", "const TOKEN = '%s';\n",
		} {
			require.NotContains(t, Redacted(fmt.Sprintf(around, token)), token[:20], "%d bytes of claims in %s", n, around)
		}
	}
	for _, n := range []int{100, 310, 1000, 6000} {
		password := alphanumeric.random(n)
		got := Redacted("index-url = https://aws:" + password + "@packages.corp.net/pypi/simple/\n")
		require.NotContains(t, got, password[:20], n)
	}
}

// Nothing in the code of this repository is taken for a secret, but what its tests made to look like one.
func TestOrdinarySourceHasNoSecrets(t *testing.T) {
	t.Parallel()
	made := []string{"cmd/tenon/e2e_recorded_fix_test.go", "internal/config/models_test.go", "internal/gh/client_test.go"}
	root := os.DirFS("../..")
	files, found := 0, []string(nil)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin"):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".md", ".yml", ".sql", ".graphql"}, path.Ext(name)):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		files++
		if _, kinds := Redact(string(text)); len(kinds) > 0 && !slices.Contains(made, name) {
			found = append(found, name+": "+strings.Join(kinds, ", "))
		}
		return nil
	})
	require.NoError(t, err)
	require.Empty(t, found)
	require.Greater(t, files, 200)
}

// BenchmarkRedact redacts 1 MiB of source. The ratio is to one pass over the same text that counts its lines and words.
func BenchmarkRedact(b *testing.B) {
	text := source(b, 1<<20)
	Redact(text) // compiles what it needs
	var floor time.Duration
	for b.Loop() {
		Redact(text)
		b.StopTimer()
		start := time.Now()
		lines := 0
		for line := range strings.Lines(text) {
			lines += len(strings.Fields(line))
		}
		floor += time.Since(start)
		b.StartTimer()
	}
	per := float64(b.Elapsed().Microseconds()) / float64(b.N) / 1000
	ratio := float64(b.Elapsed()) / float64(floor)
	b.ReportMetric(per, "redact_1mib_ms")
	b.ReportMetric(ratio, "x_words")
	fmt.Printf("redact_1mib_ms=%.1f redact_vs_words=%.1f\n", per, ratio)
}

// source returns n bytes of the source of this module.
func source(b *testing.B, n int) string {
	names, err := filepath.Glob("../../engine/*.go")
	require.NoError(b, err)
	var text strings.Builder
	for text.Len() < n {
		for _, name := range names {
			data, err := os.ReadFile(name)
			require.NoError(b, err)
			text.Write(data)
		}
	}
	return text.String()[:n]
}

// Whatever is before it, a secret on a line of its own is found, and lines stay what they are.
func FuzzRedact(f *testing.F) {
	for _, text := range []string{
		"", "a\nb", "token = \"", "key: |\n",
		"-----BEGIN PRIVATE " + "KEY-----\n" + alphanumeric.random(30), "kind: Secret\ndata:\n",
		"https://a:bcd@host/", "curl -H \"Authorization: Bearer ", "'''", "eyJ", "\xff\x00", "s.s.s.s.", "x_AKIA",
	} {
		f.Add(text)
	}
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	f.Fuzz(func(t *testing.T, text string) {
		whole := text + "\n" + key
		redacted, kinds := Redact(whole)
		require.NotEmpty(t, kinds)
		require.False(t, strings.HasSuffix(redacted, key))
		require.Equal(t, strings.Count(whole, "\n"), strings.Count(redacted, "\n"))
	})
}
