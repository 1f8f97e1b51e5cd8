package report

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// maxNamed is how many files a sentence names.
const maxNamed = 10

// deed is what a run does, in words: what it does it to, and how one says that it was done.
type deed struct{ noun, done string }

// The deeds of the commands.
var (
	editing   = deed{"edit", "committed"}
	reverting = deed{"file", "reverted"}
	merging   = deed{"file", "merged"}
	operating = deed{"file operation", "committed"}
)

func (r Summary) does() deed {
	if r.deed == (deed{}) {
		return editing
	}
	return r.deed
}

// A verdict says how a run ended. It is the first line of its answer and the title of its check run.
type verdict struct {
	mark string
	// subject is the change's, done, as in "2 edits committed", what was done. If nothing was, none says so, as in
	// "Nothing committed", and why tells the reason. All are plain text, of which subject and why may be anybody's.
	subject, done, none, why string
}

// markdown returns the verdict as a line of Markdown.
func (v verdict) markdown() string {
	subject := subjectText(v.subject)
	switch {
	case v.none == "" && subject == "":
		return fmt.Sprintf("%s **%s**", v.mark, v.done)
	case v.none == "":
		return fmt.Sprintf("%s **%s** · %s", v.mark, subject, v.done)
	}
	text := fmt.Sprintf("%s **%s**", v.mark, v.none)
	if v.why != "" {
		text = fmt.Sprintf("%s **%s:** %s", v.mark, v.none, markdown.Plain(v.why, ""))
	}
	if subject != "" {
		text += " · " + subject
	}
	return text
}

// plain returns the verdict as plain text on one line, without its mark.
func (v verdict) plain() string {
	parts := []string{v.done}
	if v.none != "" {
		parts[0] = v.none
		if v.why != "" {
			parts[0] += ": " + v.why
		}
	}
	if v.subject != "" {
		parts = append(parts, v.subject)
	}
	return markdown.OneLine(strings.Join(parts, " · "))
}

// typeOfSubject matches the type and the scope before the words of a subject.
var typeOfSubject = regexp.MustCompile(`^([a-z]+)(?:\(([a-z]+)\))?!?: `)

// subjectText shows the subject of a commit: its type as text, if GitHub makes nothing of its words.
func subjectText(subject string) string {
	subject = markdown.OneLine(markdown.Clip(subject, markdown.MaxCell))
	if m := typeOfSubject.FindStringSubmatch(subject); m != nil && markdown.Plain(m[1]+" "+m[2], "") == m[1]+" "+m[2] {
		return m[0] + markdown.Spans(subject[len(m[0]):])
	}
	return markdown.Spans(subject)
}

// verdict says how the run ended.
func (r Summary) verdict() verdict {
	n, does := r.tally(), r.does()
	v := verdict{mark: "✅", subject: r.Subject}
	switch {
	case r.upToDate():
		v = verdict{mark: "💬", none: "Already up to date"}
	case r.SHA != "":
		v.done = n.words(does.noun) + " " + does.done
		if n.made < n.wanted || r.committedBroken() {
			v.mark = "⚠️"
		}
		if r.Reply.Cut {
			v.mark, v.done = "⚠️", v.done+" · the model's reply is incomplete"
		}
	case len(r.Results) == 0 && r.Reply.NoChange:
		v = verdict{mark: "💬", none: "Nothing to change"}
	case r.does() == reverting && len(r.Results)+n.wanted == 0: // of a merge that changed nothing
		v.mark, v.none = "💬", "Nothing to change"
	case len(r.Results) > 0 && n.wanted == 0:
		v.mark, v.none, v.why = "💬", "Nothing to change", "the files already have these lines"
	default:
		v.mark, v.none, v.why = "❌", "Nothing "+does.done, r.why()
	}
	return v
}

func (r Summary) headline() string { return r.verdict().markdown() }

