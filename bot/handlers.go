package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/command"
)

// handler returns the function that carries a command out, nil for a verb that does not exist.
func handler(c command.Command) func(context.Context, *run) error {
	switch c.Verb {
	case command.Fix:
		return runFix
	case command.Ask:
		return runAsk
	case command.Address:
		return runAddress
	case command.Preview:
		return runPreview
	case command.Apply:
		return runApply
	case command.Retry:
		return runRetry
	case command.Undo:
		return runUndo
	case command.Run:
		return runRun
	case command.Resolve:
		return runResolve
	case command.Update:
		return runUpdate
	case command.Backport:
		return runBackport
	case command.Ready:
		return runReady
	case command.Cancel:
		return runCancel
	case command.Status:
		return runStatus
	case command.Config:
		return runConfig
	case command.Help:
		return runHelp
	}
	return nil
}
