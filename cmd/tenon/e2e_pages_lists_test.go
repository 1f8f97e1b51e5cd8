package main

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheListsShowEverybodyWhatTheyMayRead(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	require.NoError(t, s.github.SetPublic(s.repo, false))
	require.NoError(t, s.github.AddUser("olga"))
	pages := s.withPages("TENON_OPERATORS=olga")
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
	lists := []string{"/", "/runs?person=Maria&outcome=committed&repo=acme/lathe", "/repos/acme/lathe",
		"/orgs/acme?days=90"}

	maria, stranger, olga := s.guest(pages), s.guest(pages), s.guest(pages)
	maria.as("maria", "/runs")
	// The reaction comes before the end of the run is stored.
	s.until("an empty queue", func() bool {
		return strings.Contains(maria.open("/queue").text, "Nothing runs and nothing waits")
	})
	for _, path := range lists {
		page := maria.open(path)
		require.Equal(t, http.StatusOK, page.status, path)
		require.Contains(t, page.text, `<span class="badge committed">committed</span>`, path)
	}
	require.Contains(t, maria.open("/repos/acme/lathe").text, "<dt>Committed</dt><dd>1</dd>")

	require.NotContains(t, stranger.as("stranger", "/runs").text, "lathe")
	require.NotContains(t, stranger.open(lists[1]).text, `href="/repos/acme/lathe"`)
	for _, path := range []string{"/repos/acme/lathe", "/orgs/acme", "/dead-letters", "/installations"} {
		require.Equal(t, http.StatusNotFound, stranger.open(path).status, path)
	}

	olga.as("olga", "/runs")
	for _, path := range lists {
		require.Contains(t, olga.open(path).text, "committed</span>", path)
	}
	require.Contains(t, olga.open("/installations").text, `<span class="badge good">works</span>`)
	letters := olga.open("/dead-letters")
	require.Contains(t, letters.text, "There are no dead letters.")
	token := regexp.MustCompile(`name="csrf_token" value="([^"]+)"`).FindStringSubmatch(letters.text)
	require.NotNil(t, token)
	form := url.Values{"csrf_token": {html.UnescapeString(token[1])}}
	page, _ := olga.do(http.MethodPost, "/dead-letters/none/drop", form)
	require.Equal(t, http.StatusNotFound, page.status)
	page, _ = olga.do(http.MethodPost, "/dead-letters/none/drop", url.Values{})
	require.Equal(t, http.StatusForbidden, page.status)
}
