package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/web"
)

const localHost = "127.0.0.1:4711"

// localPages is a server for a Local, which tells who the visitor is.
func localPages(l *web.Local) http.Handler {
	return l.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, ok := l.Visitor(w, r)
		if !ok {
			l.SignIn(w, r)
			return
		}
		_, _ = w.Write([]byte(v.Login))
	}))
}

// answer is what a server answers.
type answer struct {
	status   int
	location string
	cookies  []*http.Cookie
}

// ask sends a request to the host of an address, with cookies and a form.
func ask(h http.Handler, method, address string, cookies []*http.Cookie, form url.Values) answer {
	r := httptest.NewRequest(method, address, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for _, c := range cookies {
		r.AddCookie(c)
	}
	return serve(h, r)
}

func serve(h http.Handler, r *http.Request) answer {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	resp := w.Result()
	_ = resp.Body.Close()
	return answer{resp.StatusCode, resp.Header.Get("Location"), resp.Cookies()}
}

func TestTheAddressOfALocalPageLetsABrowserIn(t *testing.T) {
	t.Parallel()
	l := web.NewLocal(localHost, web.Visitor{Login: "maria"})
	h := localPages(l)
	require.Equal(t, http.StatusForbidden, ask(h, "GET", "http://"+localHost+"/runs/x", nil, nil).status)

	in := ask(h, "GET", l.Address("/runs/x?diff=split"), nil, nil)
	require.Equal(t, http.StatusSeeOther, in.status)
	require.Equal(t, "/runs/x?diff=split", in.location, "the token is not in the address of the page")
	c := in.cookies
	require.Len(t, c, 1)
	require.Equal(t, "tenon_local_4711", c[0].Name, "two demos do not sign each other out")
	require.True(t, c[0].HttpOnly)
	require.Equal(t, http.SameSiteStrictMode, c[0].SameSite)
	require.NotContains(t, l.Address("/"), c[0].Value)

	page := ask(h, "GET", "http://"+localHost+"/runs/x", c, nil)
	require.Equal(t, http.StatusOK, page.status)
	v, ok := l.Visitor(nil, &http.Request{Header: http.Header{"Cookie": {c[0].Name + "=" + c[0].Value}}})
	require.True(t, ok)
	require.Equal(t, web.Visitor{Login: "maria", Local: true}, v)
	may, err := l.MayRead(nil, port.RepoRef{})
	require.NoError(t, err)
	require.True(t, may)
}

func TestALocalPageLetsNobodyElseIn(t *testing.T) {
	t.Parallel()
	l := web.NewLocal(localHost, web.Visitor{Login: "maria"})
	h := localPages(l)
	c := ask(h, "GET", l.Address("/"), nil, nil).cookies
	other := ask(h, "GET", web.NewLocal(localHost, web.Visitor{}).Address("/"), nil, nil)
	require.Equal(t, http.StatusForbidden, other.status, "the token of another process")
	require.Empty(t, other.cookies)
	require.Equal(t, http.StatusForbidden, ask(h, "GET", "http://"+localHost+"/auth/local?token=", nil, nil).status)
	require.Equal(t, http.StatusForbidden, ask(h, "POST", l.Address("/"), nil, nil).status)
	require.Equal(t, http.StatusForbidden, ask(h, "GET", "http://"+localHost+"/",
		[]*http.Cookie{{Name: c[0].Name, Value: "x"}}, nil).status)
	require.Equal(t, http.StatusNotFound, ask(h, "GET", "http://"+localHost+"/auth/start", c, nil).status)
	for _, host := range []string{"evil.example:4711", "127.0.0.1:4712", "localhost:4711", "127.0.0.1",
		"127.0.0.1:4711.evil.example"} {
		r := httptest.NewRequest("GET", l.Address("/"), nil)
		r.Host = host
		r.AddCookie(c[0])
		got := serve(h, r)
		require.Equal(t, http.StatusMisdirectedRequest, got.status, "a name that was made to lead here: %s", host)
		require.Empty(t, got.cookies)
	}
}

func TestTheAddressOfALocalPageLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	l := web.NewLocal(localHost, web.Visitor{Login: "maria"})
	for _, to := range []string{"https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "",
		"/\t/x"} {
		got := ask(localPages(l), "GET", l.Address(to), nil, nil)
		require.Equal(t, "/", got.location, to)
	}
}

func TestAFormOfALocalPageNeedsItsToken(t *testing.T) {
	t.Parallel()
	l := web.NewLocal(localHost, web.Visitor{Login: "maria"})
	h := localPages(l)
	c := ask(h, "GET", l.Address("/"), nil, nil).cookies
	undo := "http://" + localHost + "/runs/x/undo"
	require.Equal(t, http.StatusForbidden, ask(h, "POST", undo, c, nil).status)
	require.Equal(t, http.StatusForbidden, ask(h, "POST", undo, c, url.Values{"csrf_token": {"x"}}).status)
	require.Equal(t, http.StatusForbidden, ask(h, "POST", undo+"?csrf_token="+l.FormToken(nil), c, nil).status,
		"in the body, not in an address")
	long := url.Values{"x": {strings.Repeat("x", 1<<20)}, "csrf_token": {l.FormToken(nil)}}
	require.Equal(t, http.StatusForbidden, ask(h, "POST", undo, c, long).status)
	require.Equal(t, http.StatusOK, ask(h, "POST", undo, c, url.Values{"csrf_token": {l.FormToken(nil)}}).status)
}

func TestTheFirstPageOfLocalPagesIsThatOfTheNewestAddress(t *testing.T) {
	t.Parallel()
	l := web.NewLocal(localHost, web.Visitor{Login: "maria"})
	h := localPages(l)
	cookies := ask(h, "GET", l.Address("/runs/x"), nil, nil).cookies
	l.Address("/runs/y")
	require.Equal(t, "/runs/y", ask(h, "GET", "http://"+localHost+"/", cookies, nil).location)
	require.Equal(t, http.StatusForbidden, ask(h, "GET", "http://"+localHost+"/", nil, nil).status, "a stranger")
}
