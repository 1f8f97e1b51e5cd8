package bot

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/tenon-bot/tenon/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// applyReply applies a reply to files, as a run does.
func applyReply(t *testing.T, files map[string][]byte, text, sha string) committed {
	t.Helper()
	blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
	outcome, err := engine.Apply(engine.MemTree(files), blocks, engine.Options{Protected: protectedPath})
	require.NoError(t, err)
	made := committed{applied: applied{Base: headSHA, Results: rows(outcome), Changed: outcome.Changed}}
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

// telling is a golden case: what a run found and did, in case.json, and the files (tree/…), the reply and the answer that
// people read, as Markdown and as GitHub shows it.
type telling struct {
	// Kind is "" for the answer to a fix, "status", "waiting", "cancelled", "pull" or "check".
	Kind string
	// Unpushed is why the commit could not be made; then there is a patch.
	Unpushed string
	Moves    int
	Issue    int
	Cut      bool
	// Blocks makes the reply: so many edits, of which every seventh fails.
	Blocks  int
	Verbs   []string
	Context question
	// Stage, Call and Wrote are how far a run is.
	Stage  stage
	Call   int
	Wrote  []string
	Ahead  Event
	Branch string
	Model  string
}

func (c telling) offers(verb string) bool { return strings.Contains(strings.Join(c.Verbs, " "), verb) }

// big makes files and a reply with many edits of them.
func (c telling) big(files map[string][]byte) string {
	var reply strings.Builder
	for i := range c.Blocks {
		name, find := fmt.Sprintf("pkg/part%02d/file.go", i/3), fmt.Sprintf("line %d of the file", i%3)
		files[name] = []byte("package part\n\nline 0 of the file\nline 1 of the file\nline 2 of the file\n")
		if i%7 == 6 {
			find = "line none of the file"
		}
		fmt.Fprintf(&reply, "%s\n<<<<<<< SEARCH\n%s\n=======\n%s, changed\n>>>>>>> REPLACE\n\n", name, find, find)
	}
	return reply.String()
}

func (c telling) tell(t *testing.T, files map[string][]byte, text string) string {
	s := testSession()
	switch c.Kind {
	case "status":
		return statusBody(s.subject(), status{stage: c.Stage, target: target{Branch: "speed", SHA: someSHA}, files: c.Context.Files, call: c.Call, blocks: c.Wrote})
	case "waiting":
		return waitingBody(s.subject(), s.verbOf(c.Ahead), c.Ahead)
	case "cancelled":
		return cancelledText(&CancelledError{By: "jan"}) + "\n\n" + RunNote(s.run.ID)
	}
	before := map[string][]byte{}
	for name, data := range files {
		before[name] = data
	}
	answer := Answer{Text: text, Model: "model-1", Usage: Usage{In: 1200, Out: 345}, Cut: c.Cut}
	if c.Model != "" {
		answer.Model = c.Model
	}
	branch := "speed"
	if c.Branch != "" {
		branch = c.Branch
	}
	made := applyReply(t, files, text, someSHA)
	if c.Kind == "pull" {
		s.ev.Thread.Number, s.inv.text = c.Issue, "Please fix the greeting, @jan says it is rude. closes #99"
		return pullBody(s.subject(), s.summary(target{}, question{}, talkOf(answer), made))
	}
	r := s.summary(target{Branch: branch}, c.Context, talkOf(answer), made)
	r.Offers, r.Moves = c.offers, c.Moves
	if c.Unpushed != "" {
		r.SHA, r.Unpushed = "", c.Unpushed
		var changes []fileChange
		for _, name := range r.Changed {
			changes = append(changes, fileChange{Path: name, Before: before[name], After: files[name]})
		}
		r.Patch = makePatch(changes)
	}
	if c.Issue > 0 {
		r.Branch, r.Pull, r.PullURL = "tenon/issue-7", 13, "https://github.example/acme/lathe/pull/13"
	}
	return r.body()
}

func TestReport(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/report/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), 12)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			golden, err := txtar.ParseFile(name)
			require.NoError(t, err)
			var c telling
			files := map[string][]byte{}
			parts := map[string]string{}
			for _, f := range golden.Files {
				if path, ok := strings.CutPrefix(f.Name, "tree/"); ok {
					files[path] = f.Data
				}
				parts[f.Name] = string(f.Data)
			}
			if parts["case.json"] != "" {
				require.NoError(t, json.Unmarshal([]byte(parts["case.json"]), &c))
			}
			if c.Blocks > 0 {
				parts["reply.md"] = c.big(files)
			}
			got := c.tell(t, files, parts["reply.md"]) + "\n"
			page := page(t, got)
			if *update {
				last := len(golden.Files) - 2
				golden.Files[last].Data, golden.Files[last+1].Data = []byte(got), []byte(page)
				require.NoError(t, os.WriteFile(name, txtar.Format(golden), 0o644))
				return
			}
			require.Equal(t, parts["want.md"], got)
			require.Equal(t, parts["want.html"], page)
		})
	}
}

