package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/tenon-bot/tenon/internal/terminal"
)

// Exit codes: success, partial success or no result, and an error.
const (
	exitOK = iota
	exitFailed
	exitUsage
)

// errSome ends a command with exit code 1. The command has printed what failed.
var errSome = errors.New("not everything succeeded")

// usageError is the error of an invalid flag.
type usageError struct{ error }

// exitCode returns the exit code of a command that returned an error, or nil.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errSome):
		return exitFailed
	default:
		return exitUsage
	}
}

// failed says why a command that was used as it should be failed, and returns the error for exit code 1.
func failed(errOut io.Writer, err error) error {
	_, _ = fmt.Fprintln(errOut, "tenon:", terminal.Escape(err.Error()))
	return errSome
}
