package report

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gh/links"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

var update = flag.Bool("update", false, "write the golden files again")

const (
	lathe   = "https://github.example/acme/lathe"
	runID   = "abc123def456"
	headSHA = "1111111111111111111111111111111111111111"
	someSHA = "0123456789abcdef0123456789abcdef01234567"
)

// onLathe are the addresses of the pages of lathe.
var onLathe = links.On("https://github.example/", "acme/lathe")

// started is when the run of these tests began; it took as long as the answers say.
var started = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

const took = 4200 * time.Millisecond

// anyCommand offers every command that there is.
func anyCommand(verb string) bool {
	_, ok := command.Lookup(verb)
	return ok
}

// aFix is the command "/tenon fix it" on a pull request.
func aFix() Subject {
	fix, _ := command.Lookup(command.Fix)
	return Subject{
		Command: fix,
		Event: port.Event{
			Delivery: "d1", Kind: port.IssueComment, Sender: port.User{ID: 7, Login: "maria"},
			Repo:   port.RepoRef{ID: 3, Owner: "acme", Name: "lathe"},
			Thread: port.Thread{Number: 12, Pull: true, URL: lathe + "/pull/12"},
			Comment: port.Comment{
				Kind: port.IssueComment, ID: 99, URL: lathe + "/pull/12#issuecomment-99", Body: "/tenon fix it",
			},
		},
		Run:    runID,
		Links:  onLathe,
		Offers: anyCommand,
	}
}

// summaryOf is the end of a run as the bot makes it from the run's record.
func summaryOf(t record.Target, q record.Prompt, c conversation.Conversation, committed record.Committed) Summary {
	return Summary{
		Links: onLathe, Branch: t.Branch, SHA: committed.SHA, Base: committed.Base, Moves: committed.Moves,
		Held: committed.Held, Unpushed: committed.Unpushed, Patch: committed.Patch,
		Offered: len(committed.Notes), Unoffered: committed.Unoffered,
		Results: committed.Results, Changed: committed.Changed,
		Reply: c.Reply(), Context: q,
		Costs:  record.Costs{Model: c.LastAnswer().Model, Calls: len(c.Turns), Usage: c.Usage(), Took: took, Run: runID},
		Offers: anyCommand,
	}
}

// conversationOf is a conversation of one turn.
func conversationOf(answer port.Answer) conversation.Conversation {
	return conversation.Conversation{
		Turns:   []record.Turn{{Kind: record.TurnFix, Answer: answer}},
		Replies: []engine.Reply{engine.Parse(answer.Text, engine.ParseOptions{})},
	}
}

// applyReply applies a reply to files, as a run does.
func applyReply(t *testing.T, files map[string][]byte, text, sha string, warn bool) record.Committed {
	t.Helper()
	return applyMoved(t, files, nil, text, sha, warn)
}

// applyMoved is applyReply where the model saw other versions of some files.
func applyMoved(t *testing.T, files, shown map[string][]byte, text, sha string, warn bool) record.Committed {
	t.Helper()
	blocks := engine.Parse(text, engine.ParseOptions{}).Blocks
	outcome, err := engine.Apply(engine.MemTree(files), blocks, engine.Options{
		Protected: policy.DefaultPolicy().Protects, Verify: findBroken, AllowProblems: func(string) bool { return warn },
		Base: func(name string) ([]byte, bool) { data, ok := shown[name]; return data, ok },
	})
	require.NoError(t, err)
	made := record.Committed{
		Application: record.Application{Base: headSHA, Results: record.Results(outcome), Changed: outcome.Changed},
	}
	if len(outcome.Changed) > 0 {
		made.SHA = sha
	}
	return made
}

// findBroken finds a problem in each line with the word BROKEN, which stands for what no parser takes. Behind the word
// UNCHECKED is the reason for which a file is not checked.
func findBroken(_ string, _, after []byte) (v engine.Verification) {
	for i, line := range strings.Split(string(after), "\n") {
		if strings.Contains(line, "BROKEN") {
			v.Problems = append(v.Problems,
				engine.FileProblem{Line: i + 1, Message: "expected '}', found " + line, Syntax: true})
		}
		if _, reason, ok := strings.Cut(line, "UNCHECKED "); ok {
			v.Unchecked = reason
		}
	}
	return v
}

// ourLink is a link to a page of the repository.
var ourLink = regexp.MustCompile(`^<a href="https://github\.example/acme/lathe[^"<>]*">$`)

// allowedTag is the HTML of our own; GitHub accepts all of it.
var allowedTag = regexp.MustCompile(
	`^</?(p|ul|ol|li|h[1-6]|strong|em|pre|code|blockquote|table|thead|tbody|tr|td|th|details|summary|sub|br|hr)` +
		`( class="language-[A-Za-z0-9+#_-]{1,20}"| style="text-align:(left|right|center)"| start="\d+")*( /)?>$` +
		`|^<a href="https://github\.(example/|com/tenon-bot/tenon/blob/main/docs/)[^"<>]*">$|^</a>$` +
		`|^<!-- tenon:description( end)? -->$`)

// drawnCode is code that GitHub makes a drawing of.
var drawnCode = regexp.MustCompile(`(?i)language-(mermaid|math|geojson|topojson|stl)"`)

// page is an answer as GitHub shows it. There is no HTML in it but our own.
func page(t *testing.T, md string) string {
	t.Helper()
	html := markdowntest.RenderHTML(md)
	for _, tag := range markdowntest.Tag.FindAllString(html, -1) {
		require.Regexp(t, allowedTag, tag)
		require.NotRegexp(t, drawnCode, tag)
	}
	return html
}

