package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestAModelIsAskedForTheFormatItsProvidersNameSuggests(t *testing.T) {
	t.Parallel()
	infos := modelInfos([]config.Model{
		{Name: "fast", ID: "gpt-5-mini"}, {Name: "long", ID: "gemini-3-pro"},
		{Name: "exact", ID: "gemini-3-pro", Format: "v3"},
	})
	require.Equal(t, []string{"diff", "diff-fenced", "v3"}, []string{infos[0].Format, infos[1].Format, infos[2].Format})
}
