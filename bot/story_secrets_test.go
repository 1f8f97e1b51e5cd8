package bot_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
	"github.com/tenon-bot/tenon/bot/port"
)

// sinks are the texts that came out of a story, by what they are for.
func (s *story) sinks() map[string][]string {
	out := map[string][]string{"log": {s.Logged()}}
	for _, request := range s.Model.Requests() {
		for _, m := range request.Messages {
			if m.Role == "user" {
				out["prompt"] = append(out["prompt"], m.Text)
			}
		}
	}
	out["answer"] = s.pull.Answers()
	for _, c := range s.pull.Comments(port.ReviewComment) {
		if strings.HasPrefix(c.Author(), "tenon") {
			out["suggestion"] = append(out["suggestion"], c.Body())
		}
	}
	for _, c := range s.Repo.CheckRuns() {
		out["check"] = append(out["check"], c.Title, c.Summary, c.Text)
	}
	for _, ev := range s.Accepted() {
		for name, step := range s.Queue.Steps(ev.Delivery) {
			if name != "source" { // the blocks that a person pasted
				out["record"] = append(out["record"], unescaped(step.Data))
			}
		}
	}
	return out
}

// unescaped returns the texts in JSON, without what a model or a person said of edits: that is committed as it is.
func unescaped(data []byte) string {
	var v any
	if json.Unmarshal(data, &v) != nil {
		return string(data)
	}
	var b strings.Builder
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, x := range v {
				walk(key, x)
			}
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if k != "answer" {
					walk(k, v[k])
				}
			}
		}
	}
	walk("", v)
	return b.String()
}

// leaks counts the secrets of shapes in what came out of a story, by sink.
func (s *story) leaks(shapes []secrettest.Shape, counts map[string]int) {
	for sink, texts := range s.sinks() {
		counts[sink] += len(texts)
		all := strings.Join(texts, "\n")
		for _, shape := range shapes {
			for n, value := range shape.Values {
				if len(value) >= 8 && strings.Contains(all, value) {
					s.t.Errorf("%s: line %d of %s is shown in %s", shape.Name, n+1, shape.Name, sink)
					break
				}
			}
		}
	}
}

// batches returns the shapes, some at a time.
func batches() [][]secrettest.Shape {
	return slices.Collect(slices.Chunk(secrettest.Maker(2).Shapes(), 12))
}

func named(shapes []secrettest.Shape) (files map[string]string, names string) {
	files = map[string]string{}
	for _, shape := range shapes {
		files[shape.File] = shape.Text
		names += " `" + shape.File + "`"
	}
	return files, names
}

// middle is where the secret is in a shape's file, from 1.
func middle(shape secrettest.Shape) int { return strings.Count(shape.Text, "\n") - 2 }

// Whatever a command shows of files with secrets, to a model or to people, has none of them.
func TestNoSecretOfAFileIsShownAnywhere(t *testing.T) {
	t.Parallel()
	counts, shapes := map[string]int{}, 0
	for _, batch := range batches() {
		shapes += len(batch)
		files, names := named(batch)
		var near, asks strings.Builder
		for _, shape := range batch {
			near.WriteString(edit(shape.File, "beta = 2\n"+shape.Values[0][:4]+"\ngamma = 33", "x"))
			fmt.Fprintf(&asks, "NEED: %s\nFIND: gamma\n", shape.File)
		}
		s := newStory(t, asks.String(), near.String(), near.String(), near.String(), "NO CHANGE")
		s.push(files)
		s.say("/tenon fix" + names)
		s.say("/tenon retry")
		for _, shape := range batch {
			for _, line := range []int{middle(shape), middle(shape) + 1} {
				s.pull.ReviewComment("maria", shape.File, line, "What is this?")
			}
		}
		s.say("/tenon address")
		for _, shape := range batch {
			s.pull.ReviewComment("maria", shape.File, middle(shape), "/tenon ask what is this?")
			s.Run()
		}
		s.leaks(batch, counts)
		for _, shape := range batch {
			require.Equal(t, shape.Text, s.File("speed", shape.File), "it is not edited")
		}
	}
	require.GreaterOrEqual(t, shapes, 100)
	t.Logf("%d shapes, 0 shown in so many texts: %v", shapes, counts)
}