// requireGolden requires an answer to be what the golden file says, as Markdown and as GitHub shows it.
func requireGolden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	text := txtar.Format(&txtar.Archive{Files: []txtar.File{
		{Name: "want.md", Data: []byte(got + "\n")}, {Name: "want.html", Data: []byte(page(t, got))},
	}})
	if *update {
		require.NoError(t, os.WriteFile(name, text, 0o644)) //nolint:gosec // a golden file
		return
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), string(text))
}

// golden is a case of testdata/report: what a run found and did, in case.json, the files in tree, what the model saw of
// those that changed since in shown, the reply, and the answer as Markdown and as GitHub shows it.
type golden struct {
	// Kind is "" for the answer to a fix, or "status", "waiting", "cancelled" or "pull".
	Kind string
	// Unpushed is why the commit could not be made; then there is a patch.
	Unpushed string
	Moves    int
	Issue    int
	Cut      bool
	// Blocks makes the reply: so many edits, of which every seventh fails.
	Blocks  int
	Verbs   []string
	Context record.Prompt
	// Stage, Call and Wrote are how far a run is.
	Stage  Stage
	Call   int
	Wrote  []string
	Ahead  port.Event
	Branch string
	Model  string
	// Warn has what does not parse committed.
	Warn bool
}

func (g golden) offers(verb string) bool { return strings.Contains(strings.Join(g.Verbs, " "), verb) }

// manyBlocks makes files, and a reply with many edits of them.
func (g golden) manyBlocks(files map[string][]byte) string {
	var reply strings.Builder
	for i := range g.Blocks {
		name, find := fmt.Sprintf("pkg/part%02d/file.go", i/3), fmt.Sprintf("line %d of the file", i%3)
		files[name] = []byte("package part\n\nline 0 of the file\nline 1 of the file\nline 2 of the file\n")
		if i%7 == 6 {
			find = "line none of the file"
		}
		fmt.Fprintf(&reply, "%s\n<<<<<<< SEARCH\n%s\n=======\n%s, changed\n>>>>>>> REPLACE\n\n", name, find, find)
	}
	return reply.String()
}

func (g golden) answer(t *testing.T, files, shown map[string][]byte, text string) string {
	t.Helper()
	s := aFix()
	switch g.Kind {
	case "status":
		return StatusBody(s, Status{
			Stage: g.Stage, Target: record.Target{Branch: "speed", SHA: someSHA},
			Files: g.Context.Files, Call: g.Call, Blocks: g.Wrote,
		})
	case "waiting":
		return QueuedNotice(s, "fix", g.Ahead)
	case "cancelled":
		return CancelledBody(&port.CancelledError{By: "jan"}) + "\n\n" + RunNote(s.Run, s.Pages)
	}
	before := map[string][]byte{}
	for name, data := range files {
		before[name] = data
	}
	c := conversationOf(port.Answer{
		Text: text, Model: "model-1", Usage: port.Usage{In: 1200, Out: 345}, Cut: g.Cut,
	})
	if g.Model != "" {
		c.Turns[0].Answer.Model = g.Model
	}
	branch := "speed"
	if g.Branch != "" {
		branch = g.Branch
	}
	made := applyMoved(t, files, shown, text, someSHA, g.Warn)
	if g.Kind == "pull" {
		return Description{Issue: g.Issue, Links: onLathe, Made: []Made{{
			Commit: record.Commit{SHA: someSHA, Subject: "fix: greet politely", Changed: made.Changed},
			Event:  s.Event, Verb: "fix", Explanation: c.Reply().Explanation, Results: made.Results,
		}}}.Body("")
	}
	r := summaryOf(record.Target{Branch: branch}, g.Context, c, made)
	r.Offers, r.Moves = g.offers, g.Moves
	if g.Unpushed != "" {
		r.SHA, r.Unpushed = "", g.Unpushed
		var changes []FileChange
		for _, name := range r.Changed {
			changes = append(changes, FileChange{Path: name, Before: before[name], After: files[name]})
		}
		r.Patch = MakePatch(changes)
	}
	if g.Issue > 0 {
		r.Branch, r.Pull, r.PullURL = "tenon/issue-7", 13, lathe+"/pull/13"
	}
	return r.Body()
}

func TestReport(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/report/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(names), 12)
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			var g golden
			files, shown := map[string][]byte{}, map[string][]byte{}
			parts := map[string]string{}
			for _, f := range archive.Files {
				if path, ok := strings.CutPrefix(f.Name, "tree/"); ok {
					files[path] = f.Data
				}
				if path, ok := strings.CutPrefix(f.Name, "shown/"); ok {
					shown[path] = f.Data
				}
				parts[f.Name] = string(f.Data)
			}
			if parts["case.json"] != "" {
				require.NoError(t, json.Unmarshal([]byte(parts["case.json"]), &g))
			}
			if g.Blocks > 0 {
				parts["reply.md"] = g.manyBlocks(files)
			}
			got := g.answer(t, files, shown, parts["reply.md"]) + "\n"
			page := page(t, got)
			if *update {
				last := len(archive.Files) - 2
				archive.Files[last].Data, archive.Files[last+1].Data = []byte(got), []byte(page)
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o644)) //nolint:gosec // a golden file
				return
			}
			require.Equal(t, parts["want.md"], got)
			require.Equal(t, parts["want.html"], page)
		})
	}
}
