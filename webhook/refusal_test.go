package webhook_test

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/webhook"
)

func TestARefusalSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	body := payload(t, "issue_comment")
	sha256sum := func(key string) string { return "sha256=" + mac(sha256.New, key, body) }
	for name, c := range map[string]struct {
		header, value string
		status        int
		says          string
	}{
		"form-encoded": {"Content-Type", "application/x-www-form-urlencoded", 415,
			"set the webhook's content type to application/json"},
		"plain text":              {"Content-Type", "text/plain", 415, `"text/plain": only application/json`},
		"no content type":         {"Content-Type", "", 415, "only application/json"},
		"not signed":              {"X-Hub-Signature-256", "", 401, "SHA-1 alone"},
		"SHA-1 in its place":      {"X-Hub-Signature-256", "sha1=" + mac(sha1.New, secret, body), 401, "not sha256= and 64"},
		"another secret":          {"X-Hub-Signature-256", sha256sum("another"), 401, "must be the same"},
		"the empty secret":        {"X-Hub-Signature-256", sha256sum(""), 401, "must be the same"},
		"a short signature":       {"X-Hub-Signature-256", sha256sum(secret)[:20], 401, "not sha256= and 64"},
		"a signature of letters":  {"X-Hub-Signature-256", "sha256=" + strings.Repeat("x", 64), 401, "not sha256= and 64"},
		"no event":                {"X-GitHub-Event", "", 400, "X-GitHub-Event is missing"},
		"an event that is a path": {"X-GitHub-Event", "../issues", 400, `"../issues"`},
		"no delivery id":          {"X-GitHub-Delivery", "", 400, "X-GitHub-Delivery is missing"},
		"a delivery id too long":  {"X-GitHub-Delivery", strings.Repeat("a", 65), 400, "up to 64 letters"},
		"a delivery id with text": {"X-GitHub-Delivery", "x\ny", 400, "up to 64 letters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			r := signed("issue_comment", body)
			r.Header.Set(c.header, c.value)
			w := s.send(r)
			require.Equal(t, c.status, w.Code)
			require.Contains(t, w.Body.String(), c.says)
			require.Equal(t, "text/plain; charset=utf-8", w.Header().Get("Content-Type"))
			require.NotContains(t, w.Body.String(), secret)
			require.Empty(t, s.queue.events)
		})
	}
}

func TestABodyChangedOnTheWayIsRefused(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	r := signed("issue_comment", payload(t, "issue_comment"))
	r.Body = io.NopCloser(bytes.NewReader(with(t, "issue_comment", "sender.login", "mallory")))
	require.Equal(t, http.StatusUnauthorized, s.send(r).Code)
	require.Empty(t, s.queue.events)
}

func TestUnsignedDeliveriesAreRefusedWhateverTheyHold(t *testing.T) {
	t.Parallel()
	for _, event := range []string{"ping", "star", "issue_comment"} {
		r := signed(event, []byte("{}"))
		r.Header.Del("X-Hub-Signature-256")
		r.Header.Del("X-Hub-Signature")
		w := newServer(t).send(r)
		require.Equal(t, http.StatusUnauthorized, w.Code)
		require.Contains(t, w.Body.String(), "not signed")
	}
}

func TestOnlyAPostIsADelivery(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPut, http.MethodDelete} {
		w := newServer(t).send(httptest.NewRequest(method, webhook.Path, nil))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Equal(t, http.MethodPost, w.Header().Get("Allow"))
		require.Contains(t, w.Body.String(), "send a POST")
	}
}

