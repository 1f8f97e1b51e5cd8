package web

import (
	"crypto/sha256"
	"encoding/json"
	"html/template"
	"sync"
)

// maxPainted bounds the diffs that are kept, in bytes.
const maxPainted = 8 << 20

// painted keeps diffs that were rendered, as colours take long. The zero value keeps none yet. Safe for concurrent use.
type painted struct {
	mu    sync.Mutex
	size  int
	diffs map[paintKey]template.HTML
}

// paintKey is what a diff is rendered from.
type paintKey [sha256.Size]byte

// keyOf returns the key of what is rendered in one of several ways.
func keyOf(way, path string, value any) paintKey {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{way, path, value}); err != nil {
		panic(err) // values of package view are JSON
	}
	return paintKey(h.Sum(nil))
}

// get returns a diff as it was rendered.
func (p *painted) get(key paintKey) (html template.HTML, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	html, ok = p.diffs[key]
	return html, ok
}

// put keeps a diff as it was rendered. When there are too many, all others are dropped.
func (p *painted) put(key paintKey, html template.HTML) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.size += len(html); p.diffs == nil || p.size > maxPainted {
		p.diffs, p.size = map[paintKey]template.HTML{}, len(html)
	}
	p.diffs[key] = html
}
