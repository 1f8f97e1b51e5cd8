package web

import (
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/tenon-bot/tenon/bot/port"
)

// localEntry is where a browser brings the token of a Local.
const localEntry = "/auth/local"

// Local lets in whoever has its address, for pages that a program serves on this machine while it runs. It implements
// Visitors. Safe for concurrent use.
type Local struct {
	who  Visitor
	host string
	// token is in the address, session in the cookie that a browser gets for it, form in the forms.
	token, session, form string
	// home is the page of the newest address.
	home atomic.Pointer[string]
}

var _ Visitors = (*Local)(nil)

// NewLocal returns a Local for a server at a host, such as "127.0.0.1:4711", and for one visitor.
func NewLocal(host string, who Visitor) *Local {
	who.Local = true
	return &Local{who: who, host: host, token: rand.Text(), session: rand.Text(), form: rand.Text()}
}

// Address returns the address to open for a page, such as "/runs/k3v9x1p7q2m4". Whoever has it may do what the pages
// offer.
func (l *Local) Address(path string) string {
	l.home.Store(&path)
	query := url.Values{"token": {l.token}, "to": {path}}
	return "http://" + l.host + localEntry + "?" + query.Encode()
}

// Visitor implements Visitors.
func (l *Local) Visitor(_ http.ResponseWriter, r *http.Request) (Visitor, bool) {
	c, err := r.Cookie(l.cookie())
	if err != nil || !same(c.Value, l.session) {
		return Visitor{}, false
	}
	return l.who, true
}

// cookie is the name of the cookie: browsers send those of one port to all.
func (l *Local) cookie() string {
	_, port, _ := strings.Cut(l.host, ":")
	return "tenon_local_" + port
}

// SignIn implements Visitors: there is nothing to sign in with but the address.
func (l *Local) SignIn(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "Open the whole address that tenon printed: it lets this browser in.", http.StatusForbidden)
}

// FormToken implements Visitors.
func (l *Local) FormToken(*http.Request) string { return l.form }

// Handler implements Visitors. It refuses requests to another host: a page elsewhere, whose name was made to lead to
// this machine, would otherwise have the rights of the pages here.
func (l *Local) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		switch {
		case r.Host != l.host:
			http.Error(w, "This server answers at http://"+l.host+" only.", http.StatusMisdirectedRequest)
		case r.URL.Path == localEntry:
			l.enter(w, r)
		case strings.HasPrefix(r.URL.Path, "/auth/"):
			http.NotFound(w, r)
		case r.URL.Path == "/":
			l.front(w, r)
		case r.Method == http.MethodPost && !same(r.PostFormValue("csrf_token"), l.form):
			http.Error(w, "The form is not of this page. Go back, reload the page, and try again.", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// enter exchanges the token of the address for a cookie.
func (l *Local) enter(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !same(r.FormValue("token"), l.token) {
		l.SignIn(w, r)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: l.cookie(), Value: l.session, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	to := r.FormValue("to")
	if !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		to = "/"
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// front leads to the page of the newest address.
func (l *Local) front(w http.ResponseWriter, r *http.Request) {
	home := l.home.Load()
	if _, ok := l.Visitor(w, r); !ok || home == nil || *home == "/" {
		l.SignIn(w, r)
		return
	}
	http.Redirect(w, r, *home, http.StatusSeeOther)
}

// MayRead implements Visitors: whoever runs the program can read what it works on.
func (l *Local) MayRead(*http.Request, port.RepoRef) (bool, error) { return true, nil }

// same compares secrets in a time that does not tell them.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
