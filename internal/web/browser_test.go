package web_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/browsertest"
	"github.com/tenon-bot/tenon/internal/web/webtest"
)

// open returns a browser, and the address of the pages.
func (s *site) open(t *testing.T) (*browsertest.Browser, string) {
	t.Helper()
	b := browsertest.New(t)
	server := httptest.NewServer(s.handler)
	t.Cleanup(server.CloseClientConnections)
	return b, server.URL
}

// opened is a script that says whether details are open.
func opened(id string) string { return fmt.Sprintf("document.getElementById(%q).open", id) }

// click is a script that clicks the first element of a selector.
func click(selector string) string {
	return fmt.Sprintf("document.querySelector(%q).click()", selector)
}

func TestInABrowserEachClickLeadsToWhatItIsAbout(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Mixed(ours, noon))
	s.runs.Put(webtest.Many(ours, noon, 500))
	b, at := s.open(t)
	b.Opens(at+"/runs/r-mixed", "#block-5")

	// The banner leads to the first failure, and opens what was searched.
	b.Until(click(`#banner a[href="#block-4"]`) + "; document.activeElement.id === 'block-4'")
	b.Until(opened("block-4-searched"))
	// A badge leads to what was searched, a file to its diff.
	b.Until("document.getElementById('block-4-searched').open = false; " + click("#block-4 a.badge") + "; " +
		opened("block-4-searched"))
	b.Until("document.getElementById('block-1-diff').open = false; " + click("#files a") + "; " + opened("block-1-diff"))
	require.Equal(t, "#block-1-diff", browsertest.Says[string](b, "location.hash"))
	// A command is copied.
	b.Until(click("[data-copy=suggestion-0]") + "; document.querySelector('[data-copy]').textContent !== 'Copy'")

	// What is left out of a long page is loaded when it is opened.
	b.Opens(at+"/runs/r-many", "#block-500")
	b.Until(click("#block-500-diff summary") + "; true")
	b.Sees("#block-500 .diff tr.a")
	b.Until(opened("block-500-diff"))
	require.Empty(t, b.Faults())
	require.Len(t, b.Hosts(), 1)
}

func TestInABrowserARunIsFollowedWithoutDisturbingTheReader(t *testing.T) {
	t.Parallel()
	s := newSite()
	blocks := webtest.Mixed(ours, noon).Blocks
	s.runs.Put(arriving("one\n", blocks[3]))
	b, at := s.open(t)
	b.Opens(at+"/runs/r-live", "#block-4")
	b.Until("document.getElementById('choose-4').checked = true; " + click("#block-4-searched summary") + "; " +
		opened("block-4-searched"))

	changed := blocks[3]
	changed.Words = "another reason"
	s.runs.Put(arriving("one\n<b>two</b>\n", changed, blocks[4]))
	s.live.Changed()
	b.Sees("#block-5")
	b.Until("document.querySelector('#block-4').textContent.includes('another reason')")
	b.Until("document.querySelector('#reply-1 pre').textContent === 'one\\n<b>two</b>\\n'")
	b.Until(opened("block-4-searched") + " && document.getElementById('choose-4').checked")

	s.runs.Put(arriving("one\n<b>two</b>\nthree\n", changed, blocks[4]))
	s.live.Changed()
	b.Until("document.querySelector('#reply-1 pre').textContent.endsWith('three\\n')")
	run := webtest.Mixed(ours, noon)
	run.ID = "r-live"
	s.runs.Put(run)
	s.live.Changed()
	b.Until("document.querySelector('#banner').textContent.includes('committed')")
	require.Empty(t, b.Faults())
	require.Len(t, b.Hosts(), 1)
}

func TestInABrowserEveryPageOfARunIsAccessible(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Mixed(ours, noon))
	s.runs.Put(webtest.Many(ours, noon, 20))
	s.runs.Put(arriving("one\n", webtest.Mixed(ours, noon).Blocks...))
	s.runs.Put(webtest.Hostile(ours, noon, "<script>alert(1)</script>\u202e"+strings.Repeat("long", 1000)))
	waiting := arriving("")
	waiting.ID, waiting.State, waiting.Replies = "r-waiting", view.Waiting, nil
	s.runs.Put(waiting)
	b, at := s.open(t)
	for name, path := range map[string]string{
		"run": "/runs/r-mixed", "run-split": "/runs/r-mixed?diff=split", "run-live": "/runs/r-live",
		"run-waiting": "/runs/r-waiting", "run-hostile": "/runs/r-hostile", "run-many": "/runs/r-many",
		"block": "/runs/r-mixed/blocks/4", "reply": "/runs/r-mixed/replies/1", "missing": "/runs/none",
	} {
		b.Opens(at+path, "h1")
		if name == "run" || name == "run-split" || name == "run-live" {
			b.Picture("page-of-" + name)
		}
		b.IsAccessible(name)
	}
	require.Empty(t, b.Faults())
	require.Len(t, b.Hosts(), 1)
}
