package web

import (
	"net/http"
	"strconv"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
)

// runRoutes adds the pages of a run.
func (p *pages) runRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /runs/{id}", p.signed(p.showRun))
	mux.HandleFunc("GET /runs/{id}/live", p.live)
	mux.HandleFunc("GET /runs/{id}/blocks/{n}", p.signed(p.showBlock))
	mux.HandleFunc("GET /runs/{id}/replies/{n}", p.signed(p.showReply))
	if p.Acts != nil {
		mux.HandleFunc("POST /runs/{id}/{act}", p.signed(p.act))
	}
}

const (
	// maxID bounds the id of a run in a path, in bytes.
	maxID = 100
	// refresh is after how long a page without JavaScript is loaded again while its run goes on, in seconds.
	refresh = 5
)

// run reads the run that the path of a request names, for its visitor: port.ErrNotFound if there is none, or they may
// not read its repository. Operators see it then without its sources.
func (p *pages) run(r *http.Request, v Visitor) (view.Run, error) {
	id := r.PathValue("id")
	hidden, err := p.hides(r, v, id)
	if err != nil {
		return view.Run{}, err
	}
	return p.Runs.Run(r.Context(), id, hidden)
}

// runPage is what the page of a run shows.
type runPage struct {
	Run   view.Run
	Split bool
	// Sections are the parts of the page by their ids, Blocks and Replies those of which there are many.
	Sections        map[string]section
	Blocks, Replies []section
	// Stream is where what changes is told; empty for a run that has ended.
	Stream string
	Acts   bool
}

func (p *pages) showRun(w http.ResponseWriter, r *http.Request, v Visitor) error {
	run, err := p.run(r, v)
	if err != nil {
		return err
	}
	split := splits(r)
	shot, err := p.snapshot(run, split, nil)
	if err != nil {
		return err
	}
	page := runPage{Run: run, Split: split, Sections: map[string]section{}, Acts: p.Acts != nil && !run.Hidden}
	for _, s := range shot.sections {
		switch s.In {
		case inBlocks:
			page.Blocks = append(page.Blocks, s)
		case inReplies:
			page.Replies = append(page.Replies, s)
		default:
			page.Sections[s.ID] = s
		}
	}
	s := p.sheet(r, v, titleOf(run), nil)
	if !shot.ended {
		s.Refresh = refresh
		page.Stream = "/runs/" + run.ID + "/live?after=" + shot.place(len(shot.text)).String()
		if split {
			page.Stream += "&diff=split"
		}
	}
	s.Data = page
	p.show(w, http.StatusOK, "run.html", s)
	return nil
}

// splits reports whether a request asks for diffs side by side.
func splits(r *http.Request) bool { return r.URL.Query().Get("diff") == "split" }

// titleOf names a run by what it is about: "fix in acme/shop#12".
func titleOf(run view.Run) string {
	what := run.Request.Verb
	if what == "" {
		what = "Run " + run.ID
	}
	if repo := run.Request.Repo; repo.Name != "" {
		what += " in " + repo.String()
		if n := run.Request.Thread.Number; n > 0 {
			what += "#" + strconv.Itoa(n)
		}
	}
	return what
}

// inFragment reports whether the script asks for a part of a page, and not a browser for a page.
func inFragment(r *http.Request) bool { return r.Header.Get("X-Fragment") != "" }

func (p *pages) showBlock(w http.ResponseWriter, r *http.Request, v Visitor) error {
	run, err := p.run(r, v)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	for _, b := range run.Blocks {
		if err == nil && b.Number == n {
			html, err := p.newPress(splits(r), workForPart).whole(run, b)
			if err != nil {
				return err
			}
			p.part(w, r, v, run, "Block "+strconv.Itoa(n)+" of "+titleOf(run), html)
			return nil
		}
	}
	return port.ErrNotFound
}

func (p *pages) showReply(w http.ResponseWriter, r *http.Request, v Visitor) error {
	run, err := p.run(r, v)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	for i, reply := range run.Replies {
		if err == nil && i+1 == n {
			html, err := p.newPress(false, 0).reply(run, i, reply, true)
			if err != nil {
				return err
			}
			p.part(w, r, v, run, "Reply "+strconv.Itoa(n)+" of "+titleOf(run), html)
			return nil
		}
	}
	return port.ErrNotFound
}

// part shows a section of a run: alone to the script, and else on a page.
func (p *pages) part(w http.ResponseWriter, r *http.Request, v Visitor, run view.Run, title string, s section) {
	if inFragment(r) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(s.HTML))
		return
	}
	p.show(w, http.StatusOK, "part.html", p.sheet(r, v, title, map[string]any{"Run": run, "Title": title, "HTML": s.HTML}))
}
