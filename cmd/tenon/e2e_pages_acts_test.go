package main

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// formToken is what the forms of a page carry.
func (g *guest) formToken(page string) url.Values {
	g.s.t.Helper()
	token := regexp.MustCompile(`name="csrf_token" value="([^"]+)"`).FindStringSubmatch(g.open(page).text)
	require.NotNil(g.s.t, token)
	return url.Values{"csrf_token": {token[1]}}
}

func TestACommitIsUndoneFromItsPageByThoseWhoMay(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	pages := s.withPages()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix the words in `main.go`")), "rocket")
	before := s.tip()
	link := regexp.MustCompile(regexp.QuoteMeta(pages) + `(/runs/(\w+))`).FindStringSubmatch(s.answers()[0])
	require.NotNil(t, link, s.answers()[0])
	path, run := link[1], link[2]

	stranger := s.guest(pages)
	require.Equal(t, http.StatusOK, stranger.as("stranger", path).status, "the repository is public")
	page, _ := stranger.do(http.MethodPost, path+"/undo", url.Values{})
	require.Equal(t, http.StatusForbidden, page.status)
	page, _ = stranger.do(http.MethodPost, path+"/undo", stranger.formToken(path))
	require.Equal(t, http.StatusOK, page.status)
	s.said("`stranger`, `/tenon undo` needs write permission")
	require.Equal(t, before, s.tip())

	maria := s.guest(pages)
	require.Contains(t, maria.as("maria", path).text, path+"/undo")
	token := maria.formToken(path)
	page, _ = maria.do(http.MethodPost, path+"/fix", token)
	require.Equal(t, http.StatusNotFound, page.status, "a page gives no other command")
	page, _ = maria.do(http.MethodPost, path+"/undo", token)
	require.Equal(t, http.StatusOK, page.status)
	answer := s.said("@maria on the page of [" + run + "](" + pages + path + ") · run [")
	require.Contains(t, answer, "1 file reverted")
	require.Equal(t, stageFiles["main.go"], s.file("main.go"))
	require.NotContains(t, maria.open(path).text, path+"/undo", "what is undone cannot be undone again")

	require.NoError(t, s.github.SetPublic(s.repo, false))
	said := len(s.answers())
	require.NoError(t, s.github.AddUser("olga"))
	olga := s.guest(pages)
	require.Equal(t, http.StatusNotFound, olga.as("olga", path).status)
	page, _ = olga.do(http.MethodPost, path+"/undo", olga.formToken(path))
	require.Equal(t, http.StatusNotFound, page.status)
	require.Len(t, s.answers(), said)
	s.stop()
	_, audit, _ := tenon(t, "", "audit", "--data", s.data, "--json")
	require.Equal(t, 2, strings.Count(audit, `"kind":"page"`), audit)
}
