package report

import (
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/engine"
)

// remedies are what a person can do about each reason.
var remedies = map[engine.Reason]string{
	engine.AnchorNotFound:   "The file has none of the lines that were to lead to the place. Give the command again, and name the file in it, so that the model sees it as it is now.",
	engine.OldMismatch:      "The file has other lines at that place than the model expected. Give the command again, and name the file in it, so that the model sees it as it is now.",
	engine.TrailingMismatch: "The lines behind the place are others than the model expected. Give the command again, and name the file in it, so that the model sees it as it is now.",
	engine.NotFound:         "The model expected other lines than the file has. Give the command again, and name the file in it, so that the model sees it as it is now.",
	engine.Ambiguous:        "The lines stand in the file more than once. Say in the command which place you mean: the function, or a line near it.",
	engine.FileNotFound:     "Name the file's full path in the command.",
	engine.FileExists:       "The file is there already. Ask for a change of it, and name it in the command.",
	engine.BinaryFile:       "tenon edits text in UTF-8 only. Change this file by hand.",
	engine.TooLarge:         "That is more than tenon edits. Ask for less at once; a file that is too large must be changed by hand.",
	engine.UnsafePath:       "tenon writes only to files of the repository, and the path leads elsewhere. Name the right one in the command.",
	engine.ProtectedPath:    "tenon never writes there. If the change is wanted, make it by hand.",
	engine.Placeholder:      "The model left part of the code out. Ask for the change again, in full.",
	engine.Stale:            "The file changed while the model was writing. Give the command again.",
	engine.EarlierFailed:    "An earlier edit of this file failed. Give the command again, for what is missing.",
	engine.NoChange:         "The edit changes nothing. If something is missing, say in the command what.",
	engine.AlreadyApplied:   "The file has these lines already. There is nothing to do.",
	edit.ReasonOverlap:      "Something else came there later. Take that back first, or make the change by hand.",
	edit.ReasonHeld:         "It is all or nothing: take back by hand what stands in the way, and give the command again.",
	engine.Malformed:        "The edit cannot be read in one way only. Give the command again.",
}

// remediesOfApply are those for edits that no model was asked for by this command.
var remediesOfApply = map[engine.Reason]string{
	engine.Ambiguous:     "The lines stand in the file more than once. Paste the edit below `/tenon apply` with more of the lines around its place.",
	engine.FileNotFound:  "Paste the edit below `/tenon apply`, with the file's full path above it.",
	engine.UnsafePath:    "tenon writes only to files of the repository, and the path leads elsewhere. Paste the edit below `/tenon apply`, with the right path above it.",
	engine.FileExists:    "The file is there already, and the edit would make it anew. Ask for a change of it by `/tenon fix`.",
	engine.Placeholder:   "Part of the code is left out in the edit. Paste it below `/tenon apply` in full.",
	engine.EarlierFailed: "An earlier edit of this file failed, and this one may build on it. Name it alone in `/tenon apply` if it does not.",
	engine.Malformed:     "The edit cannot be read in one way only. Paste it below `/tenon apply`, with markers that stand nowhere else in it.",
}

// remedy is what a person can do about a reason, after a command like the one that is told of.
func (r Summary) remedy(reason engine.Reason) string {
	switch reason {
	case engine.AnchorNotFound, engine.OldMismatch, engine.TrailingMismatch, engine.NotFound, engine.Stale:
		if r.Source != "" {
			return "The file has other lines than the edit expects. Ask for the change by `/tenon fix`, or paste the edit, brought up to date, below `/tenon apply`."
		}
	}
	if text, ok := remediesOfApply[reason]; ok && r.Source != "" {
		return text
	}
	return remedy(reason)
}

// remedy is what a person can do about a reason.
func remedy(r engine.Reason) string {
	if r == edit.ReasonOverlap {
		return "Later commits changed what this one did here, and tenon does not guess how to take it back. Undo the later ones first, or change the file by hand."
	}
	if text, ok := remedies[r]; ok {
		return text
	}
	return "Give the command again."
}