// tally counts the edits of a run.
type tally struct {
	// wanted are all but those whose lines the files have already, made those that were applied.
	wanted, made int
}

// What is merged as a whole is counted by its files.
func (r Summary) tally() (n tally) {
	if len(r.Results) == 0 {
		return tally{wanted: len(r.Changed), made: len(r.Changed)}
	}
	for _, row := range r.Results {
		if !needless(row) {
			n.wanted++
		}
		if row.Status.Applied() {
			n.made++
		}
	}
	return n
}

// words are such as "2 edits", or "1 of 2 edits" if not all were made.
func (n tally) words(noun string) string {
	if n.made == n.wanted {
		return english.Plural(n.made, noun, "")
	}
	return fmt.Sprintf("%d of %s", n.made, english.Plural(n.wanted, noun, ""))
}

// needless reports whether there was nothing to do for an edit.
func needless(row record.Result) bool {
	reason := engine.Reason(row.Reason)
	return row.Status.Skipped() && (reason == engine.AlreadyApplied || reason == engine.NoChange)
}

// maxWhy is the length of a reason that is told in the first line of an answer, in bytes.
const maxWhy = 80

// why says in a few words why nothing was done.
func (r Summary) why() string {
	n, does := r.tally(), r.does()
	switch {
	case len(r.Results) == 0 && r.does() == editing:
		return r.whyNoEdits()
	case r.Unpushed != "":
		if why, _ := r.unpushedWords(); why != "" {
			return why
		}
		if does == merging {
			return "the merge could not be committed"
		}
		return n.words(does.noun) + " " + english.PluralWord(n.made, "fits", "fit") + ", but could not be committed"
	case r.Held:
		return fmt.Sprintf("only %s %s, and the settings require that all fit", n.words(does.noun),
			english.PluralWord(n.made, "fits", "fit"))
	}
	return r.whyFailed()
}

// unpushedWords returns the reason why edits that fit were not committed: in a few words for the first line, if it has
// so few, or else in a sentence for later, as Markdown.
func (r Summary) unpushedWords() (few, sentence string) {
	text := strings.TrimSuffix(markdown.OneLine(markdown.Clip(r.Unpushed, maxReason)), ".")
	if len(text) <= maxWhy {
		return text, ""
	}
	return "", upperFirst(markdown.Plain(text, "")) + "."
}

// upperFirst returns a sentence with a capital letter at its beginning.
func upperFirst(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// whyNoEdits is why for a reply without edits.
func (r Summary) whyNoEdits() string {
	switch {
	case r.Reply.Fault != "":
		return "the model could not be asked again"
	case r.Reply.Broken:
		return "the connection to the model broke"
	case r.Reply.Cut:
		return "the model's reply was cut off"
	case len(r.Reply.Problems) > 0:
		return "the model's reply has no complete edit"
	case len(r.Reply.Unanswered) > 0:
		return "the model asked to see more code than one command may show"
	}
	return "the model's reply has no edit"
}

// whyFailed is why where no edit could be made.
func (r Summary) whyFailed() string {
	n, does := r.tally(), r.does()
	reason := ""
	for _, row := range r.Results {
		switch {
		case needless(row), row.Reason == string(engine.EarlierFailed), row.Reason == string(edit.ReasonHeld):
		case reason == "":
			reason = row.Reason
		case reason != row.Reason:
			reason = "several"
		}
	}
	if does == merging && reason == string(edit.ReasonMergeConflict) {
		return english.Plural(n.wanted, does.noun, "") + " " + english.PluralWord(n.wanted, "conflicts", "conflict")
	}
	if few := faults[engine.Reason(reason)].few; few != "" {
		return few
	}
	if n.wanted == 1 {
		return "the " + does.noun + " could not be made"
	}
	if n.wanted == 2 {
		return "neither " + does.noun + " could be made"
	}
	return fmt.Sprintf("none of the %s could be made", english.Plural(n.wanted, does.noun, ""))
}
