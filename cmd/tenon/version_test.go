package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionPrefersTheLinkersWord(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{
		Main: debug.Module{Version: "v0.1.0"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"},
			{Key: "vcs.modified", Value: "true"}},
	}
	require.Contains(t, versionLine("v1.2.3", "fedcba9876543210", info), "tenon v1.2.3 (commit fedcba987654) go1.")
	require.Contains(t, versionLine("", "", info), "tenon v0.1.0 (commit 0123456789ab, modified) go1.")
	require.Contains(t, versionLine("", "", nil), "tenon (devel) (commit unknown) go1.")
}
