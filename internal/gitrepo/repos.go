package gitrepo

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/retry"
)

// Options configure Repos. The zero value works for github.com without a token.
type Options struct {
	// BaseURL is the prefix of the repositories' URLs, <BaseURL>owner/name.git. Default "https://github.com/".
	BaseURL string
	// Token returns the token for a repository, to read or to write; nil sends no token.
	Token func(ctx context.Context, repo port.RepoRef, write bool) (string, error)
	// Refused is told of a token that the server refused, so that Token returns another one, with which the request is
	// sent once more. nil: it is not sent again.
	Refused func(repo port.RepoRef, write bool, token string)
	// HTTP sends the requests. One redirect is followed, to another repository below BaseURL. Default http.DefaultClient.
	HTTP *http.Client
	// CacheBytes bounds what is kept of all repositories in memory: five sixths are for trees and names of files, the
	// rest for contents of files. Default 96 MiB.
	CacheBytes int64
	// CacheDir is a folder for a cache of the trees on the disk; empty for none. It can be emptied at any time. It
	// contains the names of the files of the repositories that were opened, until nobody has used them for DiskTime.
	CacheDir string
	// CacheDirBytes bounds CacheDir. Default 1 GiB.
	CacheDirBytes int64
	Limits        Limits
	// Admit waits until there is room in memory for so many bytes of what a server sends, and returns what to call when
	// they were taken in. It is asked for large packs alone. nil admits all.
	Admit func(ctx context.Context, bytes int64) (release func(), err error)
	// Sleep waits for a duration or the end of the context; nil means the real one.
	Sleep func(context.Context, time.Duration) error
	// Now is the clock by which what is in CacheDir grows old; nil means the real one.
	Now func() time.Time
	// Log gets errors of CacheDir. nil discards them.
	Log *slog.Logger
}

// Repos opens repositories on one host. It implements repo.Repos. Safe for concurrent use.
type Repos struct {
	base         string
	client       *http.Client
	token        func(ctx context.Context, repo port.RepoRef, write bool) (string, error)
	refused      func(repo port.RepoRef, write bool, token string)
	admit        func(ctx context.Context, bytes int64) (release func(), err error)
	limits       Limits
	sleep        func(context.Context, time.Duration) error
	capabilities capabilityCache
	told         told
	views        *views
	blobs        *blobs
	disk         *disk // nil if there is none
}

var _ repo.Repos = (*Repos)(nil)

// New returns Repos. It sends no request.
func New(o Options) *Repos {
	if o.BaseURL == "" {
		o.BaseURL = "https://github.com/"
	}
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	setDefault(&o.CacheBytes, 96<<20)
	setDefault(&o.CacheDirBytes, 1<<30)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Sleep == nil {
		o.Sleep = retry.Sleep
	}
	client := *o.HTTP
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Repos{
		base:    strings.TrimSuffix(o.BaseURL, "/") + "/",
		client:  &client,
		token:   o.Token,
		refused: o.Refused,
		admit:   o.Admit,
		limits:  o.Limits.withDefaults(),
		sleep:   o.Sleep,
		views:   &views{limit: o.CacheBytes / 6 * 5, kept: map[string]*keptViews{}},
		blobs:   newBlobs(o.CacheBytes / 6),
		disk:    newDisk(o),
	}
}

// Forget deletes what is kept on the disk of the repositories of an installation.
func (rs *Repos) Forget(installation int64) { rs.disk.forget(installation) }

// Keep deletes from CacheDir what is too old or too much, from time to time, until the context ends.
func (rs *Repos) Keep(ctx context.Context) { rs.disk.keep(ctx) }

// Open makes a clone in memory of one commit: sha, which ref (a full name: "refs/heads/x", "refs/pull/1/head", or
// "HEAD") contains or contained. An empty sha means the commit that ref points to now, which Checkout.SHA returns. If
// the cache has an earlier commit of the repository, the likely files are fetched at the same time, so that Load finds
// them in the cache.
//
// It returns port.ErrNotFound if there is no such repository, ref or commit, port.ErrDenied if the token does not allow
// it, port.ErrMoved if the server sends only what its refs point to, and ref points to another commit, and a
// *port.UserError if the repository is empty (also port.ErrEmpty), uses SHA-256, is too large or is damaged.
func (rs *Repos) Open(ctx context.Context, repo port.RepoRef, ref, sha string, likely ...string) (
	repo.Checkout, error,
) {
	return rs.openAs(ctx, repo, repo, ref, sha, likely)
}

// openAs opens a commit of a repository with the tokens for access.
func (rs *Repos) openAs(ctx context.Context, repo, access port.RepoRef, ref, sha string, likely []string) (
	repo.Checkout, error,
) {
	c, err := rs.open(ctx, repo, access, ref, sha, likely)
	if err != nil {
		return nil, fmt.Errorf("opening %s at %s %s: %w", repo, ref, sha, err)
	}
	return c, nil
}

func (rs *Repos) open(ctx context.Context, repo, access port.RepoRef, ref, sha string, likely []string) (*Checkout,
	error) {
	r, err := rs.remote(repo, access)
	if err != nil {
		return nil, err
	}
	id, err := r.commitID(ctx, ref, sha)
	if err != nil {
		return nil, err
	}
	c := &Checkout{repos: rs, remote: r, ref: ref, likely: likely, in: rs.views.of(r.url), blobs: map[oid][]byte{}}
	if c.view, err = rs.clone(ctx, r, c.in, fetchRequest{ref: ref, at: id}, c.blobs, likely); err != nil {
		return nil, err
	}
	c.root = &folder{node: c.view.root}
	return c, nil
}

// remote returns the remote of a repository for which the tokens of access are used: the repository itself, or the one
// that it is a fork of.
func (rs *Repos) remote(repo, access port.RepoRef) (*remote, error) {
	if !isName(repo.Owner) || !isName(repo.Name) {
		return nil, fmt.Errorf("%q is not the name of a repository", repo)
	}
	return &remote{
		repo: repo, access: access, base: rs.base, url: rs.base + repo.Owner + "/" + repo.Name + ".git",
		client: rs.client, token: rs.token, refused: rs.refused, admit: rs.admit, limits: rs.limits, sleep: rs.sleep,
		capabilities: &rs.capabilities,
	}, nil
}

// isName reports whether s can be the name of an owner or a repository in a URL.
func isName(s string) bool {
	return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\\?#%\x00")
}
