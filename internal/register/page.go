package register

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/appmanifest"
	"github.com/tenon-bot/tenon/internal/config"
)

// Below is the path below which the pages are.
const Below = "/setup"

// callback is where GitHub sends the browser back to.
const callback = Below + "/callback"

// conversionTime bounds the exchange of a code.
const conversionTime = time.Minute

// maxBody bounds the body of a request, in bytes.
const maxBody = 64 << 10

// Options configure a Page.
type Options struct {
	// Site is the GitHub on which the App is registered; if it is the zero value, the page asks for it.
	Site config.Site
	// Organization, Name and Public are what the fields of the page have at first.
	Organization, Name, Public string
	// GitHub and Lookup must be set.
	GitHub GitHub
	Lookup Lookup
	// Save stores the App. After an error it is called again when the person reloads the page, as GitHub hands out the key
	// only once.
	Save func(Registered) error
	// Announce tells people about a new link, of which it gets the path: when the Page is made, and when the link before
	// is not valid any more.
	Announce func(path string)
	// Hosts reports whether a request's Host header may be answered; nil means every one. A page on a loopback address
	// must refuse other names, which other sites could make browsers resolve to it.
	Hosts func(host string) bool
	// After says on the last page what happens now.
	After string
	// Elsewhere answers the requests for all other paths.
	Elsewhere http.Handler
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	Log *slog.Logger
}

// Page is the handler of the pages. Safe for concurrent use.
type Page struct {
	opts     Options
	manifest appmanifest.Manifest
	mux      *http.ServeMux
	// converting is held while a code is exchanged: a browser may ask twice.
	converting sync.Mutex

	mu          sync.Mutex // guards the following
	link        link
	flows       flows
	conversions int
	registered  Registered
	done        chan struct{} // closed when registered is set
}

// New returns a Page with its first link, which it announces.
func New(opts Options) (*Page, error) {
	manifest, err := appmanifest.Read()
	if err != nil {
		return nil, err
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	p := &Page{opts: opts, manifest: manifest, mux: http.NewServeMux(), flows: flows{}, done: make(chan struct{})}
	p.mux.HandleFunc("GET "+Below+"/{token}", p.withToken(p.showForm))
	p.mux.HandleFunc("POST "+Below+"/{token}", p.withToken(p.submit))
	p.mux.HandleFunc("GET "+callback, p.callback)
	p.mux.Handle("/", opts.Elsewhere)
	p.renew()
	return p, nil
}

// Done is closed when the App is registered and saved, and the last page is on its way.
func (p *Page) Done() <-chan struct{} { return p.done }

// Registered returns the App after Done.
func (p *Page) Registered() Registered {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.registered
}

// Run replaces the link when it gets old, until ctx ends or the App is registered.
func (p *Page) Run(ctx context.Context) {
	for tick := time.NewTicker(linkLife); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-p.done:
			tick.Stop()
			return
		case <-tick.C:
			p.renewIfStale()
		}
	}
}

func (p *Page) renewIfStale() {
	p.mu.Lock()
	stale := p.link.stale(p.opts.Now())
	p.mu.Unlock()
	if stale {
		p.renew()
	}
}

// renew makes a new link; the one before is not valid any more.
func (p *Page) renew() {
	p.mu.Lock()
	p.link = newLink(p.opts.Now())
	p.conversions = 0
	path := Below + "/" + p.link.token
	p.mu.Unlock()
	p.opts.Announce(path)
}

// ServeHTTP answers a request.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policyOf("'self'"))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Cache-Control", "no-store")
	// Of this page's address, GitHub learns the host, which is in the manifest too. With "no-referrer", browsers would
	// also send "Origin: null", by which forms are refused in many places.
	h.Set("Referrer-Policy", "strict-origin")
	if p.opts.Hosts != nil && !p.opts.Hosts(r.Host) {
		http.Error(w, "This page is for the machine that it is on: open it by the address that tenon printed.",
			http.StatusMisdirectedRequest)
		return
	}
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		http.Error(w, "This form was sent by another site.", http.StatusForbidden)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	p.mux.ServeHTTP(w, r)
}

// withToken lets requests with the token of the link through.
func (p *Page) withToken(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p.renewIfStale()
		p.mu.Lock()
		opens := p.link.opens(r.PathValue("token"))
		p.mu.Unlock()
		if !opens {
			p.problem(w, http.StatusNotFound, problem{Title: "This link does not work",
				Text: "It is valid for an hour, and until the App is registered. The newest link is in tenon's log, or in the " +
					"terminal in which tenon setup runs."})
			return
		}
		next(w, r)
	}
}

// linkPath returns the path of the form.
func (p *Page) linkPath() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Below + "/" + p.link.token
}

func (p *Page) showForm(w http.ResponseWriter, r *http.Request) {
	f := form{Organization: p.opts.Organization, Name: p.opts.Name, Public: p.opts.Public}
	if f.Public == "" && p.opts.Hosts == nil {
		f.Public = guessPublic(origin(r))
	}
	if f.GitHub = p.opts.Site.Web; f.GitHub == "" {
		f.GitHub = "https://github.com/"
	}
	p.render(w, http.StatusOK, "form.html", p.formView(f, nil))
}

