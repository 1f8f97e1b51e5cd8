package register_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/browsertest"
	"github.com/tenon-bot/tenon/internal/register"
)

func TestInABrowserAnAppIsRegisteredAndInstalled(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := newStage(t, func(o *register.Options) {
		o.After = "Nothing needs a restart: this server is starting with its new App."
	})
	b.Opens(s.link(), "#continue")
	b.Picture("form")
	b.Press("#continue", ".fault")
	b.Picture("faults")
	b.Do(chromedp.SetValue("#github", s.github.GitURL()), chromedp.SendKeys("#organization", "acme"),
		chromedp.SetValue("#public", "https://localhost:8080"))
	b.Press("#continue", "#go")
	b.Picture("review")
	require.Contains(t, b.Text(".note"), "the machine that GitHub runs on")
	b.Press("#change", "#continue")
	b.Do(chromedp.SetValue("#public", "https://tenon.acme.com"))
	b.Press("#continue", "#go")
	b.Until(`document.querySelector(".note") === null`)                             // the warning is gone
	b.Until(`getComputedStyle(document.querySelector("#go")).cursor === "pointer"`) // the policy lets the style in
	b.Press("#go", "#create")
	require.Equal(t, "Create GitHub App for acme", b.Text("#create"))
	b.Press("#create", "#install")
	require.Equal(t, "✓ tenon-acme is registered", b.Text("h1"))
	require.True(t, s.isDone())
	require.Equal(t, s.server.URL+"/setup/callback", b.Address()[:len(s.server.URL+"/setup/callback")])
	b.Picture("done")
	b.Do(chromedp.Reload())
	b.Sees("#install")
	require.Len(t, s.saved, 1)
	b.Press("#install", "form #install")
	b.Press("form #install", "#installed")
}

func TestInABrowserAPersonWhoDoesNotPressTheButtonCanStartAgain(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := newStage(t)
	b.Opens(s.link(), "#continue")
	b.Until(`document.querySelector("#account-user").click() === undefined`)
	b.Until(`document.querySelector("#organization").offsetParent === null`)
	b.Do(chromedp.SetValue("#github", s.github.GitURL()), chromedp.SetValue("#public", "tenon.acme.com"))
	b.Press("#continue", "#go")
	b.Press("#go", "#create")
	b.Opens(s.link(), "#continue")
	b.Opens(s.server.URL+"/setup/callback?code=x&state=y", "#problem")
	b.Picture("problem")
	require.False(t, s.isDone())
}
