package bottest

import "github.com/tenon-bot/tenon/bot/port"

// Links returns the addresses of the pages of a thread's repository.
func (g *GitHub) Links(t port.Thread) port.Links { return g.app().Links(t) }

// Has reports whether GitHub has a feature.
func (g *GitHub) Has(f port.Feature) bool { return g.app().Has(f) }
