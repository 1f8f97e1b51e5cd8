package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// facts are what a server can do.
type facts struct {
	// v2 says that it speaks protocol v2; the rest is about that, and zero otherwise.
	v2       bool
	filter   bool // fetch takes filters
	format   string
	detailed bool // it named its object format
}

// full says that the server can do all that is wanted of it.
func (f facts) full() bool { return f.v2 && f.filter && f.format == "sha1" }

// factBook remembers the facts of the one host that Options.BaseURL names, once one of its repositories could do everything.
// Filters and hashes are a repository's own settings: one that differs has its own entry. Safe for concurrent use.
type factBook struct {
	mu    sync.Mutex
	host  *facts
	repos map[string]facts
	// askPush says that the host wants its receive-pack advertisement asked for before a push.
	askPush bool
}

func (b *factBook) find(url string) (facts, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if f, ok := b.repos[url]; ok {
		return f, true
	}
	if b.host == nil {
		return facts{}, false
	}
	return *b.host, true
}

// maxOddRepos bounds the entries of repositories that differ from their host.
const maxOddRepos = 10_000

func (b *factBook) set(url string, f facts) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.host == nil && f.full() {
		b.host = &f
		return
	}
	if b.repos == nil || len(b.repos) >= maxOddRepos {
		b.repos = map[string]facts{}
	}
	b.repos[url] = f
}

func (b *factBook) asksPush() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.askPush
}

func (b *factBook) setAsksPush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.askPush = true
}

// learn returns what the server can do; fresh says that it was asked just now, for this repository.
func (r *remote) learn(ctx context.Context) (f facts, fresh bool, err error) {
	if f, ok := r.facts.find(r.url); ok {
		return f, false, nil
	}
	f, err = r.ask(ctx)
	return f, true, err
}

// ask fetches the capability advertisement and remembers it.
func (r *remote) ask(ctx context.Context) (facts, error) {
	body, err := r.do(ctx, call{service: uploadPack, v2: true, most: r.limits.RefBytes})
	if err != nil {
		return facts{}, fmt.Errorf("asking what the git server can do: %w", err)
	}
	defer body.done()
	f, err := readFacts(newPacketReader(body))
	if err != nil {
		return facts{}, fmt.Errorf("asking what the git server can do: %w", err)
	}
	r.facts.set(r.url, f)
	return f, f.check()
}

// readFacts reads a capability advertisement of protocol v2; anything else that is an advertisement gives the zero facts.
func readFacts(p *packetReader) (facts, error) {
	_, first, err := firstLine(p)
	if err != nil || first != "version 2" {
		return facts{}, err
	}
	f := facts{v2: true, format: "sha1"}
	for {
		kind, line, err := p.line()
		if err != nil {
			return facts{}, err
		}
		if kind != packetData {
			return f, nil
		}
		name, value, _ := strings.Cut(line, "=")
		switch name {
		case "fetch":
			f.filter = strings.Contains(" "+value+" ", " filter ")
		case "object-format":
			f.format, f.detailed = value, true
		}
	}
}

// firstLine returns the first line of an advertisement, past the "# service=" that opens it; an empty list has none.
func firstLine(p *packetReader) (packet, string, error) {
	kind, line, err := p.line()
	if err != nil || kind != packetData || !strings.HasPrefix(line, "# service=") {
		return kind, line, err
	}
	if kind, _, err = p.line(); err != nil {
		return kind, "", err
	}
	if kind != packetFlush {
		return kind, "", garbled("an advertisement without a flush after its head")
	}
	return p.line()
}

func (f facts) check() error {
	if f.v2 && f.format != "sha1" {
		return errFormat
	}
	return nil
}

// errFormat refuses repositories whose objects have longer names.
var errFormat = refused("This repository names its objects by SHA-256; tenon works on repositories with SHA-1 names only.")

// command begins a request of protocol v2.
func (f facts) command(name string) *packetWriter {
	w := &packetWriter{}
	w.linef("command=%s\n", name)
	if f.detailed {
		w.linef("object-format=%s\n", f.format)
	}
	w.delim()
	return w
}

// retriable says that asking the server anew, without what the cache knows, may heal err.
func retriable(err error) bool {
	var nonsense *protocolError
	var said *saidError
	return errors.As(err, &nonsense) || errors.As(err, &said) || errors.Is(err, errMissing) || errors.Is(err, io.ErrUnexpectedEOF)
}
