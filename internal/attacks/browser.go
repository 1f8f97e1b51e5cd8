package attacks

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
)

// Browser is a browser of somebody, in which they are signed in at GitHub. Its methods fail the test.
type Browser struct {
	w     *World
	login string
	http  http.Client
}

// Browser returns a new browser of somebody.
func (w *World) Browser(login string) *Browser {
	w.T.Helper()
	jar, err := cookiejar.New(nil)
	w.Must(err)
	return &Browser{w, login, http.Client{Jar: jar}}
}

// stopping returns the browser as it is before it follows a redirect to an address with a prefix.
func (b *Browser) stopping(prefix string) *Browser {
	stopped := *b
	stopped.http.CheckRedirect = func(to *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(to.URL.String(), prefix) {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &stopped
}

// Opened is a response to a browser. Location is where it redirects to, if that was not followed.
type Opened struct {
	Status         int
	Text, Location string
}

// authorizing is the form by which people let the App know who they are.
var authorizing = regexp.MustCompile(`(?s)<form method=post action="([^"]+)">.*?name=id value="([^"]*)"`)

// Open opens an address, and authorises the App if GitHub asks for that on the way.
func (b *Browser) Open(address string) Opened {
	b.w.T.Helper()
	b.w.Must(b.w.SignIn(b.login))
	page := b.do(http.MethodGet, address, nil)
	if form := authorizing.FindStringSubmatch(page.Text); form != nil {
		page = b.do(http.MethodPost, strings.TrimSuffix(b.w.GitURL(), "/")+html.UnescapeString(form[1]),
			url.Values{"id": {form[2]}, "authorize": {"1"}})
	}
	return page
}

func (b *Browser) do(method, address string, form url.Values) Opened {
	b.w.T.Helper()
	req, err := http.NewRequestWithContext(b.w.T.Context(), method, address, strings.NewReader(form.Encode()))
	b.w.Must(err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := b.http.Do(req)
	b.w.Must(err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	b.w.Must(err)
	return Opened{res.StatusCode, string(text), res.Header.Get("Location")}
}
