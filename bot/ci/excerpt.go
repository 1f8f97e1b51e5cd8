package ci

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// MaxTokens is the most that a prompt shows of all failures of a commit, in tokens.
const MaxTokens = 6_000

// Failure is what is known of a check, or of a job, that failed. All but Name may be empty.
type Failure struct {
	Name, Conclusion string
	// Said is the title and summary of a check run, or the description of a status.
	Said        string
	Log         Log
	Annotations []port.Annotation
}

// Excerpt is what a prompt shows of a failure. All of it is untrusted text without secrets. It may be recorded as
// JSON.
type Excerpt struct {
	// Name, Conclusion and Step are one line each.
	Name       string `json:"name"`
	Conclusion string `json:"conclusion,omitempty"`
	Step       string `json:"step,omitempty"`
	// Text are lines of the log, with "…" where some are left out, after the annotations and what the check said; empty
	// if nothing is known, or if SameAs says it.
	Text string `json:"text,omitempty"`
	// SameAs is the name of the excerpt before this one that has the same errors.
	SameAs string `json:"same_as,omitempty"`
	// Secrets are the kinds of the secrets that were replaced.
	Secrets []string `json:"secrets,omitempty"`
}

// Excerpts returns what a prompt shows of failures, in their order, in so many tokens for the texts of all together.
// Each gets an equal share; what one does not need, the others get.
func Excerpts(failures []Failure, tokens int) []Excerpt {
	out := make([]Excerpt, len(failures))
	sources := make([]*source, len(failures))
	wants, whole := make([]int, len(failures)), make([]string, len(failures))
	first := map[string]string{}
	room := max(0, tokens) * port.BytesPerToken
	for i, f := range failures {
		s := newSource(f)
		out[i] = Excerpt{
			Name: oneLine(f.Name), Conclusion: oneLine(f.Conclusion), Step: f.Log.Step, Secrets: s.secrets,
		}
		errors := strings.Join(errorsOf(f), "\n")
		if same, ok := first[errors]; ok && errors != "" {
			out[i].SameAs = same
			continue
		}
		first[errors] = out[i].Name
		sources[i], whole[i] = s, s.text(room)
		wants[i] = len(whole[i])
	}
	for i, share := range shares(wants, room) {
		if out[i].Text = whole[i]; share < wants[i] {
			out[i].Text = sources[i].text(share)
		}
	}
	return out
}

// shares divides a room: each gets what it wants, or an equal share of what those leave that want less.
func shares(wants []int, room int) []int {
	out := make([]int, len(wants))
	for {
		open := 0
		for i, want := range wants {
			if out[i] < want {
				open++
			}
		}
		if open == 0 || room < open {
			return out
		}
		equal := room / open
		for i, want := range wants {
			more := min(equal, want-out[i])
			out[i] += more
			room -= more
		}
	}
}

// source is what the text of an excerpt is made from, without its secrets.
type source struct {
	secrets []string
	// notes are the annotations and what the check said, a line or a few each.
	notes []string
	lines []line
}

// Bounds on what is shown besides the log: of one note, in bytes; and the part of the room that all notes get if there
// is a log.
const (
	maxNote   = 600
	notesPart = 3
)

func newSource(f Failure) *source {
	s := &source{secrets: f.Log.Secrets, lines: f.Log.lines}
	for _, a := range f.Annotations {
		if text := s.redact(annotation(a)); text != "" && !s.says(a) {
			s.notes = append(s.notes, text)
		}
	}
	if said := s.redact(f.Said); said != "" {
		s.notes = append(s.notes, said)
	}
	return s
}

// redact returns a note without its secrets, cut to what is shown of it.
func (s *source) redact(text string) string {
	text, found := redactedText(text)
	s.secrets = appendNew(s.secrets, found...)
	return clip(strings.TrimSpace(text), maxNote)
}

// annotation returns the text of an annotation, after its place as compilers write it; empty for those of the runner
// that only say that a program failed.
func annotation(a port.Annotation) string {
	message := strings.TrimSpace(a.Title + "\n" + a.Message)
	switch {
	case a.Level == "notice", isExit("Error: " + strings.TrimSpace(a.Message)):
		return ""
	case a.Path == "" || a.Path == port.ForgeFolder:
		return message
	}
	return placeOf(a) + ": " + message
}

// says reports whether the log says what an annotation says, with its file.
func (s *source) says(a port.Annotation) bool {
	message, _, _ := strings.Cut(strings.TrimSpace(a.Message), "\n")
	for _, l := range s.lines {
		if strings.Contains(l.text, message) && strings.Contains(l.text, a.Path) {
			return true
		}
	}
	return false
}

// text returns the text of an excerpt, in so many bytes at most.
func (s *source) text(room int) string {
	var b strings.Builder
	notes := room
	if len(s.lines) > 0 {
		notes /= notesPart
	}
	for _, note := range s.notes {
		if b.Len()+len(note)+1 <= notes {
			b.WriteString(note + "\n")
		}
	}
	b.WriteString(chosen(s.lines, room-b.Len()))
	return b.String()
}
