package bottest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// Repos opens the repositories of a GitHub over git. It implements repo.Repos.
type Repos struct {
	github *GitHub
	// base is the repository whose credentials are used for its forks, nil for those of each repository itself.
	base *port.RepoRef
}

var _ repo.Repos = (*Repos)(nil)

// ForksOf returns Repos for the forks of a repository.
func (rs *Repos) ForksOf(base port.RepoRef) repo.Repos {
	rs.github.faults.note(Call{Op: "ForksOf", Text: base.String()})
	return &Repos{rs.github, &base}
}

// fetch returns a repository with the credentials for it, or of the base.
func (rs *Repos) fetch(ctx context.Context, ref port.RepoRef) (*git.Repository, error) {
	with := ref
	if rs.base != nil {
		with = *rs.base
	}
	token, err := rs.github.app().Token(ctx, with, false)
	if err != nil {
		return nil, err
	}
	r, err := rs.github.server.Fetch(ref.String(), token)
	return r, refused(err)
}

// refused returns what the refusal of a request of git means.
func refused(err error) error {
	var no *simhttp.GitRefusal
	switch {
	case !errors.As(err, &no):
		return err
	case no.NotFound():
		return fmt.Errorf("%w: %w", port.ErrNotFound, err)
	}
	return fmt.Errorf("%w: %w", port.ErrDenied, err)
}

// Tips returns the commits that refs point to now.
func (rs *Repos) Tips(ctx context.Context, ref port.RepoRef, names ...string) (map[string]string, error) {
	call := Call{Op: "Tips", Text: ref.String() + " " + strings.Join(names, " ")}
	return do(ctx, rs.github.faults, call, func() (map[string]string, error) {
		r, err := rs.fetch(ctx, ref)
		if err != nil {
			return nil, fmt.Errorf("asking for the refs of %s: %w", ref, err)
		}
		tips := map[string]string{}
		for _, name := range names {
			if !git.ValidRef(name) && name != "HEAD" {
				return nil, fmt.Errorf("asking for the refs of %s: %q is no name of a ref", ref, name)
			}
			if sha, err := resolve(r, name); err == nil {
				tips[name] = sha
			}
		}
		return tips, nil
	})
}

// Open opens a commit of a repository; an empty sha means where ref points now. port.ErrNotFound: no such repository,
// ref or commit. port.ErrEmpty: it has no commit. port.ErrDenied: the installation does not allow it.
func (rs *Repos) Open(ctx context.Context, ref port.RepoRef, name, sha string, _ ...string) (repo.Checkout, error) {
	call := Call{Op: "Open", Text: ref.String() + " " + name}
	return do(ctx, rs.github.faults, call, func() (repo.Checkout, error) { return rs.open(ctx, ref, name, sha) })
}

func (rs *Repos) open(ctx context.Context, ref port.RepoRef, name, sha string) (repo.Checkout, error) {
	r, err := rs.fetch(ctx, ref)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", ref, err)
	}
	if !git.ValidRef(name) && name != "HEAD" {
		return nil, fmt.Errorf("opening %s: %q is no name of a ref", ref, name)
	}
	if sha == "" {
		if sha, err = resolve(r, name); err != nil {
			return nil, fmt.Errorf("opening %s at %s: %w", ref, name, err)
		}
	}
	serves, err := rs.github.server.Serves(ref.String(), sha)
	if err == nil && !serves {
		err = port.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("opening %s at %s: %w", ref, sha, err)
	}
	if rs.base != nil {
		ref = *rs.base // its credentials push to the fork too
	}
	return newCheckout(rs.github, ref, name, r, sha)
}

// resolve returns where a ref points.
func resolve(r *git.Repository, name string) (string, error) {
	if sha := r.Ref(name); sha != "" {
		return sha, nil
	}
	if r.Ref("HEAD") == "" {
		text := "This repository is empty: its default branch has no commit that tenon could start from. " +
			"Push a first commit and ask again."
		return "", fmt.Errorf("%w: %w", port.ErrEmpty, &port.UserError{Text: text})
	}
	return "", fmt.Errorf("there is no %s: %w", name, port.ErrNotFound)
}
