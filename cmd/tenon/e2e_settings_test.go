package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// settingEffect shows that a run obeys a setting.
type settingEffect struct {
	// name is the setting's. Each has an organisation with a repository of its own.
	name string
	// organisation and repository are their files of settings; the organisation has none if it is empty.
	organisation, repository string
	// files are in the repository beside those that every stage has.
	files map[string]string
	// replies are the model's.
	replies []string
	shown   func(s *stage, asked *askedModels)
}

// A run obeys every setting: each row is a story of which the end is another one if the setting is ignored.
func TestARunObeysEverySetting(t *testing.T) {
	t.Parallel()
	var settings, effects []string
	for _, s := range policy.DefaultPolicy().Shown() {
		settings = append(settings, s.Key)
	}
	for _, e := range settingEffects {
		effects = append(effects, e.name)
	}
	require.Equal(t, settings, effects, "each row of the table of settings has its row in settingEffects")

	shared := newStage(t)
	asked := askModels(t, shared)
	shared.start()
	for _, e := range settingEffects {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			e.shown(e.stage(t, shared, asked), asked)
		})
	}
}

// stage returns a stage with a repository that has the settings, on the server of another stage.
func (e settingEffect) stage(t *testing.T, shared *stage, asked *askedModels) *stage {
	t.Helper()
	s := *shared
	s.t, s.model = t, asked.model(e.name, e.replies)
	owner := strings.NewReplacer(".", "-", "_", "-").Replace(e.name)
	s.repo = owner + "/lathe"
	require.NoError(t, s.github.AddOrg(owner, "maria"))
	files := map[string]string{policy.SettingsPath: e.repository, "AGENTS.md": "Setting: " + e.name + "\n"}
	maps.Copy(files, stageFiles)
	maps.Copy(files, e.files)
	require.NoError(t, s.github.AddRepo(sim.Repo{Name: s.repo, Files: files, Public: true}))
	if e.organisation != "" {
		files := map[string]string{policy.SettingsPath: e.organisation}
		require.NoError(t, s.github.AddRepo(sim.Repo{Name: owner + "/.github", Files: files, Public: true}))
	}
	_, err := s.github.Install(sim.Installation{Owner: owner})
	require.NoError(t, err)
	_, err = s.github.Push(s.repo, "speed", map[string]string{"speed.txt": "fast\n"}, "Be fast\n")
	require.NoError(t, err)
	s.pull, err = s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Be fast", Head: "speed"})
	require.NoError(t, err)
	return &s
}

// askedModels are the models of all settings behind one address. The conventions of a repository, which are part of
// each request, tell whose it is.
type askedModels struct {
	mu       sync.Mutex
	models   map[string]*modelServer
	requests map[string][]modelRequest
}

// modelRequest is what a model was asked: its name at the provider, and all messages.
type modelRequest struct{ model, text string }

// askModels gives a stage two models, of which fast is the default one, and room in the budget of maria.
func askModels(t *testing.T, s *stage) *askedModels {
	t.Helper()
	a := &askedModels{models: map[string]*modelServer{}, requests: map[string][]modelRequest{}}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "tenon.yml")
	require.NoError(t, os.WriteFile(file, []byte(`models:
  fast: {id: model-fast, base_url: `+server.URL+`/v1}
  slow: {id: model-slow, base_url: `+server.URL+`/v1}
policy:
  budget: {user: {commands: 1000}}
`), 0o600))
	s.env = []string{"TENON_MODEL=", "TENON_MODEL_BASE_URL=", "TENON_MODEL_API_KEY=", "TENON_CONFIG=" + file,
		"TENON_LIMIT_SENDER_COMMANDS=off"}
	return a
}

var conventionOfSetting = regexp.MustCompile(`Setting: ([a-z_.]+)`)

func (a *askedModels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var in struct {
		Model    string
		Messages []struct{ Content string }
	}
	if err != nil || json.Unmarshal(body, &in) != nil {
		http.Error(w, `{"error":{"message":"bad request"}}`, http.StatusBadRequest)
		return
	}
	var text strings.Builder
	for _, m := range in.Messages {
		text.WriteString(m.Content + "\n")
	}
	name := conventionOfSetting.FindStringSubmatch(text.String())
	if name == nil {
		http.Error(w, `{"error":{"message":"no conventions"}}`, http.StatusBadRequest)
		return
	}
	a.mu.Lock()
	model := a.models[name[1]]
	a.requests[name[1]] = append(a.requests[name[1]], modelRequest{in.Model, text.String()})
	a.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	model.ServeHTTP(w, r)
}

// model makes the model of a setting.
func (a *askedModels) model(name string, replies []string) *modelServer {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := &modelServer{replies: append(slices.Clip(replies), goodReply), tokens: 1200}
	a.models[name] = m
	return m
}

// of returns what the models were asked in the repository of a setting.
func (a *askedModels) of(name string) []modelRequest {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.requests[name])
}
