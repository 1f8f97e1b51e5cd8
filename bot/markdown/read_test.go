package markdown

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

func TestWhatAReaderDoesNotSeeIsNotShown(t *testing.T) {
	t.Parallel()
	shapes := markdowntest.Hidden()
	require.GreaterOrEqual(t, len(shapes), 100)
	for name, body := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := markdowntest.Plain(Shown(body))
			require.NotContains(t, shown, markdowntest.HiddenWord, body)
			require.Contains(t, shown, markdowntest.SeenWord, body)
		})
	}
}

func TestWhatPeopleWriteInEarnestIsShown(t *testing.T) {
	t.Parallel()
	shapes := markdowntest.Visible()
	require.GreaterOrEqual(t, len(shapes), 40)
	for name, body := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, shown := range []string{Shown(body), ShownWithTargets(body)} {
				require.GreaterOrEqual(t, strings.Count(shown, markdowntest.SeenWord),
					strings.Count(body, markdowntest.SeenWord), "%s\n---\n%s", body, shown)
			}
		})
	}
}

func TestOnlyWhatGitHubTakesForAFootnoteIsOne(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"a\n\n[^see also]: b c":         "a\n\n[^see also]: b c",
		"a[^N]\n\n[^n]: b":              "a[^1]\n\n---\n\n1. b",
		"a[^2][^1]\n\n[^1]: b\n[^2]: c": "a[^1][^2]\n\n---\n\n1. c\n\n2. b",
		"a[^1]\n\n[^1]: b[^2]\n[^2]: c": "a[^1]\n\n---\n\n1. b",
		"a[^ß]\n\n[^SS]: b\n[^ß]: c":    "a",
		"a[^1]: b\n\n[^1]: c":           "a[^1]: b\n\n---\n\n1. c",
	} {
		require.Equal(t, want, Shown(body), body)
	}
}

func TestATagWithoutAnEndIsNamedThatHidesTheRest(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"a Partial<Template> is wrong":   "template",
		"a <rp> b":                       "rp",
		"a <Foo hidden={!open}> b":       "foo",
		"a `Partial<Template>` is wrong": "",
		"a <template>x</template> b":     "",
		"a List<Foo> and <svg> and <b>":  "",
		"```\n<template>\n```\nis wrong": "",
		"a < b":                          "",
	} {
		require.Equal(t, want, HiddenFrom(body), body)
	}
}
