package hook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// deliver delivers an event of an installation to the App; repo is 0 for an event without a repository.
func (s *Hooks) deliver(event, action string, in *entity.Installation, repo, subject int64, by *entity.User,
	payload entity.Object) {
	if payload["sender"] = s.form.User(by); action != "" {
		payload["action"] = action
	}
	if in.Account.Kind == entity.UserOrg {
		payload["organization"] = s.form.Organization(in.Account)
	}
	data, err := json.Marshal(payload)
	if err != nil { // a fault of this package
		s.Log.Error("fake GitHub", "error", err)
		return
	}
	if len(data) > maxPayload {
		return
	}
	s.attempt(&Attempt{Delivery: Delivery{GUID: newGUID(), Event: event, Action: action, Subject: subject,
		Sender: by.Login},
		installation: in.ID, repo: repo, payload: data})
}

// maxPayload is GitHub's: "Payloads are capped at 25 MB." A larger one is never delivered.
const maxPayload = 25 << 20

// attempt sends a delivery, a new one or again: in a new goroutine, or to a handler in this process when the lock is
// given up. The caller holds the lock.
func (s *Hooks) attempt(d *Attempt) {
	if s.hook.url == "" || s.hook.Inactive || s.Ctx.Err() != nil {
		return
	}
	d.ID, d.At, d.done = s.State.ID("delivery"), s.Now(), make(chan struct{})
	s.deliveries = append(s.deliveries, d)
	to, headers := s.hook, s.hookHeaders(s.hook, d)
	send := func() {
		begun := time.Now()
		status, text, err := s.send(to, headers, d)
		s.Mu.Lock()
		defer s.Mu.Unlock()
		d.Status, d.Answer, d.duration = status, text, time.Since(begun)
		if err != nil {
			d.Err = err.Error()
		}
		close(d.done)
	}
	if to.handler != nil {
		s.Mu.After = append(s.Mu.After, send)
		return
	}
	s.work.Go(send)
}

// send posts a payload as GitHub does: a redirect is a response, and is not followed.
func (s *Hooks) send(to hook, headers map[string]string, d *Attempt) (status int, text string, err error) {
	ctx, cancel := context.WithTimeout(s.Ctx, s.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url, bytes.NewReader(to.body(d)))
	if err != nil {
		return 0, "", err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if to.handler != nil {
		client.Transport = transport.To{Handler: to.handler}
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	return res.StatusCode, string(body), err
}

// body returns what is sent of a delivery.
func (h hook) body(d *Attempt) []byte {
	if !h.Form {
		return d.payload
	}
	return []byte(url.Values{"payload": {string(d.payload)}}.Encode())
}

// hookID is the id of the App's webhook.
const hookID = 292430182

// hookHeaders returns the "Delivery headers" of "Webhook events and payloads".
func (s *Hooks) hookHeaders(to hook, d *Attempt) map[string]string {
	headers := map[string]string{
		"Accept": "*/*", "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/" + d.GUID[:7],
		"X-GitHub-Event": d.Event, "X-GitHub-Delivery": d.GUID, "X-GitHub-Hook-ID": fmt.Sprint(hookID),
		"X-GitHub-Hook-Installation-Target-ID": fmt.Sprint(s.App.ID), "X-GitHub-Hook-Installation-Target-Type": "integration",
	}
	if to.Form {
		headers["Content-Type"] = "application/x-www-form-urlencoded"
	}
	if !to.NoSecret {
		key := entity.OrElse(to.Secret, s.App.Secret)
		headers["X-Hub-Signature"] = "sha1=" + sign(sha1.New, key, to.body(d))
		headers["X-Hub-Signature-256"] = "sha256=" + sign(sha256.New, key, to.body(d))
	}
	return headers
}

func sign(h func() hash.Hash, key string, body []byte) string {
	mac := hmac.New(h, []byte(key))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// newGUID returns a random UUID.
func newGUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
