// Package browsertest drives headless Chromium in tests of pages. A Browser fails its test where a page is not as it
// should be; it notes what the pages of this program must never do: ask another origin for anything, or break their
// Content-Security-Policy.
package browsertest

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// patience is how long a page may take for what is expected of it.
const patience = 30 * time.Second

// Browser is one tab of a headless Chromium.
type Browser struct {
	t   *testing.T
	tab context.Context

	mu     sync.Mutex
	hosts  map[string]bool
	faults []string
}

// New starts Chromium if TENON_TEST_BROWSER is set, as by .ci/pictures; elsewhere there may be none, and the test is
// skipped. With TENON_TEST_PICTURES, Picture writes into that folder.
func New(t *testing.T) *Browser {
	t.Helper()
	if os.Getenv("TENON_TEST_BROWSER") == "" {
		t.Skip("TENON_TEST_BROWSER is not set")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true))
	allocator, cancelAllocator := chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(cancelAllocator)
	tab, cancelTab := chromedp.NewContext(allocator)
	t.Cleanup(cancelTab)
	b := &Browser{t: t, tab: tab, hosts: map[string]bool{}}
	require.NoError(t, chromedp.Listen(tab, b.note))
	b.Do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		if _, err := cdp.Call(ctx, tab, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, tab, log.Enable, cdp.Empty{})
		return err
	}))
	return b
}

// note notes what a page asked for, and what the browser complained about.
func (b *Browser) note(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(ev.Request.URL); err == nil && u.Host != "" {
			b.hosts[u.Host] = true
		}
	case *log.EventEntryAdded:
		if text := ev.Entry.Text; strings.Contains(text, "Content Security Policy") || strings.Contains(text, "Uncaught") {
			b.faults = append(b.faults, text)
		}
	}
}

// Hosts returns the hosts that were asked for anything.
func (b *Browser) Hosts() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for host := range b.hosts {
		all = append(all, host)
	}
	return all
}

// Faults returns the violations of policies and the errors of scripts that the browser reported.
func (b *Browser) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.faults
}

// Do carries out steps.
func (b *Browser) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	require.NoError(b.t, chromedp.Do(b.tab, steps...))
}

// Text returns the text of an element, when it is there. It is read at once: an element of a live page may be replaced
// at any time.
func (b *Browser) Text(selector string) string {
	b.t.Helper()
	b.Sees(selector)
	return Says[string](b, "document.querySelector("+strconv.Quote(selector)+").innerText")
}

// Address returns the address of the page.
func (b *Browser) Address() string {
	b.t.Helper()
	address, err := chromedp.Run(b.tab, chromedp.Location())
	require.NoError(b.t, err)
	return address
}

// Press presses a button or a link and waits for what the next page has.
func (b *Browser) Press(button, next string) {
	b.t.Helper()
	b.Do(chromedp.Click(button))
	b.Sees(next)
}

// The keys that walk a page.
const (
	Tab   = kb.Tab
	Enter = kb.Enter
	Space = " "
)

// Types types keys into the element that has the focus.
func (b *Browser) Types(keys string) {
	b.t.Helper()
	b.Do(chromedp.KeyEvent(keys))
}

// Focuses moves the focus to an element and types keys there. The focus is moved by a script: what the browser knew of
// the elements of the page before is still forgotten when this one can be seen already.
func (b *Browser) Focuses(selector, keys string) {
	b.t.Helper()
	element := "document.querySelector(" + strconv.Quote(selector) + ")"
	b.Until(element + "?.focus(), document.activeElement === " + element)
	b.Types(keys)
}

// Sees waits for an element, on whatever page comes.
func (b *Browser) Sees(selector string) {
	b.t.Helper()
	b.Until("document.querySelector(" + strconv.Quote(selector) + ") !== null")
}

// Until waits for what a script says. It fails while one page follows another.
func (b *Browser) Until(script string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool {
		is, err := chromedp.Run(b.tab, chromedp.Evaluate[bool](script))
		return err == nil && is
	}, patience, 10*time.Millisecond, script)
}

// Opens opens a page and waits for an element.
func (b *Browser) Opens(address, selector string) {
	b.t.Helper()
	b.Do(chromedp.Navigate(address))
	b.Sees(selector)
}

// Says returns what a script comes to, which may be a promise.
func Says[T any](b *Browser, script string) T {
	b.t.Helper()
	out, err := chromedp.Run(b.tab, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	require.NoError(b.t, err, script)
	return out
}

// The widths of a desktop's window and of a phone.
const (
	Desktop = 1000
	Phone   = 360
)

// Looks sets the width of the window, in pixels, and the scheme of colours: "light" or "dark".
func (b *Browser) Looks(width int64, scheme string) {
	b.t.Helper()
	b.Do(chromedp.EmulateViewport(width, 800), chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}

// Picture takes pictures of the page: wide and narrow, light and dark.
func (b *Browser) Picture(name string) {
	b.t.Helper()
	folder := os.Getenv("TENON_TEST_PICTURES")
	if folder == "" {
		return
	}
	for device, width := range map[string]int64{"wide": Desktop, "narrow": Phone} {
		for _, scheme := range []string{"light", "dark"} {
			b.Looks(width, scheme)
			png, err := chromedp.Run(b.tab, chromedp.FullScreenshot(100))
			require.NoError(b.t, err)
			require.NoError(b.t, os.WriteFile(filepath.Join(folder, name+"."+device+"."+scheme+".png"), png, 0o600))
		}
	}
	b.Looks(Desktop, "light")
}

// IsAccessible fails the test if axe-core finds a violation on the page, in light or dark, or if a phone has to scroll
// it sideways. TENON_TEST_AXE is the path of axe.min.js; without it, only the latter is checked.
func (b *Browser) IsAccessible(page string) {
	b.t.Helper()
	b.Looks(Phone, "light")
	require.LessOrEqual(b.t, Says[int](b, "document.documentElement.scrollWidth"), Phone, "%s on a phone", page)
	if script := os.Getenv("TENON_TEST_AXE"); script != "" {
		axe, err := os.ReadFile(script)
		require.NoError(b.t, err)
		for _, scheme := range []string{"light", "dark"} {
			b.Looks(Desktop, scheme)
			found := Says[[]string](b, string(axe)+`;axe.run(document, {resultTypes: ["violations"]}).then(r =>
				r.violations.map(v => v.id + ": " + v.nodes.slice(0, 5).map(n => n.html + " " + n.failureSummary).join(" | ")))`)
			require.Empty(b.t, found, "%s in %s", page, scheme)
		}
	}
	b.Looks(Desktop, "light")
}
