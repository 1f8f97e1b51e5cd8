package simhttp

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// appPermissions and appEvents return those of app.yml.
func appPermissions() map[string]string {
	return map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "read"}
}

func appEvents() []string {
	return []string{"issue_comment", "pull_request_review_comment", "pull_request_review", "issues", "pull_request",
		"check_run", "check_suite", "workflow_run", "status"}
}

func newApp(opts Options) (*model.App, error) {
	key := opts.Key
	if key == nil {
		var err error
		if key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			return nil, fmt.Errorf("making the App's key: %w", err)
		}
	}
	return &model.App{ID: 4711, Slug: "tenon", Name: "tenon", Key: key, Secret: randomHex(20),
		Permissions: maps.Clone(opts.Permissions), Events: slices.Clone(opts.Events), Created: opts.Now().UTC(),
		ClientID: newClientID(), ClientSecret: randomHex(20)}, nil
}

// newClientID returns a client id in GitHub's form.
func newClientID() string { return "Iv23li" + randomHex(7) }

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
