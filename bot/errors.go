package bot

import (
	"errors"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
)

// errTurnedAway ends the run of somebody who may not give the command, and has been told.
var errTurnedAway = errors.New("turned away")

// permanent reports whether another attempt would fail too.
func permanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}

// overLimit reports whether GitHub's limits, and nothing else, kept something from being written.
func overLimit(err error) bool {
	var wait *port.WaitError
	return errors.As(err, &wait) && wait.For == port.GitHubLimit
}

// ended reports whether an error says that nothing more can be learnt of a commit, or done about it.
func ended(err error) bool {
	return errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrDenied) || permanent(err)
}

// maxSaid bounds what is kept of GitHub's words for a refusal, in characters.
const maxSaid = 1000

// saidOf returns GitHub's words for a refusal; empty if it gave none.
func saidOf(err error) string {
	var rejected *port.RejectedError
	if !errors.As(err, &rejected) {
		return ""
	}
	return markdown.Clip(secret.Redacted(rejected.Text), maxSaid)
}
