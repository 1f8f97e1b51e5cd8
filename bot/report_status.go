package bot

import (
	"fmt"
	"strings"
)

// statusBody is what stands in the answer while the run goes on: its steps, those that are done ticked, the present one in bold.
func statusBody(s Subject, now status) string {
	text := "⏳ **Working** for " + askerOf(s.Event) + "\n\n- ✅ " + openedWords(now.target, RepoURL(s.Event.Thread))
	steps := []func(done bool) string{now.reading, now.asking, now.applying, committing}
	switch {
	case s.Command.Reads:
		steps = steps[:2]
	case s.Command.Verb == "preview":
		steps = steps[:3]
	}
	for at, words := range steps {
		switch step := stage(at); {
		case step < now.stage:
			text += "\n- ✅ " + words(true)
		case step == now.stage:
			text += "\n- ⏳ **" + words(false) + "**" + now.writing()
		default:
			text += "\n- " + words(false)
		}
	}
	return text + "\n\n" + s.runHint("stops it")
}

// askerOf is who gave the command, with a link to it.
func askerOf(ev Event) string {
	text := plainLogin(ev.Sender.Login)
	if ev.Comment.URL != "" {
		text += " ([command](" + ev.Comment.URL + "))"
	}
	return text
}

// runHint says how the run can be stopped, and found.
func (s Subject) runHint(cancel string) string {
	if s.offers("cancel") {
		return "<sub>`/tenon cancel` " + cancel + " · run " + s.Run + "</sub>"
	}
	return RunNote(s.Run)
}

func openedWords(t target, repoURL string) string {
	if t.New {
		return fmt.Sprintf("branch %s from %s", codeSpan(t.Branch), codeSpan(t.Base))
	}
	return fmt.Sprintf("opened %s at [`%.7s`](%s/commit/%s)", codeSpan(t.Branch), t.SHA, repoURL, t.SHA)
}

func (now status) reading(done bool) string {
	if len(now.files) == 0 {
		return tense(done, "read the files", "reading the files")
	}
	var names []string
	for _, f := range now.files[:min(len(now.files), maxNamed)] {
		names = append(names, codeSpan(clip(f.Path, maxCell)))
	}
	text := fmt.Sprintf("%s %d %s: %s", tense(done, "read", "reading"), len(now.files), plural(len(now.files), "file"), strings.Join(names, ", "))
	if more := len(now.files) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (now status) asking(done bool) string {
	switch {
	case now.call > 1 && done:
		return fmt.Sprintf("asked the model, %d times", now.call)
	case now.call > 1:
		return fmt.Sprintf("asking the model, question %d", now.call)
	}
	return tense(done, "asked the model", "asking the model")
}

// writing says what the model has written so far.
func (now status) writing() string {
	n := len(now.blocks)
	if now.stage != stageAsking || n == 0 {
		return ""
	}
	return fmt.Sprintf(" · wrote edit %d: %s", n, codeSpan(clip(now.blocks[n-1], maxCell)))
}

func (now status) applying(done bool) string {
	return tense(done, "applied the edits", "applying the edits")
}

func committing(bool) string { return "committing" }

func tense(done bool, past, present string) string {
	if done {
		return past
	}
	return present
}

// waitingBody is what stands there before the run begins; verb is that of the command ahead.
func waitingBody(s Subject, verb string, ahead Event) string {
	return fmt.Sprintf("⏳ **Waiting** for %s, which comes first on this %s. This one, for %s, begins by itself.\n\n%s",
		CommandWords(verb, ahead), s.Event.Thread.kind(), askerOf(s.Event), s.runHint("stops all that is in work and waits here"))
}

// cancelledText is the last word of a run that somebody cancelled.
func cancelledText(by *CancelledError) string {
	return fmt.Sprintf("🛑 **Cancelled** by %s. Nothing was committed.", plainLogin(by.By))
}