// What a model or a person writes has no secrets in it where it is shown either: in what it says, in new files, in
// edits that fail, in a preview, in what an undo reverts.
func TestNoSecretOfAReplyIsShownAnywhere(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for _, batch := range batches() {
		var creates, prose, fails strings.Builder
		for n, shape := range batch {
			creates.WriteString(edit("new/"+shape.File, "", strings.TrimSuffix(shape.Text, "\n")))
			fmt.Fprintf(&prose, "About %d:\n\n```\n%s```\n\n", n, shape.Text)
			lines := strings.Split(shape.Text, "\n")
			fails.WriteString(edit("speed.txt", strings.Join(lines[:len(lines)/2+1], "\n"), strings.Join(lines[3:], "\n")))
		}
		s := newStory(t, prose.String()+creates.String())
		s.say("/tenon preview new files")
		s.Model.Forget()
		s.Model.Says(creates.String())
		s.say("/tenon fix it")
		s.say("/tenon undo")
		s.Model.Forget()
		s.Model.Says(fails.String())
		s.say("/tenon fix the others")
		s.Model.Forget()
		s.Model.Says(prose.String())
		s.say("/tenon ask what are they?")
		s.say("/tenon apply\n\n" + fails.String())
		s.Model.Forget()
		s.Model.Says("NO CHANGE " + prose.String())
		s.say("/tenon fix " + strings.ReplaceAll(prose.String(), "```", ""))
		s.leaks(batch, counts)
	}
	t.Logf("0 shown in so many texts: %v", counts)
}

// A fork that takes no commit gets a patch and suggestions.
func TestNoSecretIsInAPatchOrASuggestion(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for _, batch := range batches() {
		var reply strings.Builder
		for _, shape := range batch {
			reply.WriteString(edit("new/"+shape.File, "", strings.TrimSuffix(shape.Text, "\n")))
		}
		text := strings.TrimSuffix(batch[0].Text, "\n")
		s := newStory(t, edit("theirs.txt", "two", text)+reply.String())
		s.fromFork("stranger")
		s.pull.RefuseEdits()
		got := s.say("/tenon fix it")
		require.Contains(t, got.answer, "it contains secrets")
		s.leaks(batch, counts)
	}
	t.Logf("0 shown in so many texts: %v", counts)
}

// GitHub cuts the diff above a comment at the comment, and git quotes a line of the file in its first line: whatever
// line of a key is commented on, and whatever an edit almost finds, no line of the key is shown.
func TestNoLineOfAKeyIsShownAtAnyOffset(t *testing.T) {
	t.Parallel()
	key := secrettest.Maker(3).Key("RSA PRIVATE KEY", 27)
	lines := slices.Concat([]string{"alpha = 1", "beta = 2"}, key, []string{"gamma = 3", "delta = 4"})
	other := secrettest.Maker(4).Key("RSA PRIVATE KEY", 27)
	shape := secrettest.Shape{Name: "a key", Values: slices.Concat(key[1:28], other[1:28])}
	for _, there := range []string{"is there", "was changed", "was removed", "was moved", "is changed within"} {
		t.Run("the key "+there, func(t *testing.T) {
			t.Parallel()
			counts := map[string]int{}
			s := newStory(t, "NO CHANGE")
			s.push(map[string]string{"notes.txt": strings.Join(lines, "\n") + "\n"})
			first, last := 0, len(lines)
			if there == "is changed within" { // the hunk begins and ends in the middle of the key
				s.Repo.Push("main", map[string]string{"notes.txt": strings.Join(lines, "\n") + "\n"})
				now := slices.Clone(lines)
				now[14], now[15] = other[12], other[13]
				s.pull = s.Pull("within", map[string]string{"notes.txt": strings.Join(now, "\n") + "\n"})
				first, last = 11, 18
			}
			for n := first; n < last; n++ {
				s.pull.ReviewComment("maria", "notes.txt", n+1, "What is this?")
			}
			switch there {
			case "was changed":
				s.push(map[string]string{"notes.txt": "alpha = 1\n" + strings.Join(other, "\n") + "\n"})
			case "was removed":
				s.push(map[string]string{"notes.txt": "alpha = 1\nbeta = 2\n"})
			case "was moved":
				s.push(map[string]string{"other.txt": strings.Join(lines, "\n") + "\n", "notes.txt": ""})
			}
			s.say("/tenon address")
			s.Model.Forget()
			var near strings.Builder
			for n := 3; n < len(lines)-4; n++ {
				near.WriteString(edit("notes.txt", strings.Join(lines[n:n+3], "\n")+"x", "y"))
			}
			s.Model.Says(near.String(), near.String(), near.String())
			s.say("/tenon fix `notes.txt`")
			s.say("/tenon apply\n\n" + near.String())
			s.leaks([]secrettest.Shape{shape}, counts)
			t.Logf("0 lines shown in so many texts: %v", counts)
		})
	}
}

func obeysSecretFiles(t *testing.T, s *story) {
	t.Helper()
	require.Contains(t, s.say("/tenon fix `main.go`").answer, "says that it contains secrets")
	require.NotContains(t, s.Model.Questions()[0], "println(\"hello\")\n}")
}