// submit checks the form, and shows what GitHub will be asked for and the button that goes there.
func (p *Page) submit(w http.ResponseWriter, r *http.Request) {
	f, err := readForm(r)
	if err != nil {
		p.problem(w, http.StatusBadRequest, problem{Title: "The form could not be read", Text: "It is too large, or damaged.",
			Again: p.linkPath()})
		return
	}
	if r.PostForm.Has("change") {
		p.render(w, http.StatusOK, "form.html", p.formView(f, nil))
		return
	}
	wish, faults := p.check(r.Context(), f)
	if len(faults) > 0 {
		p.render(w, http.StatusUnprocessableEntity, "form.html", p.formView(f, faults))
		return
	}
	text, err := manifestJSON(p.manifest, wish.name, wish.hook, origin(r)+callback)
	if err != nil {
		p.opts.Log.ErrorContext(r.Context(), "setup", "error", err)
		http.Error(w, "the manifest could not be made; see tenon's log", http.StatusInternalServerError)
		return
	}
	p.mu.Lock()
	state := p.flows.begin(&flow{site: wish.site, hook: wish.hook, begun: p.opts.Now()})
	p.mu.Unlock()
	v := p.reviewView(f, wish)
	v.Manifest, v.Action = text, wish.newAppURL()+"?"+url.Values{"state": {state}}.Encode()
	v.Warnings = suspicions(r.Context(), wish.hook, wish.site, p.opts.Lookup)
	// GitHub may send the browser on to where people sign in; browsers apply the policy to that too.
	w.Header().Set("Content-Security-Policy", policyOf("'self' https: "+strings.TrimSuffix(wish.site.Web, "/")))
	p.render(w, http.StatusOK, "review.html", v)
}

// origin returns the scheme and host by which the browser sees this page. Behind a proxy, only the browser may know.
func origin(r *http.Request) string {
	if u, err := url.Parse(r.Header.Get("Origin")); err == nil && (u.Scheme == "https" || u.Scheme == "http") &&
		isHost(u.Hostname()) && u.User == nil && u.Path == "" {
		return u.Scheme + "://" + u.Host
	}
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}

// callback takes the code that GitHub sends the browser back with.
func (p *Page) callback(w http.ResponseWriter, r *http.Request) {
	code, state := r.URL.Query().Get("code"), r.URL.Query().Get("state")
	p.converting.Lock()
	defer p.converting.Unlock()
	p.mu.Lock()
	f := p.flows.find(state, p.opts.Now())
	p.mu.Unlock()
	if p.isDone() && (f == nil || f.app == nil) {
		p.problem(w, http.StatusGone, problem{Title: "tenon is set up", Text: "Its App is registered already."})
		return
	}
	if f == nil {
		p.problem(w, http.StatusBadRequest, problem{Title: "Nothing was asked for, or too long ago",
			Text: "GitHub's answer belongs to no request that this server has made in the last hour. Open the newest link in " +
				"tenon's log, and start again."})
		return
	}
	if f.app == nil {
		if trouble := p.convert(r.Context(), f, code); trouble != nil {
			p.problem(w, trouble.status, *trouble)
			return
		}
	}
	registered := Registered{App: *f.app, Site: f.site, Hook: f.hook}
	if !p.isDone() {
		if err := p.opts.Save(registered); err != nil {
			p.opts.Log.ErrorContext(r.Context(), "the App is registered, and could not be saved", "error", err)
			p.problem(w, http.StatusInternalServerError, problem{Title: "The App is registered, but could not be saved",
				Text: clip(err.Error()), Advice: "Correct this while tenon is running, then reload this page: GitHub hands out " +
					"the App's key only once. If you stop tenon now, delete the App on GitHub and start again."})
			return
		}
		p.opts.Log.InfoContext(r.Context(), "the GitHub App is registered", "app", f.app.Slug, "app_id", f.app.ID,
			"owner", f.app.Owner)
	}
	p.render(w, http.StatusOK, "done.html", p.doneView(registered))
	p.finish(registered)
}

// convert exchanges the code of a flow.
func (p *Page) convert(ctx context.Context, f *flow, code string) *problem {
	if code == "" || len(code) > maxField {
		return &problem{status: http.StatusBadRequest, Title: "No App was registered", Text: "GitHub sent no code.",
			Again: p.linkPath()}
	}
	p.mu.Lock()
	p.conversions++
	tooMany := p.conversions > maxConversions
	p.mu.Unlock()
	if tooMany {
		return &problem{status: http.StatusTooManyRequests, Title: "Too many attempts",
			Text: "Wait until tenon has logged a new link, or restart it."}
	}
	// GitHub hands out the key once: that the browser went away must not lose it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), conversionTime)
	defer cancel()
	app, err := p.opts.GitHub.Convert(ctx, f.site, code)
	if err == nil {
		err = app.check()
	}
	switch {
	case errors.Is(err, ErrCode):
		p.mu.Lock()
		p.flows.end(f)
		p.mu.Unlock()
		return &problem{status: http.StatusBadRequest, Title: "GitHub does not accept the code any more",
			Text: "It can be used once, within an hour. If an App was created without tenon getting its key, delete it on " +
				"GitHub.", Again: p.linkPath()}
	case err != nil:
		p.opts.Log.ErrorContext(ctx, "registering the App", "error", err)
		return &problem{status: http.StatusBadGateway, Title: "The App's key did not arrive", Text: clip(err.Error()),
			Advice: "Reload this page to try again; the code is valid for an hour."}
	}
	p.mu.Lock()
	f.app = &app
	p.mu.Unlock()
	return nil
}

func (p *Page) isDone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *Page) finish(registered Registered) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isDone() {
		p.registered = registered
		close(p.done)
	}
}
