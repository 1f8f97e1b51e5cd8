// Package settings reads the settings of repositories: the file of a repository, and that in its owner's repository for
// settings, by git.
package settings

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Reader reads the settings of repositories. Safe for concurrent use.
type Reader struct {
	GitHub port.GitHub
	Repos  repo.Repos
	Cache  *Cache
	// Server is the policy of the server, Models are all that it has.
	Server policy.Policy
	Models []port.ModelInfo
	Now    func() time.Time
}

// Policy returns the policy for a repository: that of the server, restricted by the owner's repository for settings and
// by the repository itself, each on its default branch. defaultTip returns the present tip of the default branch of the
// repository; git is asked for it if defaultTip is nil or returns nothing. On an error nothing may be done.
func (r Reader) Policy(ctx context.Context, repo port.RepoRef, defaultTip func() string) (policy.Policy, error) {
	var organisation, own file
	err := port.Together(ctx,
		func() (err error) { organisation, err = r.ofOrganisation(ctx, repo); return err },
		func() (err error) { own, err = r.ofRepository(ctx, repo, defaultTip); return err },
	)
	if err != nil {
		return policy.Policy{}, fmt.Errorf("reading the settings: %w", err)
	}
	p := r.Server
	p.Models = modelsFor(r.Models, p, repo)
	p.Unread = organisation.unread
	p = own.under(organisation.under(p, policy.Organisation), policy.Repository)
	if !p.AllowsModel(p.Model) {
		p.Model = ""
	}
	if !p.AllowsModel(p.ChooseModel) {
		p.ChooseModel = ""
	}
	return p, nil
}

// modelsFor returns the names of the models that a repository may use by the server's settings, those of the policy if
// no model is configured.
func modelsFor(all []port.ModelInfo, p policy.Policy, repo port.RepoRef) []string {
	if len(all) == 0 {
		return p.Models
	}
	names := []string{}
	for _, m := range all {
		if m.Allows(repo) && p.AllowsModel(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// ofRepository reads the repository's own file. The owner's repository for settings has none: its file is the owner's.
func (r Reader) ofRepository(ctx context.Context, ref port.RepoRef, defaultTip func() string) (file, error) {
	if isSettingsRepo(ref) {
		return file{}, nil
	}
	tip := ""
	if defaultTip != nil {
		tip = defaultTip()
	}
	f, err := r.read(ctx, ref, tip)
	if tip != "" && repo.IsGone(err) { // a forced push may have removed the commit
		return r.read(ctx, ref, "")
	}
	return f, err
}

// ofOrganisation reads the file in the owner's repository for settings, if there is one. A file that exists and cannot
// be read may restrict something, so that is an error unless GitHub, asked again, says that the repository is gone or
// out of reach.
func (r Reader) ofOrganisation(ctx context.Context, repo port.RepoRef) (file, error) {
	at, err := r.sibling(ctx, repo)
	if err == nil {
		f, unread := r.read(ctx, at, "")
		if unread == nil {
			return f, nil
		}
		r.Cache.dropSibling(owner{repo.Installation, repo.Owner})
		if _, err = r.sibling(ctx, repo); err == nil {
			return file{}, fmt.Errorf("of %s/%s, which is there: %w", repo.Owner, policy.SettingsRepo, unread)
		}
	}
	switch {
	case errors.Is(err, port.ErrNotFound):
		return file{}, nil
	case errors.Is(err, port.ErrDenied):
		name := markdown.Code(repo.Owner + "/" + policy.SettingsRepo)
		return file{unread: fmt.Sprintf("There is a repository %s, but this app is not installed on it, so what its "+
			"`%s` says is not known, and only the server's settings apply. "+
			"An owner of %s can add it in the settings of the installation, under *Repository access*.", name,
			policy.SettingsPath, markdown.Code(repo.Owner))}, nil
	}
	return file{}, fmt.Errorf("of %s/%s: %w", repo.Owner, policy.SettingsRepo, err)
}

func isSettingsRepo(repo port.RepoRef) bool { return strings.EqualFold(repo.Name, policy.SettingsRepo) }

// sibling finds the owner's repository for settings.
func (r Reader) sibling(ctx context.Context, repo port.RepoRef) (port.RepoRef, error) {
	if isSettingsRepo(repo) {
		return repo, nil
	}
	o, now := owner{repo.Installation, repo.Owner}, r.Now()
	if known, ok := r.Cache.sibling(o); ok && now.Sub(known.at) < siblingTTL {
		return known.repo, known.err
	}
	at, err := r.GitHub.Sibling(ctx, repo, policy.SettingsRepo)
	if err == nil || errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrDenied) {
		r.Cache.keepSibling(o, sibling{at, err, now})
	}
	return at, err
}

// read reads a repository's file at the tip of its default branch. Git is asked for an empty tip, and for a commit
// whose file is not known.
func (r Reader) read(ctx context.Context, ref port.RepoRef, tip string) (file, error) {
	if f, ok := r.Cache.file(policy.SettingsFile{Repo: ref, SHA: tip}); ok {
		return f, nil
	}
	checkout, err := r.Repos.Open(ctx, ref, repo.DefaultRef, tip,
		append([]string{policy.SettingsPath}, retrieve.ConventionNames...)...)
	if errors.Is(err, port.ErrEmpty) {
		return file{}, nil
	}
	if err != nil {
		return file{}, err
	}
	at := policy.SettingsFile{Repo: ref, SHA: checkout.SHA()}
	if f, ok := r.Cache.file(at); ok {
		return f, nil
	}
	f, err := readFile(ctx, checkout)
	if err != nil {
		return file{}, err
	}
	f.at = at
	r.Cache.keepFile(f)
	return f, nil
}
