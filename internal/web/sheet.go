package web

import (
	"bytes"
	"net/http"
)

// sheet is what the layout shows around a page.
type sheet struct {
	// Title is the title of the page, without the name of the program.
	Title   string
	Visitor Visitor
	// SignedIn says whether there is a visitor, Token what their forms carry in the field "csrf_token".
	SignedIn bool
	Token    string
	// Here is the path of the entry of the menu to which the page belongs; empty if there is none.
	Here string
	// Lists says whether there are lists of runs.
	Lists bool
	// Front leaves out the link to sign in, which the page has itself.
	Front bool
	// Refresh is after how many seconds the page is loaded again where there is no JavaScript; 0 means never.
	Refresh int
	// Data is what the template of the page gets as .Data.
	Data any
}

// sheet returns the sheet of a page for the visitor of a request.
func (p *pages) sheet(r *http.Request, v Visitor, title string, data any) sheet {
	s := sheet{Title: title, Visitor: v, SignedIn: v != Visitor{}, Lists: p.Lists != nil, Data: data}
	if s.SignedIn {
		s.Token = p.Visitors.FormToken(r)
	}
	return s
}

// Menu returns the links to the main pages.
func (s sheet) Menu() []link {
	if !s.SignedIn || !s.Lists {
		return nil
	}
	menu := []link{{"/", "Runs"}, {"/queue", "Queue"}}
	if s.Visitor.Operator {
		menu = append(menu, link{"/dead-letters", "Dead letters"}, link{"/installations", "Installations"})
	}
	return menu
}

// link is a link to a page.
type link struct{ Path, Text string }

// show writes a page. A template that fails shows nothing of it.
func (p *pages) show(w http.ResponseWriter, status int, name string, s sheet) {
	var b bytes.Buffer
	if err := templates[name].ExecuteTemplate(&b, "layout.html", s); err != nil {
		p.Log.Error("a page could not be written", "page", name, "error", err)
		http.Error(w, "tenon could not make this page; the error is in its log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}
