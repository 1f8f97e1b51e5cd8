package bot

import (
	"fmt"
	"strings"
)

// statusBody is what stands in the answer while the run goes on.
func (s *session) statusBody(now status) string {
	text := fmt.Sprintf("**Working** on %s at `%.7s`", codeSpan(now.target.Branch), now.target.SHA)
	switch now.stage {
	case stageReading:
		text += " · reading files"
	case stageAsking:
		text += fmt.Sprintf(" · read %d %s · asking the model", len(now.files), plural(len(now.files), "file"))
		if n := len(now.blocks); n > 0 {
			text += fmt.Sprintf(" · wrote %d %s, the last for %s", n, plural(n, "edit"), codeSpan(clip(now.blocks[n-1], maxCell)))
		}
	case stageApplying:
		text += " · applying the edits"
	case stageCommitting:
		text += " · committing"
	}
	return strings.Join([]string{text, s.runNote()}, "\n\n")
}

// waitingBody is what stands there before the run begins.
func (s *session) waitingBody(ahead Event) string {
	return fmt.Sprintf("**Waiting**: a command of %s on this thread comes first: %s\n\n%s", plainLogin(ahead.Sender.Login), ahead.Comment.URL, s.runNote())
}

// cancelledText is the last word of a run that somebody cancelled.
func cancelledText(by *CancelledError) string {
	return fmt.Sprintf("**Cancelled** by %s. Nothing was committed.", plainLogin(by.By))
}

// checkOf is the check of a run that came to its end.
func (s *session) checkOf(j job, made committed) Check {
	n := count(made.Results)
	c := Check{
		Conclusion: "neutral",
		Title:      fmt.Sprintf("Applied %d, failed %d, skipped %d of %d", n.applied, n.failed, n.skipped, len(made.Results)),
		Summary:    s.headline(j.target, made, j.talk),
	}
	switch {
	case n.failed > 0:
		c.Conclusion = "failure"
	case made.SHA != "":
		c.Conclusion = "success"
	}
	return c
}

// pullTitle is the title of an issue's pull request.
func pullTitle(t target) string { return clip(oneLine(t.Title), maxPullTitle) }

// maxPullTitle is GitHub's limit in characters.
const maxPullTitle = 256

// pullBody is the text of an issue's pull request.
func (s *session) pullBody(made committed) string {
	return fmt.Sprintf("Fixes #%d\n\nAsked for by %s in %s. tenon commits further commands in the issue, and in this pull request, to the same branch.\n\n%s",
		s.ev.Thread.Number, plainLogin(s.ev.Sender.Login), s.ev.Comment.URL, s.runNote())
}
