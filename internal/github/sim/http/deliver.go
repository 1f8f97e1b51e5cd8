package simhttp

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
	"slices"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
	//nolint:gosec // the legacy signature, which GitHub still sends beside the real one
)

// hook is the App's webhook.
type hook struct {
	url     string
	handler http.Handler                    // instead of what is at url
	needs   func(event, action string) bool // nil: all
	HookSettings
}

// HookSettings are those of the App's webhook besides its URL. The zero value is what an App needs.
type HookSettings struct {
	// Form is true for the content type application/x-www-form-urlencoded, of which the payload is a field.
	Form bool
	// InsecureTLS is true if certificates are not verified, Inactive if nothing is delivered.
	InsecureTLS, Inactive bool
	// NoSecret is true if deliveries are not signed; Secret is what signs them instead of what WebhookSecret returns.
	NoSecret bool
	Secret   string
}

// SetHookSettings changes the settings of the App's webhook.
func (s hooks) SetHookSettings(settings HookSettings) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.hook.HookSettings = settings
}

// hookID is the id of the App's webhook.
const hookID = 292430182

// maxPayload is GitHub's: "Payloads are capped at 25 MB." A larger one is never delivered.
const maxPayload = 25 << 20

// Delivery is one attempt to deliver an event.
type Delivery struct {
	// ID is the attempt's; GUID is the same for all attempts of one event.
	ID   int64
	GUID string
	// Event and Action are GitHub's names; Subject is the id of the comment, issue or pull request.
	Event, Action string
	Subject       int64
	// Sender is the login of the user who caused it.
	Sender     string
	Redelivery bool
	At         time.Time
	// Status is the response's, or 0 if there is none (yet). Answer is its body, at most 64 KiB.
	Status int
	Answer string
	// Err is why there is no response.
	Err string
}

type delivery struct {
	Delivery
	installation, repo int64
	payload            []byte
	duration           time.Duration
	done               chan struct{}
}

// SetHookURL sets the URL of the App's webhook. There are no deliveries while it is empty.
func (s hooks) SetHookURL(url string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.hook.url = url
}

// SetHook makes deliveries go to a handler in this process: in their order, each before the act or the request that
// caused it returns. Events with an action that it does not need are not delivered: to write them takes time.
func (s hooks) SetHook(handler http.Handler, needs func(event, action string) bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.hook.url, s.hook.handler, s.hook.needs = "http://webhook.example/webhook", handler, needs
}

// HookURL returns the URL of the App's webhook.
func (s hooks) HookURL() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.hook.url
}

// Deliveries returns all attempts so far, oldest first.
func (s hooks) Deliveries() []Delivery {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	list := make([]Delivery, len(s.deliveries))
	for i, d := range s.deliveries {
		list[i] = d.Delivery
	}
	return list
}

// emit delivers an event about a repository, if the App is installed there and subscribed to it. The caller holds the
// lock; the delivery is sent concurrently.
func (s payloads) Emit(event, action string, r *model.Repository, subject int64, by *model.User, payload model.Object) {
	if !s.delivers(event, action, r) {
		return
	}
	in := s.State.InstallationFor(r)
	payload["repository"], payload["installation"] = s.repoJSON(r), model.Object{"id": in.ID, "node_id": sim.NodeID("INST",
		in.ID)}
	s.deliver(event, action, in, r.ID, subject, by, payload)
}

// delivers reports whether an event about a repository is delivered.
func (s hooks) delivers(event, action string, r *model.Repository) bool {
	in := s.State.InstallationFor(r)
	return in != nil && s.hook.url != "" && slices.Contains(s.App.Events, event) && in.Gets(event) &&
		(s.hook.needs == nil || s.hook.needs(event, action))
}

// deliver delivers an event of an installation to the App; repo is 0 for an event without a repository.
func (s hooks) deliver(event, action string, in *model.Installation, repo, subject int64, by *model.User,
	payload model.Object) {
	if payload["sender"] = s.userJSON(by); action != "" {
		payload["action"] = action
	}
	if in.Account.Kind == sim.UserOrg {
		payload["organization"] = s.orgJSON(in.Account)
	}
	data, err := json.Marshal(payload)
	if err != nil { // a fault of this package
		s.Log.Error("fake GitHub", "error", err)
		return
	}
	if len(data) > maxPayload {
		return
	}
	s.attempt(&delivery{Delivery: Delivery{GUID: newGUID(), Event: event, Action: action, Subject: subject,
		Sender: by.Login},
		installation: in.ID, repo: repo, payload: data})
}

