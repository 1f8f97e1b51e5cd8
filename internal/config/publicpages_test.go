package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// loadPages loads the settings that variables have.
func loadPages(t *testing.T, env map[string]string) (Server, error) {
	t.Helper()
	return Load(Source{Getenv: func(name string) string { return env[name] }})
}

func TestPagesNeedWhatSigningInNeeds(t *testing.T) {
	t.Parallel()
	_, err := loadPages(t, map[string]string{"TENON_PUBLIC_URL": "https://tenon.example"})
	require.ErrorContains(t, err, "TENON_CLIENT_ID: is not set, and nobody can sign in")
	require.ErrorContains(t, err, "TENON_CLIENT_SECRET: is not set, and nobody can sign in")
	require.ErrorContains(t, err, "generate a client secret on the page of your GitHub App")
	_, err = loadPages(t, map[string]string{})
	require.NotContains(t, err.Error(), "TENON_CLIENT", "without pages nobody signs in")
}

func TestThePublicURLIsAnOriginThatNobodyCanListenTo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://Tenon.Example.com/": "https://tenon.example.com", "https://h:443": "https://h",
		"https://h:8443": "https://h:8443", "http://localhost:8080": "http://localhost:8080",
		"http://127.0.0.1:80": "http://127.0.0.1",
		"http://[::1]:7":      "http://[::1]:7",
	} {
		s, _ := loadPages(t, map[string]string{"TENON_PUBLIC_URL": text})
		require.Equal(t, want, s.PublicURL, text)
	}
	for text, why := range map[string]string{
		"http://tenon.example": "begins with http://", "https://h/tenon": "has a path", "h": "is not a URL",
		"https://u:p@h": "has a user name", "http://localhost.evil.example": "begins with http://",
		"https://h:70000": "has no host that a browser accepts", "https://h_%41": "is not a URL",
	} {
		s, err := loadPages(t, map[string]string{"TENON_PUBLIC_URL": text})
		require.ErrorContains(t, err, why, text)
		require.Empty(t, s.PublicURL, text)
	}
}

func TestMixedUpCredentialsOfSigningInAreExplained(t *testing.T) {
	t.Parallel()
	_, err := loadPages(t, map[string]string{"TENON_CLIENT_ID": "123456", "TENON_CLIENT_SECRET": "Iv1.0123456789abcdef"})
	require.ErrorContains(t, err, "TENON_CLIENT_ID: is a number, like the App ID")
	_, err = loadPages(t, map[string]string{"TENON_CLIENT_SECRET": "too-short-for-a-key"})
	require.ErrorContains(t, err, "TENON_CLIENT_SECRET: is not a client secret")
	require.NotContains(t, err.Error(), "too-short")
}
