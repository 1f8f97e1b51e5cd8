package main

import "errors"

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
