package web_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/browsertest"
	"github.com/tenon-bot/tenon/internal/web/webtest"
)

func TestInABrowserHostileTextsDoNothing(t *testing.T) {
	t.Parallel()
	s := newSite()
	b, at := s.open(t)
	for name, evil := range map[string]string{
		"scripts": "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">" +
			"<svg onload=alert()>",
		"ends":        `</pre></details></main></template><style>*{display:none}</style><base href="https://evil.example/">`,
		"attributes":  `" onmouseover="document.title='owned'" autofocus onfocus="document.title='owned'" x="`,
		"directions":  "\u202e\u2066\u200bowned\u0000\u0007\u001b[31m",
		"forms":       `<form action="https://evil.example/"><input name=csrf_token><button id=block-1>x</button></form>`,
		"a long line": strings.Repeat("x", 1<<20),
	} {
		s.runs.Put(webtest.Hostile(ours, noon, evil))
		for _, path := range []string{"/runs/r-hostile", "/runs/r-hostile?diff=split", "/runs/r-hostile/blocks/1"} {
			b.Opens(at+path, "#block-1")
			b.Until(`document.readyState === "complete"`)
			require.NotEqual(t, "owned", browsertest.Says[string](b, "document.title"), name)
			require.Zero(t, browsertest.Says[int](b, `document.querySelectorAll("main script, main img, main style, "+
				"main svg, base, [onmouseover], [onfocus], [action^='https:'], [href^='javascript:']").length`), name)
			require.Equal(t, 1, browsertest.Says[int](b, `document.querySelectorAll("#block-1").length`), name)
			b.Looks(browsertest.Phone, "light")
			require.LessOrEqual(t, browsertest.Says[int](b, "document.documentElement.scrollWidth"), browsertest.Phone, name)
		}
	}
	require.Empty(t, b.Faults())
	require.Len(t, b.Hosts(), 1)
}

// The page is walked by Tab from its beginning, as people do who use no mouse.
func TestInABrowserThePageOfARunWorksWithTheKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Mixed(ours, noon))
	b, at := s.open(t)
	b.Opens(at+"/runs/r-mixed", "#block-5")
	walked := map[string]bool{}
	for first := true; ; first = false {
		b.Types(browsertest.Tab)
		is := browsertest.Says[string](b, `(e => e === document.body ? "" : [e.tagName, e.className, e.id].join(" "))(
			document.activeElement)`)
		if is == "" || len(walked) > 300 {
			break
		}
		if first {
			require.Equal(t, "#main", browsertest.Says[string](b, "document.activeElement.getAttribute('href')"))
		}
		require.True(t, browsertest.Says[bool](b, `(s => s.outlineStyle !== "none" || s.boxShadow !== "none")(
			getComputedStyle(document.activeElement))`), "%s has the focus, and shows it", is)
		walked[browsertest.Says[string](b, `(e => e.tagName + " " + (e.getAttribute("href") || e.getAttribute("formaction") ||
			e.dataset.copy || e.id || e.parentElement.id))(document.activeElement)`)] = true
	}
	for _, want := range []string{"A #block-4", "A #block-1", "SUMMARY block-1-diff", "SUMMARY block-4-searched",
		"INPUT choose-4", "BUTTON suggestion-0", "BUTTON /runs/r-mixed/undo", "BUTTON /runs/r-mixed/apply"} {
		require.Contains(t, walked, want)
	}

	// Enter opens what was searched, and goes there.
	b.Focuses(`#banner a[href="#block-4"]`, browsertest.Enter)
	b.Until("document.activeElement.id === 'block-4' && " + opened("block-4-searched"))
	b.Focuses("#choose-4", browsertest.Space)
	b.Until("document.getElementById('choose-4').checked")
	b.Focuses(`button[formaction="/runs/r-mixed/apply"]`, browsertest.Enter)
	b.Until(`location.pathname === "/runs/r-new"`)
	require.Equal(t, []webtest.Act{{Login: "ann", Run: "r-mixed", Act: view.ActApply, Blocks: []int{4}}}, s.acts.Done())
	require.Empty(t, b.Faults())
}
