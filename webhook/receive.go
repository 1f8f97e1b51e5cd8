package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	// maxBody is GitHub's limit for a payload: "Payloads are capped at 25 MB. If an event generates a larger payload, a
	// webhook will not be fired" (GitHub's documentation of webhook events and payloads).
	maxBody = 25 << 20
	// firstChunk is how much is allocated before the first byte was received. What is allocated doubles from there on, as
	// bytes are received, up to the length that was declared.
	firstChunk = 16 << 10
	// A body must be received at minRate, in bytes per second, after a head start, and within maxTime in all. GitHub waits
	// ten seconds for an answer, an Enterprise Server thirty.
	minRate   = 16 << 10
	headStart = 5 * time.Second
	maxTime   = 30 * time.Second
	// drainTime is how long what is left of a refused body is read, so that its sender reads the answer.
	drainTime = time.Second
	// maxName bounds the event's name and the delivery's id; GitHub's have at most 40 characters.
	maxName = 64
)

// delivery is a request that passed the checks.
type delivery struct {
	id    string
	event string
	body  []byte
	// signed identifies the body: the beginning of its signature, in hexadecimal digits.
	signed string
}

// claimed returns what a request says of itself, for the log of a refusal: anybody may have sent it. What GitHub could
// not have sent is left out.
func claimed(header http.Header) (d delivery) {
	d.event, _ = name(header, "X-GitHub-Event")
	d.id, _ = name(header, "X-GitHub-Delivery")
	return d
}

// receive reads a delivery and checks that GitHub signed it. All of the head is checked before the first byte of the
// body is read. After an error, the delivery is what the request claims, for the log. b is what the body has in memory.
func (h *Handler) receive(w http.ResponseWriter, r *http.Request, b *body) (delivery, error) {
	d := claimed(r.Header)
	if r.Method != http.MethodPost {
		return d, refuse(http.StatusMethodNotAllowed, "%s is for GitHub's deliveries: send a POST", Path)
	}
	if err := checkContentType(r.Header.Get("Content-Type")); err != nil {
		return d, err
	}
	signature, err := claimedSignature(r.Header)
	if err != nil {
		return d, err
	}
	for _, key := range []string{"X-GitHub-Event", "X-GitHub-Delivery"} {
		if _, err := name(r.Header, key); err != nil {
			return d, err
		}
	}
	mac := hmac.New(sha256.New, h.secret)
	if d.body, err = h.readBody(w, r, b, mac); err != nil {
		return d, err
	}
	sum := mac.Sum(nil)
	if !hmac.Equal(signature, sum) {
		return d, refuse(http.StatusUnauthorized, "the signature does not match the body: "+
			"the secret in the GitHub App's settings and TENON_WEBHOOK_SECRET must be the same")
	}
	d.signed = hex.EncodeToString(sum[:len(sum)/2])
	return d, nil
}

// readBody reads at most maxBody bytes, whatever length the request declares, and writes them to mac as they come.
func (h *Handler) readBody(w http.ResponseWriter, r *http.Request, b *body, mac io.Writer) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	most := maxBody + 1
	if r.ContentLength >= 0 {
		most = int(r.ContentLength) + 1 // with room for the read that finds the end
	}
	control := http.NewResponseController(w)
	var data []byte
	for {
		if len(data) == cap(data) {
			var err error
			if data, err = h.grow(r.Context(), b, data, most); err != nil {
				return nil, readError(err, len(data))
			}
		}
		if err := h.room.unlessEvicted(b, func() error { return await(control, b) }); err != nil {
			return nil, readError(err, len(data))
		}
		n, err := r.Body.Read(data[len(data):cap(data)])
		h.room.receive(b, n)
		_, _ = mac.Write(data[len(data) : len(data)+n]) // never fails
		data = data[:len(data)+n]
		switch {
		case len(data) > maxBody:
			return nil, tooLarge()
		case errors.Is(err, io.EOF):
			err := h.room.complete(b, func() {
				_ = control.SetReadDeadline(time.Time{}) // the end of it would cancel the request
			})
			if err != nil {
				return nil, readError(err, len(data))
			}
			return data, nil
		case err != nil:
			err = errors.Join(err, h.room.unlessEvicted(b, func() error { return nil }))
			return nil, readError(err, len(data))
		}
	}
}

// grow returns data with room for more, up to most bytes, or twice as many if there are more than that.
func (h *Handler) grow(ctx context.Context, b *body, data []byte, most int) ([]byte, error) {
	size := max(2*cap(data), firstChunk)
	if cap(data) < most {
		size = min(size, most)
	}
	if err := h.room.reserve(ctx, b, size); err != nil {
		return data, err
	}
	larger := make([]byte, len(data), size)
	copy(larger, data)
	h.room.shrink(b, cap(data))
	return larger, nil
}

// await allows the next read to take until the body is slower than minRate. A connection without deadlines, as in
// tests, has none.
func await(control *http.ResponseController, b *body) error {
	allowed := min(headStart+time.Duration(b.received)*time.Second/minRate, maxTime)
	err := control.SetReadDeadline(b.begun.Add(allowed))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// readError returns the refusal for a body that could not be read.
func readError(err error, at int) error {
	var refused *refusal
	switch {
	case errors.Is(err, errNoRoom):
		return noRoom()
	case errors.Is(err, errEvicted):
		refused = refuse(http.StatusRequestTimeout, "the body arrived slowly (%d bytes so far), and others needed its "+
			"memory: send the delivery again", at)
	case errors.Is(err, os.ErrDeadlineExceeded):
		refused = refuse(http.StatusRequestTimeout, "the body arrived too slowly (%d bytes so far): send the delivery "+
			"again, at %d bytes per second or more", at, minRate)
	default:
		refused = refuse(http.StatusBadRequest, "the body ended early, after %d bytes: send the delivery again", at)
	}
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
	return refuse(http.StatusUnsupportedMediaType, "the content type is %.80q: only application/json is accepted", header)
}

// claimedSignature returns the signature that a delivery claims to have. It ignores SHA-1 signatures, which GitHub
// sends too.
func claimedSignature(header http.Header) ([]byte, error) {
	sent := header.Get("X-Hub-Signature-256")
	if sent == "" {
		if header.Get("X-Hub-Signature") != "" {
			return nil, refuse(http.StatusUnauthorized,
				"the delivery is signed with SHA-1 alone, which is not accepted: send X-Hub-Signature-256")
		}
		return nil, refuse(http.StatusUnauthorized,
			"the delivery is not signed (no X-Hub-Signature-256): set the webhook secret in the GitHub App's settings")
	}
	digits, ok := strings.CutPrefix(sent, "sha256=")
	got, err := hex.DecodeString(digits)
	if !ok || err != nil || len(got) != sha256.Size {
		return nil, refuse(http.StatusUnauthorized,
			"X-Hub-Signature-256 is not sha256= and %d hexadecimal digits: send the signature as GitHub makes it", 2*sha256.Size)
	}
	return got, nil
}

// name returns the header with an event's name or a delivery's id: letters, digits, "_" and "-".
func name(header http.Header, key string) (string, error) {
	v := header.Get(key)
	if v == "" {
		return "", refuse(http.StatusBadRequest, "the header %s is missing: send the delivery with GitHub's headers", key)
	}
	if len(v) > maxName || strings.IndexFunc(v, isOutsideNames) >= 0 {
		return "", refuse(http.StatusBadRequest, "the header %s is %.80q: up to %d letters, digits, _ and - are accepted",
			key,
			v, maxName)
	}
	return v, nil
}

// isOutsideNames reports whether a character cannot be in a name.
func isOutsideNames(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
}
