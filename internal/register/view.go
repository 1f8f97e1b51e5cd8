package register

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"
)

//go:embed pages
var pages embed.FS

// style is in the pages themselves, so that there is nothing else to request.
//
//go:embed pages/style.css
var style string

// policyOf returns the content security policy of a page: nothing is loaded, nothing is run, nobody frames it, and its
// forms are sent to some places only.
func policyOf(formAction string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action " +
		formAction + "; base-uri 'none'; frame-ancestors 'none'"
}

// problem is a page that says what went wrong.
type problem struct {
	status              int
	Title, Text, Advice string
	// Again is the path of the form, where the person may start again.
	Again string
}

// formView is the page with the form.
type formView struct {
	Form   form
	Faults map[string]string
	// AskGitHub is true if the GitHub can be chosen.
	AskGitHub bool
}

// reviewView is the page that goes to GitHub.
type reviewView struct {
	Form             form
	Name, Hook, Host string
	Organization     string
	Write, Read      []string
	Events           []string
	Warnings         []Warning
	Action, Manifest string
}

// doneView is the last page.
type doneView struct {
	Name, Slug, Owner, Hook, InstallURL, After string
	ID                                         int64
	Mention                                    string
}

func (p *Page) formView(f form, faults map[string]string) formView {
	if f.Account == "" {
		f.Account = "organization"
	}
	return formView{Form: f, Faults: faults, AskGitHub: p.opts.Site.Web == ""}
}

func (p *Page) reviewView(f form, w wish) reviewView {
	v := reviewView{Form: f, Name: w.name, Hook: w.hook, Host: w.site.Host(), Organization: w.organization,
		Events: slices.Sorted(slices.Values(p.manifest.Events))}
	for _, name := range slices.Sorted(maps.Keys(p.manifest.Permissions)) {
		shown := strings.ReplaceAll(name, "_", " ")
		if p.manifest.Permissions[name] == "read" {
			v.Read = append(v.Read, shown)
		} else {
			v.Write = append(v.Write, shown)
		}
	}
	return v
}

func (p *Page) doneView(r Registered) doneView {
	return doneView{Name: r.App.Name, Slug: r.App.Slug, Owner: r.App.Owner, ID: r.App.ID, Hook: r.Hook,
		InstallURL: r.InstallURL(), After: p.opts.After}
}

func (p *Page) problem(w http.ResponseWriter, status int, v problem) {
	p.render(w, status, "problem.html", v)
}

func (p *Page) render(w http.ResponseWriter, status int, name string, data any) {
	var b bytes.Buffer
	t := template.New("").Funcs(template.FuncMap{
		"style": func() template.CSS { return template.CSS(style) }, //nolint:gosec // embedded
		"join":  func(list []string) string { return strings.Join(list, ", ") },
	})
	t, err := t.ParseFS(pages, "pages/layout.html", "pages/"+name)
	if err == nil {
		err = t.ExecuteTemplate(&b, "layout.html", data)
	}
	if err != nil { // a mistake in the pages, which their tests find
		p.opts.Log.Error("showing a page", "error", err)
		http.Error(w, "this page could not be shown; see tenon's log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // the browser may be gone
}
