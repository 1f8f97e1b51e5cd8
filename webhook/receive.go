package webhook

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
)

const (
	// maxBody is GitHub's limit for a payload: "Payloads are capped at 25 MB. If an event generates a larger payload, a
	// webhook will not be fired" (GitHub's documentation of webhook events and payloads).
	maxBody = 25 << 20
	// maxPrealloc is how much of a declared length is allocated before the bytes were read.
	maxPrealloc = 256 << 10
	// Of bodies larger than largeBody, maxLargeBodies are read at a time: the signature can be checked only when all of
	// the body is in memory. GitHub's deliveries of comments are far smaller.
	largeBody      = 1 << 20
	maxLargeBodies = 4
	// maxName bounds the event's name and the delivery's id; GitHub's have at most 40 characters.
	maxName = 64
)

// delivery is a request that passed the checks.
type delivery struct {
	id    string
	event string
	body  []byte
}

// receive reads a delivery and checks that GitHub signed it. After an error, the fields that were checked are set, for
// the log.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request) (delivery, error) {
	var d delivery
	if r.Method != http.MethodPost {
		return d, refuse(http.StatusMethodNotAllowed, "%s is for GitHub's deliveries: send a POST", Path)
	}
	body, err := h.readBody(w, r)
	if err != nil {
		return d, err
	}
	if err := checkContentType(r.Header.Get("Content-Type")); err != nil {
		return d, err
	}
	if err := h.checkSignature(r.Header, body); err != nil {
		return d, err
	}
	d.body = body
	if d.event, err = name(r.Header, "X-GitHub-Event"); err != nil {
		return d, err
	}
	d.id, err = name(r.Header, "X-GitHub-Delivery")
	return d, err
}

// readBody reads at most maxBody bytes, whatever length the request declares.
func (h *Handler) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	var buf bytes.Buffer
	buf.Grow(int(min(max(r.ContentLength, 0), maxPrealloc)) + bytes.MinRead)
	from := http.MaxBytesReader(w, r.Body, maxBody)
	if _, err := io.CopyN(&buf, from, largeBody); errors.Is(err, io.EOF) {
		return buf.Bytes(), nil
	} else if err != nil {
		return nil, readError(err, buf.Len())
	}
	select {
	case h.large <- struct{}{}:
		defer func() { <-h.large }()
	default:
		return nil, tooManyLarge()
	}
	if _, err := io.Copy(&buf, from); err != nil {
		return nil, readError(err, buf.Len())
	}
	return buf.Bytes(), nil
}

// readError returns the refusal for a body that could not be read.
func readError(err error, at int) error {
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return tooLarge()
	}
	refused := refuse(http.StatusBadRequest, "the body broke off after %d bytes: send the delivery again", at)
	refused.cause = err
	return refused
}

func tooLarge() *refusal {
	return refuse(http.StatusRequestEntityTooLarge,
		"the body is larger than %d bytes, GitHub's own limit for a delivery: GitHub sends none like this", maxBody)
}

func checkContentType(header string) error {
	kind, _, err := mime.ParseMediaType(header)
	switch {
	case err == nil && kind == "application/json":
		return nil
	case kind == "application/x-www-form-urlencoded":
		return refuse(http.StatusUnsupportedMediaType,
			"the delivery is form-encoded: set the webhook's content type to application/json in the GitHub App's settings")
	}
	return refuse(http.StatusUnsupportedMediaType, "the content type is %.80q: only application/json is taken", header)
}

// checkSignature compares in constant time. It ignores SHA-1 signatures, which GitHub sends too.
func (h *Handler) checkSignature(header http.Header, body []byte) error {
	sent := header.Get("X-Hub-Signature-256")
	if sent == "" {
		if header.Get("X-Hub-Signature") != "" {
			return refuse(http.StatusUnauthorized,
				"the delivery is signed with SHA-1 alone, which is not accepted: send X-Hub-Signature-256")
		}
		return refuse(http.StatusUnauthorized,
			"the delivery is not signed (no X-Hub-Signature-256): set the webhook secret in the GitHub App's settings")
	}
	digits, ok := strings.CutPrefix(sent, "sha256=")
	got, err := hex.DecodeString(digits)
	if !ok || err != nil || len(got) != sha256.Size {
		return refuse(http.StatusUnauthorized,
			"X-Hub-Signature-256 is not sha256= and %d hexadecimal digits: send the signature as GitHub makes it", 2*sha256.Size)
	}
	mac := hmac.New(sha256.New, h.secret)
	mac.Write(body)
	if !hmac.Equal(got, mac.Sum(nil)) {
		return refuse(http.StatusUnauthorized, "the signature does not fit the body: "+
			"the secret in the GitHub App's settings and TENON_WEBHOOK_SECRET must be the same")
	}
	return nil
}

// name returns the header with an event's name or a delivery's id: letters, digits, "_" and "-".
func name(header http.Header, key string) (string, error) {
	v := header.Get(key)
	if v == "" {
		return "", refuse(http.StatusBadRequest, "the header %s is missing: send the delivery with GitHub's headers", key)
	}
	if len(v) > maxName || strings.IndexFunc(v, isOutsideNames) >= 0 {
		return "", refuse(http.StatusBadRequest, "the header %s is %.80q: up to %d letters, digits, _ and - are taken", key,
			v, maxName)
	}
	return v, nil
}

// isOutsideNames reports whether a character cannot be in a name.
func isOutsideNames(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}
