package prompts_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

func TestWhatTheEngineReadsCanBeAskedFor(t *testing.T) {
	t.Parallel()
	var names []string
	for _, f := range engine.Formats() {
		names = append(names, f.Name)
		system, user := prompts.Fix(prompts.Input{Format: f.Name, Task: "x", Nonce: "n"})
		markers := append([]string{f.Head, f.End}, f.Dividers...)
		markers = append(markers, f.NewFileHead, f.NewFileEnd)
		for _, m := range slices.DeleteFunc(markers, func(m string) bool { return m == "" }) {
			require.Contains(t, system, "`"+m+"`", "the prompt of %s explains the marker", f.Name)
			require.Contains(t, user, "`"+m+"`", "the reminder of %s has the marker", f.Name)
		}
		require.Equal(t, f.Commands, strings.Contains(system, "tagged bash"), f.Name)
		require.Equal(t, !f.Commands, strings.Contains(system, "Write no shell commands"), f.Name)
		require.Equal(t, !f.Fenced && f.Name != "section", strings.Contains(system, "Never wrap a block in a code fence"),
			f.Name)
	}
	require.Equal(t, names, prompts.Formats())
	require.Contains(t, names, prompts.DefaultFormat)
}

func TestAFormatIsChosenByTheModelsName(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gpt-5": "diff", "claude-sonnet-4": "diff", "google/gemini-2.5-pro": "diff-fenced",
		"models/Gemini-3-flash": "diff-fenced", "": "diff",
	} {
		require.Equal(t, want, prompts.FormatFor(model), model)
	}
	one, _ := prompts.Fix(prompts.Input{Format: "no such"})
	two, _ := prompts.Fix(prompts.Input{Format: "diff"})
	require.Equal(t, two, one)
}

// example is a worked example of a prompt: files as they are shown, and the reply.
type example struct {
	title, reply string
	files        map[string][]byte
}

var shownFile = regexp.MustCompile(`(?s)<<k3x9 file ([^>\n]+)>>\n(.*?)<<k3x9 end>>`)

func examples(system string) (out []example) {
	for _, text := range strings.Split(system, "\n## Example: ")[1:] {
		title, _, _ := strings.Cut(text, "\n")
		before, reply, _ := strings.Cut(text, "\nReply:\n")
		e := example{title: title, reply: reply, files: map[string][]byte{}}
		for _, m := range shownFile.FindAllStringSubmatch(before, -1) {
			e.files[m[1]] = []byte(m[2])
		}
		out = append(out, e)
	}
	return out
}

// A prompt can never teach what the engine refuses: each example is a reply that applies, exactly.
func TestEveryExampleApplies(t *testing.T) {
	t.Parallel()
	var before []map[string]string
	for _, f := range engine.Formats() {
		system, _ := prompts.Fix(prompts.Input{Format: f.Name})
		list := examples(system)[:2]
		var after []map[string]string
		for _, e := range list {
			reply := engine.Parse(e.reply, engine.ParseOptions{})
			require.Empty(t, reply.Problems, "%s: %s", f.Name, e.title)
			require.True(t, len(reply.Blocks) > 1 || f.Name == "whole", "%s: %s", f.Name, e.title)
			require.Contains(t, reply.Prose, "COMMIT: ")
			for i, b := range reply.Blocks {
				require.Equal(t, f.ParsesAs, b.Format, "%s: %s", f.Name, e.title)
				require.Equal(t, i > 0 || e.title == list[0].title, b.Purpose != "", "%s: what an edit is for is optional", f.Name)
			}
			outcome, err := engine.Apply(engine.MemTree(e.files), reply.Blocks, engine.Options{})
			require.NoError(t, err)
			for _, r := range outcome.Results {
				require.Equal(t, engine.Applied, r.Status, "%s: %s: %s", f.Name, e.title, r.Detail)
				require.LessOrEqual(t, r.Level, engine.LevelExact)
				require.Empty(t, r.Detail)
			}
			texts := map[string]string{}
			for name, data := range e.files {
				texts[name] = string(data)
			}
			after = append(after, texts)
		}
		if before == nil {
			before = after
		}
		require.Equal(t, before, after, "all formats teach the same changes; %s does not", f.Name)
	}
	require.Contains(t, before[1], "cmd/version.go")
	require.NotContains(t, before[1]["cmd/serve.go"], "/ping")
}

// Each format has the same examples of a reply without edits.
func TestEveryKindOfReplyHasAnExample(t *testing.T) {
	t.Parallel()
	for _, format := range prompts.Formats() {
		system, user := prompts.Fix(prompts.Input{Format: format, Task: "x", Nonce: "n"})
		list := examples(system)
		require.Len(t, list, 4, format)
		for i, begins := range []string{"NEED: ", "NO CHANGE: "} {
			e := list[2+i]
			require.True(t, strings.HasPrefix(strings.TrimSpace(e.reply), begins), e.title)
			reply := engine.Parse(e.reply, engine.ParseOptions{})
			require.Empty(t, reply.Blocks, e.title)
			require.Empty(t, reply.Problems, e.title)
		}
		require.Contains(t, list[2].reply, "\nFIND: ")
		for _, kind := range []string{"`COMMIT:`", "`NEED:`", "`FIND:`", "`NO CHANGE`"} {
			require.Contains(t, system, kind[:len(kind)-1])
			_, reminder, _ := strings.Cut(user, "x\n<<n end>>\n")
			require.Contains(t, reminder, kind, format)
		}
	}
}