// orgJSON returns "organization-simple".
func (s forms) orgJSON(u *model.User) model.Object {
	api := s.Base + "/api/v3/orgs/" + u.Login
	return model.Object{"login": u.Login, "id": u.ID, "node_id": sim.NodeID("O", u.ID), "url": api,
		"repos_url":  api + "/repos",
		"events_url": api + "/events", "hooks_url": api + "/hooks", "issues_url": api + "/issues",
		"members_url":        api + "/members{/member}",
		"public_members_url": api + "/public_members{/member}", "avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.Base, u.ID),
		"description": nil}
}

// attempt sends a delivery, a new one or again: in a new goroutine, or to a handler in this process when the lock is
// given up. The caller holds the lock.
func (s hooks) attempt(d *delivery) {
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
func (s hooks) send(to hook, headers map[string]string, d *delivery) (status int, text string, err error) {
	ctx, cancel := context.WithTimeout(s.Ctx, s.opts.DeliveryTimeout)
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
		client.Transport = processTransport{to.handler}
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
func (h hook) body(d *delivery) []byte {
	if !h.Form {
		return d.payload
	}
	return []byte(url.Values{"payload": {string(d.payload)}}.Encode())
}

// hookHeaders returns the "Delivery headers" of "Webhook events and payloads".
func (s hooks) hookHeaders(to hook, d *delivery) map[string]string {
	headers := map[string]string{
		"Accept": "*/*", "Content-Type": "application/json", "User-Agent": "GitHub-Hookshot/" + d.GUID[:7],
		"X-GitHub-Event": d.Event, "X-GitHub-Delivery": d.GUID, "X-GitHub-Hook-ID": fmt.Sprint(hookID),
		"X-GitHub-Hook-Installation-Target-ID": fmt.Sprint(s.App.ID), "X-GitHub-Hook-Installation-Target-Type": "integration",
	}
	if to.Form {
		headers["Content-Type"] = "application/x-www-form-urlencoded"
	}
	if !to.NoSecret {
		key := model.OrElse(to.Secret, s.App.Secret)
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

// wait returns when an attempt has ended. The caller does not hold the lock.
func (s hooks) wait(d *delivery) {
	if d != nil {
		<-d.done
	}
}

// WaitDeliveries returns when every delivery so far has a response or failed.
func (s hooks) WaitDeliveries() { s.WaitSince(0) }

func (s hooks) Delivered() int { return len(s.deliveries) }

func (s hooks) WaitSince(n int) {
	s.Mu.Lock()
	list := slices.Clone(s.deliveries[n:])
	s.Mu.Unlock()
	for _, d := range list {
		s.wait(d)
	}
}

// Redeliver sends an event again, like the button of that name, with the same GUID and payload. It returns after the
// response.
func (s hooks) Redeliver(guid string) (Delivery, error) { return s.again(guid, true) }

// Duplicate sends an event again without a request for it.
func (s hooks) Duplicate(guid string) (Delivery, error) { return s.again(guid, false) }

func (s hooks) again(guid string, redelivery bool) (Delivery, error) {
	s.Mu.Lock()
	d := s.copyOf(func(d *delivery) bool { return d.GUID == guid }, redelivery)
	if d != nil {
		s.attempt(d)
	}
	s.Mu.Unlock()
	if d == nil || d.done == nil {
		return Delivery{}, fmt.Errorf("no delivery %s, or no webhook to send it to", guid)
	}
	s.wait(d)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return d.Delivery, nil
}

// copyOf returns a new attempt of the first matching delivery, or nil if there is none.
func (s hooks) copyOf(wanted func(*delivery) bool, redelivery bool) *delivery {
	for _, d := range s.deliveries {
		if wanted(d) {
			return &delivery{Delivery: Delivery{GUID: d.GUID, Event: d.Event, Action: d.Action, Subject: d.Subject,
				Sender:     d.Sender,
				Redelivery: redelivery}, installation: d.installation, repo: d.repo, payload: d.payload}
		}
	}
	return nil
}

// newGUID returns a random UUID.
func newGUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