func TestABrokenPayloadNamesTheField(t *testing.T) {
	t.Parallel()
	const issue, review = "issue_comment", "pull_request_review_comment"
	for name, c := range map[string]struct {
		event string
		body  []byte
		says  string
	}{
		"not JSON":           {issue, []byte(`{"action":`), "not JSON: unexpected end of JSON input, at byte 10"},
		"empty":              {issue, nil, "not JSON"},
		"a list":             {issue, []byte(`[]`), "a JSON array, not an object"},
		"two objects":        {issue, append(payload(t, issue), "{}"...), "not JSON"},
		"no action":          {issue, with(t, issue, "action", "delete"), "no action"},
		"no issue":           {issue, with(t, issue, "issue", "delete"), "no issue"},
		"no pull request":    {review, with(t, review, "pull_request", "delete"), "no pull_request"},
		"no comment":         {issue, with(t, issue, "comment", nil), "no comment"},
		"no comment id":      {issue, with(t, issue, "comment.id", "delete"), "no comment.id"},
		"no number":          {issue, with(t, issue, "issue.number", "delete"), "no issue.number"},
		"a negative number":  {review, with(t, review, "pull_request.number", -1), "no pull_request.number"},
		"no state":           {review, with(t, review, "pull_request.state", "delete"), "no pull_request.state"},
		"no repository":      {issue, with(t, issue, "repository", "delete"), "no repository.id"},
		"no repository name": {issue, with(t, issue, "repository.name", "delete"), "no repository.name"},
		"no owner":           {issue, with(t, issue, "repository.owner", "delete"), "no repository.owner.login"},
		"no sender":          {issue, with(t, issue, "sender", "delete"), "no sender.id"},
		"no sender login":    {issue, with(t, issue, "sender.login", ""), "no sender.login"},
		"not from the App":   {issue, with(t, issue, "installation", "delete"), "from the webhook of the GitHub App"},
		"an id in words": {issue, with(t, issue, "comment.id", "990001"),
			"comment.id must be a whole number, not string"},
		"an id with a fraction": {issue, with(t, issue, "repository.id", 1.5),
			"repository.id must be a whole number, not number 1.5"},
		"a body of numbers": {issue, with(t, issue, "comment.body", 1), "comment.body must be a string, not number"},
		"a flag in words": {issue, with(t, issue, "issue.locked", "no"),
			"issue.locked must be true or false, not string"},
		"a sender in words":       {issue, with(t, issue, "sender", "mona"), "sender must be an object, not string"},
		"a name that is a path":   {issue, with(t, issue, "repository.name", "../other"), `repository.name is "../other"`},
		"a name that is a folder": {issue, with(t, issue, "repository.name", ".."), `repository.name is ".."`},
		"an owner with a query":   {issue, with(t, issue, "repository.owner.login", "o?x"), `"o?x"`},
		"a login with a space":    {issue, with(t, issue, "sender.login", "mo na"), `sender.login is "mo na"`},
		"a login too long":        {issue, with(t, issue, "sender.login", strings.Repeat("m", 101)), "sender.login"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			w := s.deliver(c.event, c.body)
			require.Equal(t, http.StatusBadRequest, w.Code)
			require.Contains(t, w.Body.String(), c.says)
			require.Empty(t, s.queue.events)
		})
	}
}

const limit = 25 << 20

// head is that of a delivery, up to its length, with a signature that fits no body.
var head = "POST /webhook HTTP/1.1\r\nHost: tenon\r\nContent-Type: application/json\r\nX-GitHub-Event: ping\r\n" +
	"X-GitHub-Delivery: " + guid + "\r\nX-Hub-Signature-256: sha256=" + strings.Repeat("0", 64) + "\r\n"

func TestABodyOverTheCapIsNotReadToItsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		head string
		sent int // of the body, before the answer
	}{
		"declared":                   {fmt.Sprintf("Content-Length: %d\r\n\r\n", limit+1), 0},
		"declared beyond all bounds": {"Content-Length: 9000000000000000000\r\n\r\n", 0},
		"chunked":                    {fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n", int64(1)<<40), limit + 1},
	} {
		t.Run(name, func(t *testing.T) {
			atTheDoor(t, 0, func(d *door) {
				s := d.dial(head + c.head)
				go s.send(make([]byte, c.sent))
				require.Equal(t, http.StatusRequestEntityTooLarge, <-s.status)
			})
		})
	}
}

func TestTheLargestPayloadIsTaken(t *testing.T) {
	t.Parallel()
	body := payload(t, "issue_comment")
	body = append(body, bytes.Repeat([]byte(" "), limit-len(body))...)
	require.Equal(t, http.StatusAccepted, newServer(t).deliver("issue_comment", body).Code)
	w := newServer(t).deliver("issue_comment", append(body, ' '))
	require.Equal(t, http.StatusRequestEntityTooLarge, w.Code)
	require.Contains(t, w.Body.String(), "26214400 bytes")
}

func TestABodyShorterThanDeclaredIsRefused(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, head+"Content-Length: 9000\r\n\r\n{}")
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)
	require.Contains(t, string(text), "ended early, after 2 bytes")
}