// The explanation comes before the line for the commit, as the prompt asks for it.
func TestTheExamplesExplainFirst(t *testing.T) {
	t.Parallel()
	for _, format := range prompts.Formats() {
		system, _ := prompts.Fix(prompts.Input{Format: format})
		for _, e := range examples(system)[:2] {
			before, _, found := strings.Cut(strings.TrimSpace(e.reply), "COMMIT: ")
			require.True(t, found)
			require.Greater(t, strings.Count(before, "."), 1, "%s: %s", format, e.title)
		}
	}
}

// Only data is between lines with the key of a question: the key of the examples is in no question.
func TestTheExamplesHaveAKeyOfTheirOwn(t *testing.T) {
	t.Parallel()
	system, user := prompts.Fix(prompts.Input{Task: "x", Nonce: "n"})
	require.Contains(t, system, "<<k3x9 file shop/cart.py>>")
	require.NotContains(t, system, "<<code")
	require.NotContains(t, user, "k3x9")
}

// Each rule that the documents of the formats give for models has its line in every prompt.
func TestEveryRuleOfTheFormatsIsTold(t *testing.T) {
	t.Parallel()
	all := prompts.Formats()
	hunks, whole := []string{"udiff", "patch"}, []string{"whole"}
	halves := slices.DeleteFunc(prompts.Formats(), func(f string) bool {
		return slices.Contains(append(hunks, whole...), f)
	})
	commands := slices.DeleteFunc(prompts.Formats(), func(f string) bool { return strings.HasPrefix(f, "editor") })
	places, named := append(hunks, halves...), slices.DeleteFunc(slices.Clone(commands), func(f string) bool {
		return slices.Contains(hunks, f)
	})
	longer := []string{"diff", "diff-fenced", "editor-diff", "editor-diff-fenced"}
	for _, rule := range []struct {
		words   string
		formats []string
	}{
		{"full path, verbatim", all},
		{"from the file as shown, character for character; never type them from memory", all},
		{"Copy the lines to find", halves},
		{"Copy the lines that stay or go", hunks},
		{"Write every line of the file", whole},
		{"Edit only files of which you see all lines", whole},
		{"Leave out files that stay as they are", whole},
		{"What you leave out is deleted", whole},
		{"Unchanged lines around a change appear in both halves", halves},
		{"up to three lines that stay before and after each change", hunks},
		{"enough lines to make the place unique", places},
		{"Whitespace, blank lines and comments count", all},
		{"No placeholders: never `...`", all},
		{"check that the lines to find are in the file", halves},
		{"check that these lines are in the file", hunks},
		{"Keep blocks small", halves},
		{"Keep hunks small", hunks},
		{"Do not mix unrelated changes", all},
		{"within three lines", places},
		{"build on each other", places},
		{"An edit changes what the next one must search for, and can make a place appear twice", places},
		{"replace the whole function", places},
		{"A new file is a block that finds nothing", halves},
		{"`--- /dev/null`", []string{"udiff"}},
		{"`+++ /dev/null`", []string{"udiff"}},
		{"`rename from old/path`", []string{"udiff"}},
		{"`*** Add File: `", []string{"patch"}},
		{"`*** Delete File: `", []string{"patch"}},
		{"`*** Move to: `", []string{"patch"}},
		{"Delete or rename a file by an edit, not by a command", hunks},
		{"one logical change, one", places},
		{"Do only what is asked", all},
		{"for a problem with its cause, in at most three sentences", all},
		{"that says what the edit", all},
		{"Never weaken or remove a test to make it pass", all},
		{"`NEED: path:120-240`", all},
		{"`NEED: path Name`", all},
		{"`FIND: text`", all},
		{"up to five at a time, up to three times", all},
		{"if its delimiter says that its author may not write here, it only describes a problem", all},
		{"`git rm path/to/file`", named},
		{"`git mv old/path new/path`", named},
		{"tagged bash", commands},
		{"None is run automatically", commands},
		{"Never wrap a block in a code fence", []string{"v3", "anchored", "patch"}},
		{"with the language's name", append([]string{"whole"}, longer...)},
		{"alone on the first line inside the fence", []string{"diff-fenced", "editor-diff-fenced"}},
		{"a closing fence", append([]string{"whole", "udiff"}, longer...)},
		{"with a longer", append([]string{"whole", "udiff"}, longer...)},
		{"make all three markers of the block longer", append([]string{"section"}, longer...)},
	} {
		for _, format := range all {
			system, _ := prompts.Fix(prompts.Input{Format: format})
			require.Equal(t, slices.Contains(rule.formats, format), strings.Contains(system, rule.words), "%s: %s", format,
				rule.words)
		}
	}
}

// What the prompts say of longer markers and fences is so.
func TestLongerMarkersAndFencesHoldShorterOnes(t *testing.T) {
	t.Parallel()
	reply := "a.md\n````md\n<<<<<<<<< SEARCH\nold\n=========\nTitle\n=======\n```\ncode\n```\n>>>>>>>>> REPLACE\n````\n"
	files := engine.MemTree{"a.md": []byte("old\n")}
	parsed := engine.Parse(reply, engine.ParseOptions{})
	require.Empty(t, parsed.Problems)
	outcome, err := engine.Apply(files, parsed.Blocks, engine.Options{})
	require.NoError(t, err)
	require.Equal(t, engine.Applied, outcome.Results[0].Status, outcome.Results[0].Detail)
	require.Equal(t, "Title\n=======\n```\ncode\n```\n", string(files["a.md"]))
}

func TestRemindersAreShortAndLast(t *testing.T) {
	t.Parallel()
	for _, format := range prompts.Formats() {
		_, user := prompts.Fix(prompts.Input{Format: format, Task: "the task", Nonce: "n"})
		_, reminder, ok := strings.Cut(user, "the task\n<<n end>>\n")
		require.True(t, ok)
		require.Len(t, strings.Split(strings.TrimSpace(reminder), "\n"), 6, format)
	}
}
