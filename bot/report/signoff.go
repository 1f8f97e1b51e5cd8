package report

import "github.com/tenon-bot/tenon/bot/markdown"

// maxSigned bounds a login that is no person's, in characters.
const maxSigned = 60

// SignOff is the last line of an answer: who gave the command, and the run by which whoever operates tenon finds it in
// the records.
type SignOff struct {
	// Login is who gave the command, Run the id of its run.
	Login, Run string
	// On is the run on whose page the command was given; empty for one that was given on GitHub.
	On string
	// Mention means that GitHub notifies the person. An answer has at most one mention, and this is it.
	Mention bool
	// Pages are where runs are shown.
	Pages Pages
}

// Text returns the line as Markdown.
func (s SignOff) Text() string {
	who := markdown.PlainLogin(markdown.Clip(s.Login, maxSigned))
	if s.Mention {
		who = markdown.Mention(markdown.Clip(s.Login, maxSigned))
	}
	if s.On != "" {
		who += " on the page of " + s.Pages.Link(s.On)
	}
	return endingBegins + who + runSeparator + s.Pages.Link(s.Run) + endingEnds
}
