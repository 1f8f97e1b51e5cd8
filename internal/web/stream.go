package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// keepAlive is how often a stream says something at least, so that nothing on the way closes it.
	keepAlive = 15 * time.Second
	// patience bounds how long a watcher may take for what it is sent.
	patience = 30 * time.Second
	// askAgain is how often a stream asks whether the visitor may still read the repository.
	askAgain = time.Minute
	// streamLife bounds a stream. The browser opens another, as whoever is signed in then.
	streamLife = 10 * time.Minute
)

// live streams what changes on the page of a run, as server-sent events:
//
//	reply    {"reply", "from", "to", "text"}: text for the end of a reply that has from bytes, and then has to
//	section  {"id", "in", "html"}: an element to replace, or to add at the end of the element in; without html, to remove
//	end      {}: nothing more will change
//
// The id of an event is the place up to which the watcher has seen all.
func (p *pages) live(w http.ResponseWriter, r *http.Request) {
	v, ok := p.Visitors.Visitor(w, r)
	if !ok {
		http.Error(w, "sign in, and reload the page", http.StatusUnauthorized)
		return
	}
	hidden, err := p.hides(r, v, r.PathValue("id"))
	if err != nil {
		p.fail(w, r, v, err)
		return
	}
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		return
	}
	if !p.streams.open(v.ID) {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer p.streams.close(v.ID)
	closing := p.streams.closing(r)
	ctx, cancel := context.WithTimeout(r.Context(), streamLife)
	defer cancel()
	k := kind{r.PathValue("id"), hidden, splits(r)}
	m := p.rooms.enter(k)
	defer p.rooms.leave(k, m)

	after := r.Header.Get("Last-Event-ID")
	if after == "" {
		after = r.URL.Query().Get("after")
	}
	s := &stream{w: w, control: http.NewResponseController(w), at: readPlace(after)}
	_ = s.control.SetReadDeadline(time.Time{}) // that of the request; a recorder has none
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("X-Accel-Buffering", "no")
	s.send(": tenon\nretry: 2000\n\n")
	s.follow(ctx, func() (*snapshot, <-chan struct{}) { return p.rooms.look(m) }, closing, func() bool {
		now, err := p.hides(r, v, k.run)
		return err == nil && now == k.hidden
	})
}

// stream is one watcher.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	at      place
	// has are the hashes of the sections that the watcher has; nil before it has got any.
	has map[string]uint64
	err error
}

// follow sends what changes until ctx ends, the server closes, the run has ended, the watcher is gone, or may not see
// it any more.
func (s *stream) follow(ctx context.Context, look func() (*snapshot, <-chan struct{}), closing <-chan struct{},
	may func() bool,
) {
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	asked := time.Now()
	for s.err == nil {
		if time.Since(asked) > askAgain {
			if !may() {
				return
			}
			asked = time.Now()
		}
		shot, changed := look()
		if shot != nil {
			s.show(shot)
			if shot.ended {
				s.event("end", struct{}{})
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-closing:
			return
		case <-changed:
		case <-alive.C:
			s.send(": still here\n\n")
		}
	}
}

// show sends what a watcher lacks of a snapshot.
func (s *stream) show(shot *snapshot) {
	known := s.has != nil || s.at.digest == shot.digest
	var news []string // of which most are shared with other watchers: they are not copied
	for _, one := range shot.sections {
		if known && (s.has == nil || s.has[one.ID] == one.hash) {
			continue
		}
		news = append(news, one.event())
		if one.ID == fmt.Sprintf("reply-%d", shot.reply) { // it has the text so far
			s.at.reply, s.at.length = shot.reply, len(shot.text)
		}
	}
	for id := range s.has {
		if _, ok := shot.hashes[id]; !ok {
			news = append(news, eventOf("section", map[string]any{"id": id}))
		}
	}
	if s.at.reply != shot.reply {
		s.at.reply, s.at.length = shot.reply, 0
	}
	if from := s.at.length; shot.reply > 0 && from < len(shot.text) {
		s.at.length = len(shot.text)
		news = append(news, eventOf("reply", map[string]any{"reply": shot.reply, "from": from, "to": len(shot.text),
			"text": plainAll(shot.text[from:])}))
	}
	s.has, s.at.digest = shot.hashes, shot.digest
	if len(news) > 0 {
		s.send(append(news, "id: "+s.at.String()+"\n\n")...)
	}
}

// event sends one event.
func (s *stream) event(name string, data any) { s.send(eventOf(name, data)) }

func (s *stream) send(text ...string) {
	if s.err != nil {
		return
	}
	if err := s.control.SetWriteDeadline(time.Now().Add(patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		s.err = err
		return
	}
	for _, piece := range text {
		if _, s.err = io.WriteString(s.w, piece); s.err != nil {
			return
		}
	}
	s.err = s.control.Flush()
}
