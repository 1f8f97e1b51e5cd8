package sentence

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Source is where the edits of an apply are from, as the sentences about it name it.
type Source struct {
	// Noun is "preview", "answer" or "comment".
	Noun string
	// URL is its page.
	URL string
}

// link links to the source; at a sentence's start it begins with a capital.
func (s Source) link(capital bool) string {
	article := "the "
	if capital {
		article = "The "
	}
	return fmt.Sprintf("[%s%s](%s)", article, s.Noun, s.URL)
}

// OwnCommentNotVisible is the refusal of edits in the command's own comment; why completes "Your comment …".
func OwnCommentNotVisible(why string) *port.UserError { return refusal("Your comment %s", why) }

// NothingToChoose is the refusal to apply numbers where nothing is numbered.
func NothingToChoose() *port.UserError {
	return refusal("Numbers name the edits of a preview, or edits that an answer left out because a file would no " +
		"longer parse, and this thread has neither. Edits in a comment that you reply to are applied all at once: " +
		"`/tenon apply`, without numbers.")
}

// NothingToApply is the refusal of an apply where there are no edits.
func NothingToApply() *port.UserError {
	return refusal("There is nothing to apply: no preview in this thread, and no edit blocks in your comment or the one " +
		"it replies to. Paste edit blocks into the comment with the command, or ask for a preview: `/tenon preview " +
		"<what>`.")
}

// SourceUnseen is the refusal to apply edits that were not there when the command was given.
func SourceUnseen(s Source) *port.UserError {
	return refusal("When you gave the command, [the latest %s](%s) did not exist yet, so you cannot have seen its edits. "+
		"Nothing was committed. Read it, and give the command again.", s.Noun, s.URL)
}

// PreviewGone is the refusal to apply a preview that is not stored any more.
func PreviewGone() *port.UserError {
	return refusal("That preview is no longer stored, so nothing was committed. Ask for a new one: `/tenon preview " +
		"<what>`.")
}

// Why edits of another person's comment are not taken, after the comment is named.
const (
	ByApp  = "has edit blocks, but it was written by an app, and anybody may have told the app what to write."
	Edited = "was edited after you gave the command, or at the same moment, so its edits may not be those that you " +
		"saw."
	ByStranger = "has edit blocks, but its author may not write to this repository."
)

// CommentNotTaken is the refusal of edits in a comment of somebody; why completes "The comment of somebody …".
func CommentNotTaken(url, login, why string) *port.UserError {
	return refusal("[The comment](%s) by %s %s If you want these edits, read them, and paste them into a comment of your "+
		"own below `/tenon apply`. Nothing was committed.", url, markdown.PlainLogin(login), why)
}

// NoSuchEdits is the refusal of numbers that no edit has.
func NoSuchEdits(s Source, total int, missing []int) *port.UserError {
	return refusal("%s has %d %s, so there is no %s. Nothing was committed.", s.link(true), total,
		english.PluralWord(total, "edit", ""), command.NumbersInWords(missing))
}

// OtherPlan is the refusal to apply an edit that this version of tenon does not find where an earlier one did.
func OtherPlan(total, n int) *port.UserError {
	return refusal("This version of tenon finds %d %s there, and no edit %d, so nothing was committed. Give the command "+
		"again.", total, english.PluralWord(total, "edit", ""), n)
}

// ShownUnknown is the refusal to apply edits of which it is not recorded what people were shown.
func ShownUnknown(s Source) *port.UserError {
	return refusal("%s was made by a version of tenon that did not record what it showed, so nothing was committed. Give "+
		"its command again.", s.link(true))
}

// Unseen is the refusal to apply edits whose diffs nobody was shown whole; why is a clause, and may be empty.
func Unseen(s Source, numbers []int, why string) *port.UserError {
	if why == "" {
		why = "it is too long"
	}
	return refusal("The whole diff of %s %s of %s is not shown anywhere, because %s. Nobody has seen all that it would "+
		"change, so nothing was committed. Ask for less at a time, such as one part of the file.",
		english.PluralWord(len(numbers), "edit", ""), command.NumbersInWords(numbers), s.link(false), why)
}

// Unboxed says which edits are left out because they have no box. Those of seen can be committed by naming them.
func Unboxed(numbers, seen []int) string {
	text := fmt.Sprintf("%s %s left out, because the whole diff is not shown next to a box.", edits(numbers), are(numbers))
	if len(seen) > 0 {
		text += fmt.Sprintf(" `/tenon apply %s` commits what is shown further down or in the check.", argument(seen))
	}
	return text
}

// LeftOut says which edits are only committed if they are named, because a file does not parse after them.
func LeftOut(numbers []int) string {
	them := "them"
	if len(numbers) == 1 {
		them = "it"
	}
	return fmt.Sprintf("%s %s left out, because a file would no longer parse: `/tenon apply %s` commits %s "+
		"anyway.", edits(numbers), are(numbers), argument(numbers), them)
}

// NoOtherEdit is the refusal of an apply that would commit nothing but what was left out, of which a sentence tells.
func NoOtherEdit(s Source, leftOut string) *port.UserError {
	return refusal("No other edit of %s is left to commit. %s", s.link(false), leftOut)
}

// CommittedAlready is the refusal to apply edits that are committed, or that the file has anyway.
func CommittedAlready(s Source, numbers []int) *port.UserError {
	return refusal("%s of %s: already committed, or already in the file. There was nothing left to do.", edits(numbers),
		s.link(false))
}

// AllCommittedAlready is the refusal of an apply whose edits are all committed.
func AllCommittedAlready(s Source) *port.UserError {
	return refusal("All edits of %s that fit are already committed. There was nothing left to do.", s.link(false))
}

// NoEditFits is the refusal of an apply none of whose edits fits.
func NoEditFits(s Source) *port.UserError {
	return refusal("No edit of %s fits, so there is nothing to commit. To try some of them anyway, name them, as in "+
		"`/tenon apply 1`.", s.link(false))
}

// FromComment says which edits of a comment were taken, of so many, and that no model was asked.
func FromComment(s Source, author string, numbers []int, total int) string {
	from := fmt.Sprintf("%s by %s; no model was asked.", s.link(false), markdown.PlainLogin(author))
	if len(numbers) < total {
		return fmt.Sprintf("%s of the %d in %s", edits(numbers), total, from)
	}
	return "The edits are from " + from
}

// FromPreview says which edits of a preview were taken, and which were passed over as they are committed already.
func FromPreview(s Source, numbers, passed []int) string {
	text := fmt.Sprintf("%s of %s.", edits(numbers), s.link(false))
	if len(passed) == 0 {
		return text
	}
	return text + fmt.Sprintf(" %s %s skipped: already committed.", edits(passed), were(passed))
}

// Why an edit is refused that is not the one people were shown, as details of results.
const (
	NeverFitted    = "The edit did not fit when it was shown, so nobody has seen what it would change now"
	OtherLines     = "The edit would now change other lines than those that were shown"
	OtherNeighbors = "The lines around the edit are no longer those that were shown"
)

func edits(numbers []int) string {
	return english.PluralWord(len(numbers), "Edit", "") + " " + command.NumbersInWords(numbers)
}

func are(numbers []int) string { return english.PluralWord(len(numbers), "is", "are") }

func were(numbers []int) string { return english.PluralWord(len(numbers), "was", "were") }

// argument writes numbers as the argument of a command.
func argument(numbers []int) string {
	return strings.ReplaceAll(command.FormatNumbers(numbers), " ", "")
}

// CautionHeld says, as a clause, that edits are not committed because they deserve a look.
const CautionHeld = "the settings leave edits with a caution to a person"
