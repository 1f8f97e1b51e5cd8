package port

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Origin identifies what a person did: the installation and repository, the kind, the id of the comment, review or
// issue and the time of its last edit. Two events with the same origin are one event that was delivered under two ids,
// such as a payload that somebody recorded and sent again. At most 110 bytes of printable ASCII.
//
// Where a payload has no time of the act, as that of a button, the origin is made of all that was signed: a button that
// is pressed again counts once more if anything in the payload has changed by then, such as the check suite, in which
// the first run has its check. It is empty for an event that has neither, and for one that nobody sent.
func (e Event) Origin() string {
	if e.Kind == Following || e.Kind == Autofix {
		return ""
	}
	if e.Kind == Pressed || e.Kind == Closed || e.Comment.ID == 0 || e.Comment.Updated.IsZero() {
		if e.Signed == "" {
			return ""
		}
		return fmt.Sprintf("%d/%d/%s/%s", e.Repo.Installation, e.Repo.ID, e.Kind, digest(e.Signed))
	}
	origin := fmt.Sprintf("%d/%d/%s/%d/%d", e.Repo.Installation, e.Repo.ID, e.Kind, e.Comment.ID, e.Comment.Updated.Unix())
	switch e.Kind {
	case Labeled: // several labels can be set in the same second
		return origin + "/" + digest(e.Label)
	case Ticked: // and several boxes ticked
		return origin + "/" + digest(e.Before, e.Comment.Body)
	}
	return origin
}

// digest returns 16 hexadecimal digits that differ for different texts.
func digest(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(t), t) // never fails
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
