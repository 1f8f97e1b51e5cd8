package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMisspeltVariableEndsTheServerAtOnceAndASuspiciousOneIsLogged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	log, err := s.serveOnce("TENON_ALLOWED_OWNER=acme")
	require.EqualError(t, err, "there are no such settings:\n"+
		"  TENON_ALLOWED_OWNER: is not a setting of tenon; did you mean TENON_ALLOWED_OWNERS?")
	require.Empty(t, log)

	s.env = append(s.env, "TENON_RETENTION_SOURCES=91d")
	s.start()
	require.Contains(t, s.log.all(), `"setting":"TENON_RETENTION_SOURCES","why":"is longer than TENON_RETENTION`)
}
