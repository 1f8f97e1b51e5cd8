package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/gorilla/mux"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/doctor"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/webhook"
)

// patient is a server that is set up rightly, until a mistake is planted.
type patient struct {
	*testing.T
	github *simhttp.Server
	env    map[string]string
	// hook is the URL at which the webhook of this server is reached.
	hook string
	// free is how much of the disk is free, in bytes.
	free uint64
	// told changes what the checks are told, such as that GitHub is on the Internet; nil changes nothing.
	told func(*doctor.Server)
}

// accepts is a queue that accepts everything.
type accepts struct{}

func (accepts) Submit(context.Context, port.Event) error { return nil }

// newPatient returns a server whose App is registered with options.
func newPatient(t *testing.T, options simhttp.Options) *patient {
	t.Helper()
	options.Memory, options.Key = true, sharedKey()
	github, err := simhttp.New(options)
	require.NoError(t, err)
	require.NoError(t, github.Start())
	t.Cleanup(func() { _ = github.Close() })
	require.NoError(t, github.AddOrg("acme", "maria"))
	require.NoError(t, github.AddOrg("mill", "maria"))
	hook, err := webhook.New(webhook.Options{Secret: []byte(github.WebhookSecret()), Queue: accepts{},
		Slug: func() string { return "tenon" }})
	require.NoError(t, err)
	router := mux.NewRouter()
	hook.Routes(router)
	server := httptest.NewServer(router)
	t.Cleanup(server.Close)
	model := httptest.NewServer(http.HandlerFunc(oneModel))
	t.Cleanup(model.Close)
	p := &patient{T: t, github: github, hook: server.URL + webhook.Path, free: 1 << 40}
	p.env = map[string]string{"TENON_LISTEN": "127.0.0.1:0", "TENON_DATA_DIR": t.TempDir(),
		"TENON_APP_ID": fmt.Sprint(github.AppID()), "TENON_PRIVATE_KEY_FILE": p.file(string(github.PrivateKeyPEM())),
		"TENON_WEBHOOK_SECRET": github.WebhookSecret(),
		"TENON_GITHUB_API_URL": github.APIURL(), "TENON_GITHUB_GIT_URL": github.GitURL(),
		"TENON_PUBLIC_URL": "https://tenon.example", "TENON_CLIENT_ID": github.ClientID(),
		"TENON_CLIENT_SECRET": github.ClientSecret(),
		"TENON_MODEL":         "model-1", "TENON_MODEL_BASE_URL": model.URL + "/v1", "TENON_MODEL_API_KEY": "sk-right"}
	github.SetHookURL(p.hook)
	return p
}

// oneModel is a provider of one model, with one key.
func oneModel(w http.ResponseWriter, r *http.Request) {
	var in struct{ Model string }
	_ = json.NewDecoder(r.Body).Decode(&in)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path != "/v1/chat/completions":
		http.NotFound(w, r)
	case r.Header.Get("Authorization") != "Bearer sk-right":
		http.Error(w, `{"error":{"code":"invalid_api_key"}}`, http.StatusUnauthorized)
	case in.Model != "model-1":
		http.Error(w, `{"error":{"code":"model_not_found"}}`, http.StatusNotFound)
	default:
		_, _ = fmt.Fprint(w, `{"model":"model-1","choices":[{"index":0,"finish_reason":"length",`+
			`"message":{"role":"assistant","content":"yes"}}]}`)
	}
}

// install has an owner install the App, which GitHub delivers.
func (p *patient) install(in sim.Installation) {
	p.Helper()
	_, err := p.github.Install(in)
	require.NoError(p, err)
	p.github.WaitDeliveries()
}

// file returns the path of a file with a text that its owner alone can read.
func (p *patient) file(text string) string {
	p.Helper()
	name := filepath.Join(p.TempDir(), "file")
	require.NoError(p, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// examined returns what `tenon doctor` finds.
func (p *patient) examined() (all []doctor.Result) {
	p.Helper()
	server := examinedBy(config.Source{
		Getenv: func(name string) string { return p.env[name] },
		Environ: func() (list []string) {
			for name, value := range p.env {
				list = append(list, name+"="+value)
			}
			return list
		}})
	server.Free = func(string) (uint64, error) { return p.free, nil }
	if p.told != nil {
		p.told(&server)
	}
	doctor.Run(p.Context(), server, func(r doctor.Result) { all = append(all, r) })
	return all
}
