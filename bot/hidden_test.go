package bot

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// The places from which a text of people gets into a prompt.
const (
	inCommand = iota
	inDescription
	inEarlierComment
	inReviewThread
	inConventions
	inInstructions
	inIssue
	inNewIssue
	places
)

// promptsWith returns the prompts that have a text in each of the places. word is a word of it, of which each place has
// its own.
func promptsWith(t *testing.T, w *bottest.World, text, word string) (all []port.Request) {
	t.Helper()
	at := func(place int) string { return strings.ReplaceAll(text, word, fmt.Sprintf("%s%d", word, place)) }
	w.Repo.Push("main", map[string]string{"AGENTS.md": at(inConventions)})
	ada := port.User{ID: 5, Login: "ada"}
	github := &discussedGitHub{writers: "ada maria", comments: []port.Comment{
		{ID: 1, Author: ada, Body: at(inEarlierComment), Updated: started.Add(-time.Hour)},
	}, threads: []port.ReviewThread{{Path: "main.go", Line: 1, Comments: []port.Comment{
		{ID: 2, Author: ada, Body: at(inReviewThread), Updated: started.Add(-time.Hour)},
	}}}}
	build := func(change func(*port.Event, *record.Target)) {
		ev := fixEvent()
		ev.Repo, ev.Sender = w.Repo.Ref(), port.User{ID: 7, Login: "maria"}
		ev.Comment.Author = ev.Sender
		head := record.Target{Branch: "main", SHA: w.Repo.Branch("main"), Base: "main"}
		change(&ev, &head)
		r := runOf(t, &Bot{GitHub: github, Repos: w.Repos}, ev)
		p := r.prompter()
		p.policy.Instructions = []policy.Instruction{{Origin: policy.Repository, Text: at(inInstructions)}}
		what := taskOf(r.inv)
		if ev.Thread.Pull {
			var err error
			what.reviews, err = p.reviews(t.Context())
			require.NoError(t, err)
		}
		prompt, err := p.build(t.Context(), head, what, port.ModelInfo{Name: bottest.ModelName}, nil,
			func() error { return nil })
		require.NoError(t, err)
		all = append(all, prompt.Request)
	}
	build(func(ev *port.Event, _ *record.Target) {
		ev.Comment.Body = "/tenon fix it\n\n" + at(inCommand)
	})
	build(func(ev *port.Event, _ *record.Target) {
		ev.Kind, ev.Comment.Body, ev.Thread.Title = port.Labeled, at(inDescription), "Faster"
	})
	build(func(ev *port.Event, head *record.Target) {
		ev.Thread.Pull = false
		head.About, head.Author, head.Title = at(inIssue), ada, "Slow"
	})
	build(func(ev *port.Event, head *record.Target) {
		ev.Kind, ev.Thread.Pull, ev.Comment.Kind = port.IssueBody, false, port.IssueBody
		ev.Comment.Body = at(inNewIssue) + "\n\n/tenon fix it"
	})
	return all
}

func textOf(requests []port.Request) string {
	var b strings.Builder
	for _, r := range requests {
		for _, m := range r.Messages {
			b.WriteString(m.Text + "\n")
		}
	}
	return b.String()
}

// endless reports whether a shape goes on to the end of a text, so that a command below it is none.
func endless(name string) bool { return strings.Contains(name, "without an end") }

func TestNothingHiddenReachesAPrompt(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for name, body := range markdowntest.Hidden() {
		text := markdowntest.Plain(textOf(promptsWith(t, w, body, markdowntest.SeenWord)))
		require.False(t, strings.Contains(text, markdowntest.HiddenWord), name)
		for place := range places {
			if place == inNewIssue && endless(name) || place == inConventions && strings.Contains(body, "\x00") {
				continue // it is no command, or no text
			}
			require.True(t, strings.Contains(text, fmt.Sprintf("%s%d", markdowntest.SeenWord, place)), "%s in place %d", name,
				place)
		}
	}
}

func TestEverythingThatPeopleSeeReachesThePrompt(t *testing.T) {
	t.Parallel()
	w := bottest.New(t)
	for name, body := range markdowntest.Visible() {
		text := textOf(promptsWith(t, w, body, markdowntest.SeenWord))
		for place := range places {
			if place == inNewIssue && endless(name) {
				continue
			}
			word := fmt.Sprintf("%s%d", markdowntest.SeenWord, place)
			require.GreaterOrEqual(t, strings.Count(text, word), strings.Count(body, markdowntest.SeenWord),
				"%s in place %d", name, place)
		}
	}
}
