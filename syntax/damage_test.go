package syntax

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/syntax/lexer"
)

// damaged is a file that lacks one character.
type damaged struct {
	text string
	line int
}

// damages removes, one at a time, the brackets and the quotes around strings that are code in a text.
func damages(language lexer.Language, text string) []damaged {
	var list []damaged
	offset := 0
	without := func(at, line int) { list = append(list, damaged{text[:at] + text[at+1:], line}) }
	for _, token := range lexer.Lex(nil, language, text).Tokens {
		end := offset + len(token.Text) - 1
		switch quote := token.Text[:1]; {
		case token.Kind == lexer.Punctuation && strings.Contains(allBrackets, quote):
			without(offset, token.Line)
		case token.Kind == lexer.String && strings.Contains(`"'`, quote) && strings.Count(token.Text, quote) == 2 &&
			strings.HasSuffix(token.Text, quote) && len(token.Text) > 2:
			without(offset, token.Line)
			without(end, token.Line)
		}
		offset = end + 1
	}
	return list
}

func TestMostMissingBracketsAndQuotesAreFound(t *testing.T) {
	t.Parallel()
	total, found := 0, 0
	for name, text := range wholeFiles {
		language := tokenLanguage(name, []byte(text))
		list, missed := damages(language, text), []string(nil)
		for _, d := range list {
			if len(Check(nil, name, []byte(text), []byte(d.text)).Problems) > 0 {
				found++
			} else {
				missed = append(missed, strings.Split(d.text, "\n")[d.line-1])
			}
		}
		total += len(list)
		t.Logf("%-10s %3d of %3d %q", name, len(list)-len(missed), len(list), missed)
	}
	require.Greater(t, total, 200)
	require.GreaterOrEqual(t, 100*found, 90*total, "%d of %d", found, total)
}

func TestEachMissingEndIsFound(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.rb", "c.rb", "a.lua", "a.ex"} {
		text, offset, found := wholeFiles[name], 0, 0
		for _, token := range lexer.Lex(nil, tokenLanguage(name, []byte(text)), text).Tokens {
			before, after := text[:offset], text[offset+len(token.Text):]
			offset += len(token.Text)
			if token.Text != "end" || strings.HasSuffix(before, "@") || strings.HasSuffix(before, ".") ||
				strings.HasSuffix(before, "def ") || strings.HasPrefix(after, ":") {
				continue
			}
			require.NotEmpty(t, Check(nil, name, []byte(text), []byte(before+after)), before+after)
			found++
		}
		require.NotZero(t, found, name)
	}
}

// TestBenchmark checks files before and after real edits, and such files with a bracket or a quote removed. The set is
// that of the benchmark of package engine; see there.
func TestBenchmark(t *testing.T) {
	dir := os.Getenv("TENON_BENCH")
	if dir == "" {
		t.Skip("TENON_BENCH is not set")
	}
	in := openSet(t, filepath.Join(dir, "cases-dev-1.jsonl"))
	alarms, parsed, byTokens := 0, share{}, share{}
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	for n := 0; decoder.More(); n++ {
		var c struct {
			ID, Class string
			Before    map[string]string `json:"files_before"`
			Expect    map[string]string `json:"expect_files"`
		}
		require.NoError(t, decoder.Decode(&c))
		if n%8 != 0 { // a sample
			continue
		}
		for name, after := range c.Expect {
			before, had := c.Before[name]
			if !had || len(after) > 20_000 {
				continue
			}
			if problems := Check(nil, name, []byte(before), []byte(after)).Problems; len(problems) > 0 {
				alarms++
				t.Logf("%s: %s: %v", c.ID, name, problems)
				continue
			}
			s := &byTokens
			if _, ok := grammarOf(name, []byte(after)); ok {
				s = &parsed
			} else if _, ok := tokenLanguages[tokenLanguage(name, []byte(after))]; !ok {
				continue
			}
			s.count(name, before, after)
		}
	}
	require.LessOrEqual(t, alarms, maxBroken)
	t.Logf("found: %d of %d by parsers, %d of %d by tokens", parsed.found, parsed.total, byTokens.found, byTokens.total)
	require.GreaterOrEqual(t, 100*parsed.found, 97*parsed.total)
	require.GreaterOrEqual(t, 100*byTokens.found, 85*byTokens.total)
}

// openSet opens a file, or reads it from the program xz if it is packed.
func openSet(t *testing.T, path string) io.Reader {
	t.Helper()
	in, err := os.Open(path)
	if err == nil {
		t.Cleanup(func() { require.NoError(t, in.Close()) })
		return in
	}
	require.ErrorIs(t, err, os.ErrNotExist)
	unpack := exec.Command("xz", "-dc", path+".xz")
	out, err := unpack.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, unpack.Start(), "neither %s nor a program xz to unpack it", path)
	t.Cleanup(func() { require.NoError(t, unpack.Wait(), "unpacking %s.xz", path) })
	return out
}

// maxBroken is the number of files of the sample that are broken indeed: some cases make only a part of the edits of a
// commit, and one half of a change does not parse.
const maxBroken = 5

type share struct{ found, total int }

// count adds one damage in the middle of a file, if the files can be told to be whole.
func (s *share) count(name, before, after string) {
	language := tokenLanguage(name, []byte(after))
	list := damages(language, after)
	broken := len(Check(nil, name, nil, []byte(before)).Problems) > 0
	if len(list) == 0 || strings.Contains(after, "\r") || broken || isData(name) {
		return
	}
	s.total++
	if len(Check(nil, name, []byte(before), []byte(list[len(list)/2].text)).Problems) > 0 {
		s.found++
	}
}

// isData reports whether a quote or bracket can be left out of the files of a kind, which are valid anyway.
func isData(name string) bool {
	extension := path.Ext(name)
	return extension == ".yml" || extension == ".yaml" || extension == ".html"
}