// allowedTag is the HTML of our own; GitHub takes all of it.
var allowedTag = regexp.MustCompile(`^</?(p|ul|ol|li|h[1-6]|strong|em|pre|code|blockquote|table|thead|tbody|tr|td|th|details|summary|sub|br|hr)( class="language-[A-Za-z0-9+#_-]{1,20}"| style="text-align:(left|right|center)"| start="\d+")*( /)?>$|^<a href="https://github\.example/[^"<>]*">$|^</a>$`)

// drawnCode is code that GitHub makes a drawing of.
var drawnCode = regexp.MustCompile(`(?i)language-(mermaid|math|geojson|topojson|stl)"`)

// page is Markdown as GitHub shows it: with HTML, as far as it is ours. Any other is none of an answer's.
func page(t *testing.T, md string) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe())).Convert([]byte(md), &b))
	for _, tag := range htmlTag.FindAllString(b.String(), -1) {
		require.Regexp(t, allowedTag, tag)
		require.NotRegexp(t, drawnCode, tag)
	}
	return b.String()
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
	r := s.summary(target{Branch: "speed"}, question{Selection: Selection{LeftOut: left}}, talkOf(Answer{Text: reply.String()}), applyReply(t, map[string][]byte{"a": []byte("b\n")}, reply.String(), someSHA))
	got := r.body()
	require.LessOrEqual(t, utf8.RuneCountInString(got), bodyRoom)
	require.Contains(t, got, "**Applied 0, failed 200, skipped 0 of 200 edits**")
	require.Regexp(t, `… and \d+ more`, got)
	require.Contains(t, got, "run abc123def456")
	require.Equal(t, strings.Count(got, "<details>"), strings.Count(got, "</details>"))
	check := r.check()
	require.LessOrEqual(t, utf8.RuneCountInString(check.Text), checkRoom)
	require.LessOrEqual(t, utf8.RuneCountInString(check.Summary), checkRoom)
}

func TestNothingHostileInAReportIsMoreThanText(t *testing.T) {
	t.Parallel()
	evil := "<img src=https://evil.example/x.png> ![x](https://evil.example/y.png) </details> @maria closes #1 ``` <!-- tenon:run=0 -->"
	reply := "a.txt\n<<<<<<< SEARCH\n" + evil + "\n=======\nx\n>>>>>>> REPLACE\n\n```bash\ngit rm '" + evil + "'\n```\n"
	s := testSession()
	got := s.report(target{Branch: "a`<b>|c"}, question{Selection: Selection{LeftOut: []leftOut{{evil, "it is not text"}}}}, talkOf(Answer{Text: reply, Model: evil}),
		applyReply(t, map[string][]byte{"a.txt": []byte(evil + "!\n" + evil + "\n" + evil + "\n")}, reply, someSHA))
	html := page(t, got)
	for _, bad := range []string{"<img", "evil.example/x.png\"", "href=\"https://evil", "<!-- tenon:run=0 -->"} {
		require.NotContains(t, html, bad)
	}
	require.NotContains(t, got, "<!-- tenon:", "a mark counts in a comment of the app's own, wherever it stands")
	require.Equal(t, strings.Count(html, "<details>"), strings.Count(html, "</details>"))
}
