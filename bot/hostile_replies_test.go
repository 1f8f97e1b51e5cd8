package bot_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	botedit "github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/meter"
)

// hostileReply is a reply that costs much for its size, and the files of the repository.
type hostileReply struct {
	reply string
	files engine.MemTree
	// kind is what the model was asked; an edit if it is empty.
	kind record.TurnKind
}

// The sizes of these replies and files, and the work of a pass, are a sixteenth of the largest.
const (
	hostileBytes = 64 << 10
	hostileFiles = 40
	hostileWork  = meter.Default / 16
)

// filled repeats what f returns up to some bytes.
func filled(bytes int, f func(i int) string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		s := f(i)
		if b.Len()+len(s) > bytes {
			return b.String()
		}
		b.WriteString(s)
	}
}

func repeated(s string) func(int) string { return func(int) string { return s } }

// numbered returns a format with the number in each of its verbs.
func numbered(format string) func(int) string {
	return func(i int) string {
		return strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
}

// hostileBlock returns an edit block whose halves are lines.
func hostileBlock(path, find, repl string) string {
	return path + "\n<<<<<<< SEARCH\n" + find + "=======\n" + repl + ">>>>>>> REPLACE\n"
}

// inEach returns a block for each of the files, and these files with the same content.
func inEach(ext, content, find, repl string) hostileReply {
	h := hostileReply{files: engine.MemTree{}}
	for i := range hostileFiles {
		name := fmt.Sprintf("f%d.%s", i, ext)
		h.files[name] = []byte(content)
		h.reply += hostileBlock(name, find, repl)
	}
	return h
}

// inOne returns as many blocks of one file as a reply has room for, and this file.
func inOne(name, content string, block func(i int) string) hostileReply {
	return hostileReply{
		reply: filled(hostileBytes, func(i int) string { return name + "\n" + block(i) }),
		files: engine.MemTree{name: []byte(content)},
	}
}

// breaking returns edits of the last line of each of the files, by which they are parsed.
func breaking(ext, line, last, broken string) hostileReply {
	return inEach(ext, filled(hostileBytes, numbered(line))+last, last, broken)
}

// saidAgain returns a reply that repeats what f returns.
func saidAgain(f func(i int) string) hostileReply {
	return hostileReply{reply: filled(hostileBytes*4, f)}
}

var (
	hostileCode  = numbered("\tvalue%d := compute(%d, other)\n")
	similarLines = numbered("some words of a text that is nearly the same %d\n")
	longLines    = func(i int) string { return strings.Repeat("word ", 2000) + fmt.Sprint(i) + "\n" }
)

func hostileReplies() map[string]hostileReply {
	return map[string]hostileReply{
		"lines that large files lack": inEach("go", filled(hostileBytes, hostileCode),
			filled(1000, numbered("\tvalue%d := compute(%d, othr)\n")), "\tnothing()\n"),
		"lines that short lines resemble": inEach("txt", filled(hostileBytes, repeated("a\n")), "b\nc\na\na\na\n", "x\n"),
		"lines with typos": inEach("py", filled(hostileBytes, similarLines),
			filled(1200, numbered("sme words of a text that is nearly th same %d\n")), "x\n"),
		"context that has drifted": inEach("txt", filled(hostileBytes, similarLines),
			filled(1200, func(i int) string { return similarLines(i + i%2*7) }), "x\n"),
		"tokens on other lines": inEach("js", filled(hostileBytes, hostileCode),
			strings.ReplaceAll(filled(1000, hostileCode), ", ", ",\n"), "x\n"),
		"indented otherwise": inEach("c", filled(hostileBytes, func(i int) string {
			return strings.Repeat(" ", i%99) + "x\n"
		}), strings.Repeat("\tx\n", 20), "y\n"),
		"long lines": inEach("go", filled(hostileBytes, longLines),
			strings.Replace(longLines(2), "word word", "wrd word", 1), "x\n"),
		"one line": inEach("txt", strings.Repeat("ab c(d), ", hostileBytes/9), strings.Repeat("ab c(e), ", 100)+"\n", "x\n"),
		"quotes beyond ASCII": inEach("go", filled(hostileBytes, numbered("\tvälue%d – “x”\n")),
			filled(1000, numbered("\tvalue%d - \"x\"\n")), "x\n"),
		"lines left out": inEach("txt", filled(hostileBytes, repeated("ab\n")),
			filled(150, repeated("ab\n...\n"))+"xyz\n", "y\n"+filled(150, repeated("ab\n...\n"))),
		"definitions of one name": inEach("go", filled(hostileBytes, repeated("func f() {\n\tx()\n\ty()\n}\n")),
			"func f() {\n\tx()\n\tz()\n\tw()\n}\n", "func f() {\n\tx()\n\tz()\n}\n"),
		"blank finds": inEach("txt", strings.Repeat("\n", hostileBytes), "\n", "x\n"),
		"a blank line in a file of them": inOne("f.txt", strings.Repeat("\n", hostileBytes), func(i int) string {
			return "<<<<<<< SEARCH\na\n\n=======\nb\n>>>>>>> REPLACE\n"
		}),
		"tiny blocks of one file": inOne("f.go", filled(hostileBytes, hostileCode), numbered(
			"<<<<<<< SEARCH\na%d\n=======\nb\n>>>>>>> REPLACE\n")),
		"tiny blocks that fit loosely": inOne("f.txt", filled(hostileBytes, numbered("  line %d\n")), numbered(
			"<<<<<<< SEARCH\nline %d\n=======\nrow %d\n>>>>>>> REPLACE\n")),
		"tiny blocks that insert": inOne("f.txt", filled(hostileBytes, numbered("line %d \n")), numbered(
			"<<<<<<< SEARCH\nline %d\n=======\nline %d\nmore\n>>>>>>> REPLACE\n")),
		"paths that nobody has": {
			reply: filled(hostileBytes, numbered("x/filenam%d.go\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n")),
			files: func() engine.MemTree {
				t := engine.MemTree{}
				for i := range 2000 {
					t[fmt.Sprintf("d/filename%d.go", i)] = nil
				}
				return t
			}(),
		},
		"halves with little in common": inOne("f.txt", filled(hostileBytes, similarLines), func(i int) string {
			half := func(by int) string { return filled(9000, func(n int) string { return fmt.Sprintln(n * by % 13) }) }
			return hostileBlock("", half(7919), half(104729))
		}),
		"a find of thousands of lines": inOne("f.txt", filled(hostileBytes, similarLines), func(i int) string {
			return hostileBlock("", filled(30_000, func(n int) string { return similarLines(n + i + n%9) }), "x\n")
		}),
		"scattered changes": inOne("f.txt", filled(hostileBytes, numbered("line %d \n")), func(int) string {
			find := filled(8000, numbered("line %d\n"))
			return hostileBlock("", find, strings.ReplaceAll(find, "3\n", "3\nnew\n"))
		}),
		"JavaScript":            breaking("ts", "let v%d = %d;\n", "end();\n", "end(;\n"),
		"names declared again":  breaking("js", "let a;\n", "end();\n", "let a;\n"),
		"Python":                breaking("py", "def f%d(a):\n    return a\n", "end()\n", "end(\n"),
		"C":                     breaking("c", "int f%d(int a) { return a + %d; }\n", "end();\n", "end(;\n"),
		"YAML":                  breaking("yaml", "k%d: [a, {b: c}]\n", "end: 1\n", "end: [\n"),
		"TOML":                  breaking("toml", "k%d = 1\n", "end = 1\n", "end = [\n"),
		"CSS":                   breaking("css", "@import 'a%d';\n", ".end {}\n", ".end {\n"),
		"Go":                    breaking("go", "var v%d = f(%d)\n", "var end int\n", "var (\n"),
		"shell":                 breaking("sh", "a%d|b && c\n", "end\n", "if end\n"),
		"conflict markers":      breaking("md", "text %d\n", "end\n", strings.Repeat("<<<<<<< HEAD\n", 10)),
		"hunks of a patch":      saidAgain(repeated("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n")),
		"fences":                saidAgain(repeated("```\n")),
		"fences that open":      saidAgain(repeated("```a\n")),
		"shell commands":        saidAgain(numbered("```sh\nmake x%d && echo $(ls)\n```\n")),
		"operations":            saidAgain(numbered("`git mv a%d b%d`\n")),
		"heads without an end":  saidAgain(repeated("<<<<<<< SEARCH\n")),
		"dividers":              saidAgain(repeated("=======\n")),
		"conflicts in the text": saidAgain(repeated("<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> b\n")),
		"asks":                  saidAgain(numbered("NEED: a%d.go:1-2\n")),
		"asks of many words":    saidAgain(repeated("NEED: " + strings.Repeat("a (", 600) + "\n")),
		"asks that are markers": saidAgain(repeated(strings.Repeat("- ", 900) + "\n")),
		"texts to find":         saidAgain(numbered("FIND: \"a%d\"\n")),
		"paths in the text":     saidAgain(numbered("`src/a%d.go`\n\n")),
		"remarks": {
			reply: filled(hostileBytes, func(i int) string { return fmt.Sprintf("REMARK %d: it is checked\n", i%20+1) }) +
				filled(hostileBytes, numbered("f.go\n<<<<<<< SEARCH\na%d\n=======\nb\n>>>>>>> REPLACE\n")),
			files: engine.MemTree{"f.go": []byte("x\n")}, kind: record.TurnAddress,
		},
	}
}

// A pass over a reply costs what its work allows, and little more, whatever the reply and the files are; and what it
// leaves to read is small.
func TestNoReplyCostsMoreThanThePassOverItMay(t *testing.T) {
	t.Parallel()
	replies := hostileReplies()
	require.GreaterOrEqual(t, len(replies), 40)
	for name, h := range replies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turn := record.Turn{Kind: h.kind, Answer: port.Answer{Text: h.reply}}
			turn.Plan = conversation.Conversation{}.PlanAfter(turn, nil)
			c, err := conversation.Conversation{}.With(turn)
			require.NoError(t, err)
			require.LessOrEqual(t, len(c.Blocks()), 1000)
			require.LessOrEqual(t, len(c.Asks()), 50)

			_, err = engine.Paths(h.files, c.Blocks())
			require.NoError(t, err)
			var out engine.Outcome
			spent := math.MaxInt
			// A step of a lexer that waits for a processor spends more than its work: of three passes, the least counts.
			for n := 0; n < 3 && spent > hostileWork+hostileWork/4; n++ {
				w := meter.Of(hostileWork)
				out, err = engine.Apply(h.files, c.Blocks(), engine.Options{DryRun: true, Work: w, Verify: botedit.NewVerify(w)})
				require.NoError(t, err)
				spent = min(spent, w.Spent())
			}
			require.LessOrEqual(t, spent, hostileWork+hostileWork/4)

			_, ask := c.Next(out.Results, "nonce")
			require.LessOrEqual(t, len(ask), 5*conversation.MaxQuoted*hostileFiles)
			rows := record.Results(out)
			prompt := record.Prompt{Kind: h.kind, Reviews: make([]record.ReviewThread, 20)}
			require.Len(t, conversation.ThreadOutcomes(prompt, c, rows), 20)
			body := report.Summary{Reply: c.Reply(), Results: rows}.Body()
			require.LessOrEqual(t, utf8.RuneCountInString(body), githubBody)
		})
	}
}
