package report

import (
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/engine"
)

// again is what people do about an edit that was written for other lines than the file has.
const again = "Give the command again, and name the file in it, so that the model sees it as it is now."

// remedies are what people can do about each reason for which a block is refused.
var remedies = map[engine.Reason]string{
	engine.AnchorNotFound:   "The file has none of the lines that were to lead to the place. " + again,
	engine.OldMismatch:      "The file has other lines at that place than the model expected. " + again,
	engine.TrailingMismatch: "The lines behind the place are others than the model expected. " + again,
	engine.NotFound:         "The model expected other lines than the file has. " + again,
	engine.Ambiguous: "The lines are in the file more than once. " +
		"Say in the command which place you mean: the function, or a line near it.",
	engine.FileNotFound: "Name the file's full path in the command.",
	engine.FileExists:   "The file is there already. Ask for a change of it, and name it in the command.",
	engine.BinaryFile:   "tenon edits text in UTF-8 only. Change this file by hand.",
	engine.TooLarge: "That is more than tenon edits. " +
		"Ask for less at once; a file that is too large must be changed by hand.",
	engine.UnsafePath: "tenon writes only to files of the repository, and the path leads elsewhere. " +
		"Name the right one in the command.",
	engine.ProtectedPath: "tenon never writes there. If the change is wanted, make it by hand.",
	engine.Placeholder:   "The model left part of the code out. Ask for the change again, in full.",
	engine.Stale:         "The file changed while the model was writing. Give the command again.",
	engine.Conflict: "The file got other changes there after the model saw it, and tenon does not guess how both go " +
		"together. Give the command again, so that the model sees the file as it is now.",
	engine.EarlierFailed:  "An earlier edit of this file failed. Give the command again, for what is missing.",
	engine.NoChange:       "The edit changes nothing. If something is missing, say in the command what.",
	engine.AlreadyApplied: "The file has these lines already. There is nothing to do.",
	edit.ReasonOverlap: "Later commits changed what this one did here, and tenon does not guess how to take it back. " +
		"Undo the later ones first, or change the file by hand.",
	edit.ReasonHeld:    "It is all or nothing: undo by hand what prevents it, and give the command again.",
	engine.Malformed:   "The edit cannot be read in one way only. Give the command again.",
	engine.SyntaxError: "tenon makes none of the edits of a file that they break. `/tenon retry` asks again.",
}

// outdated is what people do about a pasted edit that was written for other lines than the file has.
const outdated = "The file has other lines than the edit expects. " +
	"Ask for the change by `/tenon fix`, or paste the edit, brought up to date, below `/tenon apply`."

// pastedRemedies are what people can do where the run asked no model for the edits.
var pastedRemedies = map[engine.Reason]string{
	engine.AnchorNotFound:   outdated,
	engine.OldMismatch:      outdated,
	engine.TrailingMismatch: outdated,
	engine.NotFound:         outdated,
	engine.Stale:            outdated,
	engine.Conflict: "The file got other changes there after the model saw it, and tenon does not guess how both go " +
		"together. Ask for the change by `/tenon fix`, so that the model sees the file as it is now.",
	engine.Ambiguous: "The lines are in the file more than once. " +
		"Paste the edit below `/tenon apply` with more of the lines around its place.",
	engine.FileNotFound: "Paste the edit below `/tenon apply`, with the file's full path above it.",
	engine.UnsafePath: "tenon writes only to files of the repository, and the path leads elsewhere. " +
		"Paste the edit below `/tenon apply`, with the right path above it.",
	engine.FileExists: "The file is there already, and the edit would make it anew. " +
		"Ask for a change of it by `/tenon fix`.",
	engine.Placeholder: "Part of the code is left out in the edit. Paste it below `/tenon apply` in full.",
	engine.EarlierFailed: "An earlier edit of this file failed, and this one may build on it. " +
		"Name it alone in `/tenon apply` if it does not.",
	engine.Malformed: "The edit cannot be read in one way only. " +
		"Paste it below `/tenon apply`, with markers that are nowhere else in it.",
	engine.SyntaxError: "tenon makes none of the edits of a file that they break. " +
		"Correct them, and paste them below `/tenon apply`.",
}

// remedy returns what people can do about a block that was refused for a reason.
func (r Summary) remedy(reason engine.Reason) string {
	if text, ok := pastedRemedies[reason]; ok && r.Source != "" {
		return text
	}
	if text, ok := remedies[reason]; ok {
		return text
	}
	return "Give the command again."
}
