package store

import (
	"errors"
	"fmt"
	"strings"
)

// advised is an error of the database with what a person can do about it.
type advised struct {
	// advice is the text, with %s for the place where it is about one.
	advice, place string
	err           error
}

func (e *advised) Error() string { return fmt.Sprintf("%s: %s", e.text(e.place), e.err) }
func (e *advised) Unwrap() error { return e.err }

func (e *advised) text(place string) string { return strings.ReplaceAll(e.advice, "%s", place) }

// Advice returns what is wrong with the database, and what a person can do about it, without anything that a stranger
// should not read. It is "" if err does not say.
func Advice(err error) string {
	if e, ok := errors.AsType[*advised](err); ok {
		return e.text("the data folder")
	}
	return ""
}
