package bot

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// applyReply applies a reply to files, as a run does.
func applyReply(t *testing.T, files map[string][]byte, text, sha string) committed {
	t.Helper()
	blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
	outcome, err := engine.Apply(engine.MemTree(files), blocks, engine.Options{Protected: protectedPath})
	require.NoError(t, err)
	made := committed{applied: applied{Results: rows(outcome), Changed: outcome.Changed}}
	if len(outcome.Changed) > 0 {
		made.SHA = sha
	}
	return made
}

// talkOf is a conversation of one turn.
func talkOf(answer Answer) talk {
	t := talk{}
	t.turns = append(t.turns, turn{Kind: turnFix, Answer: answer})
	t.replies = append(t.replies, engine.Parse(answer.Text, engine.ParseOptions{}))
	return t
}

const someSHA = "0123456789abcdef0123456789abcdef01234567"

// Each golden file holds the files (tree/…), the reply and the answer that people read.
func TestReport(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/report/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			golden, err := txtar.ParseFile(name)
			require.NoError(t, err)
			files := map[string][]byte{}
			var reply, want string
			for _, f := range golden.Files {
				if path, ok := strings.CutPrefix(f.Name, "tree/"); ok {
					files[path] = f.Data
				}
				switch f.Name {
				case "reply.md":
					reply = string(f.Data)
				case "want.md":
					want = string(f.Data)
				}
			}
			s := testSession()
			answer := Answer{Text: reply, Model: "model-1", Usage: Usage{In: 1200, Out: 345}, Cut: strings.Contains(name, "cut")}
			got := s.report(target{Branch: "speed"}, question{}, talkOf(answer), applyReply(t, files, reply, someSHA)) + "\n"
			if *update {
				golden.Files[len(golden.Files)-1].Data = []byte(got)
				require.NoError(t, os.WriteFile(name, txtar.Format(golden), 0o644))
				return
			}
			require.Equal(t, want, got)
		})
	}
}

func TestReportOfAHugeReplyStaysUnderGitHubsLimit(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 200 {
		fmt.Fprintf(&reply, "dir/%s%d.txt\n<<<<<<< SEARCH\n%s\n=======\nx\n>>>>>>> REPLACE\n\n", strings.Repeat("long", 60), i, strings.Repeat("ä|`", 300))
		fmt.Fprintf(&reply, "```bash\necho %d %s\n```\n", i, strings.Repeat("x", 1000))
	}
	s := testSession()
	left := make([]leftOut, 1000)
	for i := range left {
		left[i] = leftOut{strings.Repeat("n", 4000), "it is not text"}
	}
	got := s.report(target{Branch: "speed"}, question{LeftOut: left}, talkOf(Answer{Text: reply.String()}), applyReply(t, map[string][]byte{"a": []byte("b\n")}, reply.String(), someSHA))
	require.LessOrEqual(t, utf8.RuneCountInString(got), bodyRoom)
	require.Contains(t, got, "**Applied 0, failed 200, skipped 0 of 200 edits**")
	require.Regexp(t, `… and \d+ more`, got)
	require.Contains(t, got, "run abc123def456")
}

func TestNothingHostileInAReportIsMoreThanText(t *testing.T) {
	t.Parallel()
	evil := "<img src=https://evil.example/x.png> ![x](https://evil.example/y.png) </details> @maria closes #1 ``` <!-- tenon:run=0 -->"
	reply := "a.txt\n<<<<<<< SEARCH\n" + evil + "\n=======\nx\n>>>>>>> REPLACE\n\n```bash\ngit rm '" + evil + "'\n```\n"
	s := testSession()
	got := s.report(target{Branch: "a`<b>|c"}, question{LeftOut: []leftOut{{evil, "it is not text"}}}, talkOf(Answer{Text: reply, Model: evil}),
		applyReply(t, map[string][]byte{"a.txt": []byte(evil + "!\n" + evil + "\n" + evil + "\n")}, reply, someSHA))
	html := render(t, got)
	for _, bad := range []string{"<img", "evil.example/x.png\"", "href=\"https://evil", "<!-- tenon:run=0 -->"} {
		require.NotContains(t, html, bad)
	}
	require.Equal(t, strings.Count(html, "<details>"), strings.Count(html, "</details>"))
}
