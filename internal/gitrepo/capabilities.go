package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// capabilities are those of a server for one repository.
type capabilities struct {
	// v2 is true if the server speaks protocol v2. The other fields are about v2, and zero otherwise.
	v2          bool
	filter      bool // fetch accepts filters
	format      string
	namesFormat bool // the server advertised its object format
}

// complete reports whether the server can do everything that this package uses.
func (c capabilities) complete() bool { return c.v2 && c.filter && c.format == "sha1" }

// capabilityCache keeps the capabilities of the server at Options.BaseURL, once those of one repository were complete.
// Filters and hashes are settings of a repository: one that differs has its own entry. Safe for concurrent use.
type capabilityCache struct {
	mu    sync.Mutex
	host  *capabilities
	repos map[string]capabilities // by URL
	// refsBeforePush is true if the server accepts a push only after a request for its receive-pack advertisement.
	refsBeforePush bool
}

func (b *capabilityCache) get(url string) (capabilities, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, ok := b.repos[url]; ok {
		return c, true
	}
	if b.host == nil {
		return capabilities{}, false
	}
	return *b.host, true
}

// maxRepoEntries bounds the entries of repositories that differ from their server.
const maxRepoEntries = 10_000

func (b *capabilityCache) set(url string, c capabilities) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.host == nil && c.complete() {
		b.host = &c
		return
	}
	if b.repos == nil || len(b.repos) >= maxRepoEntries {
		b.repos = map[string]capabilities{}
	}
	b.repos[url] = c
}

func (b *capabilityCache) needsRefsBeforePush() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refsBeforePush
}

func (b *capabilityCache) setRefsBeforePush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.refsBeforePush = true
}

// serverCapabilities returns the server's capabilities; fresh reports whether they were requested just now, for this
// repository.
func (r *remote) serverCapabilities(ctx context.Context) (c capabilities, fresh bool, err error) {
	if c, ok := r.capabilities.get(r.url); ok {
		return c, false, nil
	}
	c, err = r.requestCapabilities(ctx)
	return c, true, err
}

// requestCapabilities requests the capability advertisement and keeps it.
func (r *remote) requestCapabilities(ctx context.Context) (capabilities, error) {
	body, err := r.do(ctx, call{service: uploadPack, v2: true, maxBytes: r.limits.RefBytes})
	if err != nil {
		return capabilities{}, fmt.Errorf("asking for the git server's capabilities: %w", err)
	}
	defer body.close()
	c, err := readCapabilities(newPacketReader(body))
	if err != nil {
		return capabilities{}, fmt.Errorf("asking for the git server's capabilities: %w", err)
	}
	r.capabilities.set(r.url, c)
	return c, c.check()
}

// readCapabilities reads a capability advertisement of protocol v2. For one of another protocol it returns the zero
// value.
func readCapabilities(p *packetReader) (capabilities, error) {
	_, first, err := firstLine(p)
	if err != nil || first != "version 2" {
		return capabilities{}, err
	}
	c := capabilities{v2: true, format: "sha1"}
	for {
		kind, line, err := p.line()
		if err != nil {
			return capabilities{}, err
		}
		if kind != packetData {
			return c, nil
		}
		name, value, _ := strings.Cut(line, "=")
		switch name {
		case "fetch":
			c.filter = strings.Contains(" "+value+" ", " filter ")
		case "object-format":
			c.format, c.namesFormat = value, true
		}
	}
}

// firstLine returns the first line of an advertisement after its "# service=" line. An empty list has none.
func firstLine(p *packetReader) (packet, string, error) {
	kind, line, err := p.line()
	if err != nil || kind != packetData || !strings.HasPrefix(line, "# service=") {
		return kind, line, err
	}
	if kind, _, err = p.line(); err != nil {
		return kind, "", err
	}
	if kind != packetFlush {
		return kind, "", malformed("an advertisement without a flush after its head")
	}
	return p.line()
}

func (c capabilities) check() error {
	if c.v2 && c.format != "sha1" {
		return errFormat
	}
	return nil
}

// errFormat is the error for repositories with longer object names.
var errFormat = userError(
	"This repository uses SHA-256 object names; tenon only works on repositories that use SHA-1.")

// command returns the beginning of a request of protocol v2.
func (c capabilities) command(name string) *packetWriter {
	w := &packetWriter{}
	w.linef("command=%s\n", name)
	if c.namesFormat {
		w.linef("object-format=%s\n", c.format)
	}
	w.delim()
	return w
}

// isRetriable reports whether a request without what is cached may succeed after err.
func isRetriable(err error) bool {
	var protocol *protocolError
	var server *serverError
	return errors.As(err, &protocol) || errors.As(err, &server) ||
		errors.Is(err, errMissing) || errors.Is(err, io.ErrUnexpectedEOF)
}
