// Package marks keeps the records of runs in the comments that answer them, for a bot without a database: sealed, in an
// HTML comment that pages do not show. Only whoever has the key can read or make a mark, so a mark says what a run
// recorded, whoever wrote or edited the comment that it is in. It is pure but for random numbers.
package marks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// MinSecret is the least length of a secret in bytes: whoever reads a mark can try secrets on it for as long as they
// like.
const MinSecret = 20

// ErrShortSecret is the error for a secret that could be guessed.
var ErrShortSecret = fmt.Errorf("a secret of fewer than %d characters can be guessed", MinSecret)

// ErrForeign is the error for a mark that was not sealed with the key, or not for this place: the key has changed, the
// issue was transferred, or somebody else made it.
var ErrForeign = errors.New("it was sealed with another key, or for another place")

// Key seals and opens marks. Safe for concurrent use.
type Key struct{ aead cipher.AEAD }

// NewKey returns the key that follows from a secret. It returns ErrShortSecret for one that could be guessed.
func NewKey(secret string) (*Key, error) {
	if len(secret) < MinSecret {
		return nil, ErrShortSecret
	}
	derived, err := hkdf.Key(sha256.New, []byte(secret), nil, "tenon: records of runs in comments", 32)
	if err != nil {
		return nil, fmt.Errorf("making the key of records: %w", err)
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, fmt.Errorf("making the key of records: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("making the key of records: %w", err)
	}
	return &Key{aead}, nil
}

// Place is the issue or pull request that a mark is for: anywhere else it does not open.
type Place struct {
	// Repo is the repository's id, Number the or pull request's.
	Repo   int64
	Number int
}

// PlaceOf returns the place of an event.
func PlaceOf(ev port.Event) Place { return Place{Repo: ev.Repo.ID, Number: ev.Thread.Number} }

// bound is what a mark is sealed for, besides what is in it.
func (p Place) bound(run string) []byte {
	return fmt.Appendf(nil, "tenon record %d\n%d\n%d\n%s", formVersion, p.Repo, p.Number, run)
}

// The form of a mark: "<!-- tenon:record=1.RUN.TEXT -->", with the version of the form, the id of the run, and what is
// sealed in base64.
const (
	Prefix = "<!-- tenon:record="
	suffix = " -->"
	// formVersion is the version of the form. The steps in it, and the event, have versions of their own.
	formVersion = 1
	// maxMarks bounds the marks of one comment: those of a preview whose boxes were ticked one after another.
	maxMarks = 100
)

var encoding = base64.RawStdEncoding.Strict()

// A Mark is a mark as it is in a comment.
type Mark struct {
	// Run is the run that it says it is of.
	Run string
	// Text is the mark, one line without its end.
	Text    string
	version string
	sealed  string
}

// In returns the marks of a comment, in order, at most 100. Whether they open is seen later.
func In(body string) (list []Mark) {
	if len(body) > markdown.MaxCommentBytes {
		return nil
	}
	for len(list) < maxMarks {
		_, rest, ok := strings.Cut(body, Prefix)
		if !ok {
			break
		}
		body = rest
		inner, after, ok := strings.Cut(rest, suffix)
		if !ok {
			break
		}
		version, inner, _ := strings.Cut(inner, ".")
		run, sealed, ok := strings.Cut(inner, ".")
		if !ok || !isVersion(version) || !port.IsRunID(run) || strings.ContainsAny(inner, "<> \n") {
			continue
		}
		body = after
		list = append(list, Mark{Run: run, Text: Prefix + version + "." + inner + suffix, version: version, sealed: sealed})
	}
	return list
}

// isVersion reports whether a text can be the version of a form, this one or a later one: up to four digits.
func isVersion(text string) bool {
	if text == "" || len(text) > 4 {
		return false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// seal returns the mark with a text.
func (k *Key) seal(at Place, run string, text []byte) string {
	sealed := k.aead.Seal(nil, nil, text, at.bound(run))
	return fmt.Sprintf("%s%d.%s.%s%s", Prefix, formVersion, run, encoding.EncodeToString(sealed), suffix)
}

// open returns the text of a mark.
func (k *Key) open(at Place, m Mark) ([]byte, error) {
	if m.version != fmt.Sprint(formVersion) {
		return nil, fmt.Errorf("it has form %q, and this program knows %d: run the version of tenon that wrote it",
			markdown.Clip(m.version, 20), formVersion)
	}
	sealed, err := encoding.DecodeString(m.sealed)
	if err != nil {
		return nil, ErrForeign
	}
	text, err := k.aead.Open(nil, nil, sealed, at.bound(m.Run))
	if err != nil {
		return nil, ErrForeign
	}
	return text, nil
}
