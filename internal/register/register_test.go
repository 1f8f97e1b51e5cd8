package register_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/appmanifest"
	"github.com/tenon-bot/tenon/internal/gh"
)

func TestAnAppOfAnOrganizationIsRegistered(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.get(s.link())
	require.Equal(t, 200, first.status)
	require.Contains(t, first.text, "Create your GitHub App")
	review := s.post(s.link(), s.fields())
	require.Contains(t, review.text, "Create GitHub App for acme")
	require.Contains(t, review.text, "https://tenon.acme.com/webhook")
	require.NotContains(t, review.text, "role=\"note\"", "nothing is suspicious")
	action, hidden := review.form(t)
	to, err := url.Parse(action)
	require.NoError(t, err)
	require.Equal(t, "/organizations/acme/settings/apps/new", to.Path)
	require.Len(t, to.Query().Get("state"), 43, "256 bits")

	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(hidden.Get("manifest")), &got))
	app, err := appmanifest.Read()
	require.NoError(t, err)
	permissions := map[string]any{}
	for name, level := range app.Permissions {
		permissions[name] = level
	}
	var events []any
	for _, e := range app.Events {
		events = append(events, e)
	}
	require.Equal(t, map[string]any{"name": "tenon-acme", "url": app.URL, "description": app.Description, "public": false,
		"hook_attributes":     map[string]any{"url": "https://tenon.acme.com/webhook", "active": true},
		"redirect_url":        s.server.URL + "/setup/callback",
		"callback_urls":       []any{"https://tenon.acme.com/auth/callback"},
		"default_permissions": permissions, "default_events": events}, got)

	back := s.press(s.post(action, hidden))
	require.False(t, s.isDone())
	last := s.get(back)
	require.Equal(t, 200, last.status, last.text)
	require.Contains(t, last.text, s.github.GitURL()+"apps/tenon-acme/installations/new")
	require.True(t, s.isDone())
	require.Len(t, s.saved, 1)
	r := s.saved[0]
	require.Equal(t, s.github.AppID(), r.App.ID)
	require.Equal(t, "acme", r.App.Owner)
	require.Equal(t, string(s.github.PrivateKeyPEM()), r.App.PrivateKey.Reveal())
	require.Equal(t, s.github.WebhookSecret(), r.App.WebhookSecret.Reveal())
	require.Equal(t, s.github.ClientID(), r.App.ClientID)
	require.Equal(t, s.github.ClientSecret(), r.App.ClientSecret.Reveal())
	require.Equal(t, "https://tenon.acme.com/webhook", s.github.HookURL())
	require.Equal(t, s.page.Registered().App.ID, r.App.ID)

	again := s.get(back)
	require.Equal(t, 200, again.status, "a reload shows the page again")
	require.Len(t, s.saved, 1, "and saves nothing")
	for _, text := range []string{first.text, review.text, last.text, again.text, s.log.String(), back, action} {
		require.NotContains(t, text, s.github.WebhookSecret())
		require.NotContains(t, text, s.github.ClientSecret())
		require.NotContains(t, text, "PRIVATE KEY")
	}
	require.NotContains(t, s.log.String(), to.Query().Get("state"))
	require.NotContains(t, s.log.String(), s.links[0])
}

func TestAnAppOfAPersonIsRegistered(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	fields := s.fields()
	fields.Set("account", "user")
	fields.Set("name", "marias-tenon")
	page := s.toGitHub(fields)
	require.Contains(t, page.text, "<button id=create>Create GitHub App</button>")
	require.Equal(t, 200, s.get(s.press(page)).status)
	require.Equal(t, "maria", s.saved[0].App.Owner)
	require.Equal(t, "marias-tenon", s.saved[0].App.Slug)
}

func TestANameThatIsTakenIsChangedOnGitHub(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	fields := s.fields()
	fields.Set("name", "tenon")
	page := s.toGitHub(fields)
	action, hidden := page.form(t)
	taken := s.post(strings.TrimSuffix(s.github.GitURL(), "/")+action, hidden)
	require.Contains(t, taken.text, "Name is already taken")
	taken.text = strings.Replace(taken.text, `name=name value="tenon"`, `name=name value="another"`, 1)
	require.Equal(t, 200, s.get(s.press(taken)).status)
	require.Equal(t, "another", s.saved[0].App.Slug)
}

func TestAnAnswerWithoutItsStateIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	back, err := url.Parse(s.press(s.toGitHub(s.fields())))
	require.NoError(t, err)
	state := back.Query().Get("state")
	for _, forged := range []string{"", strings.Repeat("A", 43), state[:42], state + "A"} {
		q := url.Values{"code": back.Query()["code"], "state": {forged}}
		p := s.get(s.server.URL + back.Path + "?" + q.Encode())
		require.Equal(t, 400, p.status)
		require.NotContains(t, p.text, s.links[0], "whoever has no state is not told the link")
	}
	p := s.get(s.server.URL + back.Path + "?" + url.Values{"state": {state}}.Encode())
	require.Contains(t, p.text, "No App was registered", "somebody came back without pressing the button")
	require.Empty(t, s.saved)
	require.Equal(t, 200, s.get(back.String()).status)
}

func TestACodeThatWasUsedStartsAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	back := s.press(s.toGitHub(s.fields()))
	u, err := url.Parse(back)
	require.NoError(t, err)
	_, err = gh.ConvertManifest(t.Context(), s.github.APIURL(), u.Query().Get("code"), nil)
	require.NoError(t, err)
	p := s.get(back)
	require.Equal(t, 400, p.status)
	require.Contains(t, p.text, "GitHub does not accept the code any more")
	require.Contains(t, p.text, s.links[0])
	require.Equal(t, 400, s.get(back).status, "its state is used up")
	require.False(t, s.isDone())
}

func TestAStateExpiresInAnHour(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	back := s.press(s.toGitHub(s.fields()))
	s.forward(time.Hour)
	require.Contains(t, s.get(back).text, "too long ago")
	require.Empty(t, s.saved)
}

func TestAnOutageOfGitHubIsOverAfterAReload(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	back := s.press(s.toGitHub(s.fields()))
	s.convert = errors.New("reaching GitHub: connection refused <b>")
	p := s.get(back)
	require.Equal(t, 502, p.status)
	require.Contains(t, p.text, "connection refused &lt;b&gt;")
	require.Equal(t, 200, s.get(back).status)
	require.Len(t, s.saved, 1)
}

// GitHub hands out the key once, so that what cannot be saved is kept until it can.
func TestTheKeyIsNotLostWhenItCannotBeSaved(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	back := s.press(s.toGitHub(s.fields()))
	s.save = errors.New("making /data/tenon.private-key.pem: no space left on device")
	p := s.get(back)
	require.Equal(t, 500, p.status)
	require.Contains(t, p.text, "no space left on device")
	require.False(t, s.isDone())
	s.forward(2 * time.Hour)
	require.Equal(t, 200, s.get(back).status)
	require.Equal(t, string(s.github.PrivateKeyPEM()), s.saved[0].App.PrivateKey.Reveal())
}
