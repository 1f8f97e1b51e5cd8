package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/command"
)

// handler returns what carries a command out; nil for a command that there is not.
func handler(c command.Command) func(context.Context, *run) error {
	switch c.Verb {
	case "fix":
		return runFix
	case "ask":
		return runAsk
	case "address":
		return runAddress
	case "preview":
		return runPreview
	case "apply":
		return runApply
	case "retry":
		return runRetry
	case "undo":
		return runUndo
	case "run":
		return runRun
	case "cancel":
		return runCancel
	case "status":
		return runStatus
	case "config":
		return runConfig
	case "help":
		return runHelp
	}
	return nil
}
