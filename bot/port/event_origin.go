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
// It is empty where a payload does not tell two acts from one that was sent twice: a button has no time at which it was
// pressed, and people press it again when the first time did not help.
func (e Event) Origin() string {
	if e.Kind == Pressed || e.Kind == Closed || e.Comment.ID == 0 || e.Comment.Updated.IsZero() {
		return ""
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
