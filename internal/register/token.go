package register

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"time"
)

// linkLife is how long a link can be opened.
const linkLife = time.Hour

// newToken returns 256 random bits as text for a URL.
func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// link is the one-time link. Nobody guesses its token, so guesses are not counted: a limit would let a stranger keep
// out whoever has the link.
type link struct {
	token string
	made  time.Time
}

func newLink(now time.Time) link { return link{token: newToken(), made: now} }

// stale reports whether the link must be replaced before anybody uses it.
func (l link) stale(now time.Time) bool { return now.Sub(l.made) >= linkLife }

// opens reports whether a token is that of the link, in a time that does not depend on where they differ.
func (l link) opens(token string) bool {
	is, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(l.token))
	return subtle.ConstantTimeCompare(is[:], want[:]) == 1
}
