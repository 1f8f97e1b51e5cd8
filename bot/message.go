package bot

import (
	"fmt"
	"regexp"
	"strings"
)

// maxSubject is the length of a commit's first line at which tools begin to cut it.
const maxSubject = 72

var (
	subjectShape = regexp.MustCompile(`^[a-z]+(\([A-Za-z0-9_./-]+\))?!?: [^\s].*$`)
	// subjectTraps are what GitHub acts on in a commit message: mentions, references (with closing words), links, words that
	// keep its CI from running.
	subjectTraps = regexp.MustCompile(`(?i)@|#\d|\bGH-\d|://|\[(skip ci|ci skip|no ci|skip actions|actions skip)\]|\*\*\*NO_CI\*\*\*|skip-checks`)
)

func (s *session) trailer() string { return "Tenon-Run: " + s.run.ID }

// commitRequest is the same for every attempt of a run on the same results: nothing in it depends on the hour of the push.
func (s *session) commitRequest(head target, t talk, a applied) CommitRequest {
	tenon := Signature{Name: s.Slug + "[bot]", Email: s.Slug + "[bot]@users.noreply.github.com", When: s.run.Started}
	return CommitRequest{Branch: head.Branch, Message: s.message(t, a), Author: tenon, Committer: tenon}
}

func (s *session) message(t talk, a applied) string {
	n := count(a.Results)
	return fmt.Sprintf("%s\n\nRequested by %s in %s\nApplied %d, failed %d, skipped %d of %d edits.\n\nCo-authored-by: %s <%d+%s@users.noreply.github.com>\n%s\n",
		s.subject(t.prose()), s.ev.Sender.Login, s.ev.Comment.URL, n.applied, n.failed, n.skipped, len(a.Results),
		s.ev.Sender.Login, s.ev.Sender.ID, s.ev.Sender.Login, s.trailer())
}

// subject is the model's COMMIT line, if it is one that does nothing but say what was done.
func (s *session) subject(prose string) string {
	for line := range strings.Lines(prose) {
		text, ok := strings.CutPrefix(strings.TrimSpace(line), "COMMIT:")
		if !ok {
			continue
		}
		text = strings.TrimSpace(text)
		if len(text) <= maxSubject && text == visible(text, false) && subjectShape.MatchString(text) && !subjectTraps.MatchString(text) {
			return text
		}
	}
	return fmt.Sprintf("chore: apply edits from #%d", s.ev.Thread.Number)
}
