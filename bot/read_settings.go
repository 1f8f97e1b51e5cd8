package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

const (
	// siblingTTL is how long it is remembered whether an owner has a repository for settings; its content is read each
	// time. It bounds for how long one that was just made is missed, where GitHub does not tell this process of it.
	siblingTTL = 10 * time.Minute
	// maxCachedSettings bounds the cache of settings, in files and in owners.
	maxCachedSettings = 512
)

// settingsReader reads the settings of repositories.
type settingsReader struct {
	github port.GitHub
	repos  repo.Repos
	cache  *settingsCache
	now    func() time.Time
}

// settings is what one repository's file says.
type settings struct {
	file     policy.SettingsFile
	layer    policy.Layer
	problems []policy.Problem
	// found reports whether there is such a file. unread is why that is unknown: the owner's repository is out of reach.
	found  bool
	unread string
}

// settingsCache remembers settings by commit, and owners' repositories for a while. The zero value is ready; safe for
// concurrent use.
type settingsCache struct {
	mu       sync.Mutex
	files    map[policy.SettingsFile]settings
	siblings map[owner]sibling
}

// owner is an owner as an installation sees it.
type owner struct {
	installation int64
	name         string
}

// sibling is the owner's repository for settings, as it was at a time; err is port.ErrNotFound, port.ErrDenied or nil.
type sibling struct {
	repo port.RepoRef
	err  error
	at   time.Time
}

// RepositoriesChanged forgets what is known of the repositories of an installation, one of which may have been made or
// removed.
func (b *Bot) RepositoriesChanged(installation int64) { b.cache.dropInstallation(installation) }

// ForgetRepositories is RepositoriesChanged for all installations.
func (b *Bot) ForgetRepositories() { b.cache.dropSiblings() }

// policyOf returns the policy for an event: that of the server, restricted by the owner's repository for settings and
// by the event's own, each on its default branch. On an error nothing may be done.
func (b *Bot) policyOf(ctx context.Context, ev port.Event) (policy.Policy, error) {
	return b.policyAt(ctx, ev, nil)
}

// policyAt is policyOf with the present tip of the default branch of the event's repository, unless that is nil or
// returns nothing: then git is asked for it.
func (b *Bot) policyAt(ctx context.Context, ev port.Event, defaultTip func() string) (policy.Policy, error) {
	r := settingsReader{github: b.GitHub, repos: b.Repos, cache: &b.cache, now: b.Now}
	var organisation, own settings
	err := together(ctx,
		func() (err error) { organisation, err = r.ofOrganisation(ctx, ev.Repo); return err },
		func() (err error) { own, err = r.ofRepository(ctx, ev.Repo, defaultTip); return err },
	)
	if err != nil {
		return policy.Policy{}, fmt.Errorf("reading the settings: %w", err)
	}
	p := b.Policy
	p.Models = modelsFor(b.Models, p, ev.Repo)
	p.Unread = organisation.unread
	p = withFile(withFile(p, policy.Organisation, organisation), policy.Repository, own)
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

// withFile returns the policy with a file's settings below it.
func withFile(p policy.Policy, from policy.Origin, s settings) policy.Policy {
	p.Problems = slices.Clip(p.Problems)
	for _, problem := range s.problems {
		problem.Source = from
		p.Problems = append(p.Problems, problem)
	}
	if !s.found {
		return p
	}
	p.Files = maps.Clone(p.Files)
	if p.Files == nil {
		p.Files = map[policy.Origin]policy.SettingsFile{}
	}
	p.Files[from] = s.file
	return p.Under(from, s.layer)
}

// ofRepository reads the repository's own file. The owner's repository for settings has none: its file is the owner's.
func (r settingsReader) ofRepository(ctx context.Context, repo port.RepoRef, defaultTip func() string) (settings,
	error) {
	if isSettingsRepo(repo) {
		return settings{}, nil
	}
	tip := ""
	if defaultTip != nil {
		tip = defaultTip()
	}
	s, err := r.read(ctx, repo, tip)
	if tip != "" && isGone(err) { // a forced push may have removed the commit
		return r.read(ctx, repo, "")
	}
	return s, err
}

// ofOrganisation reads the file in the owner's repository for settings, if there is one. A file that exists and cannot
// be read may restrict something, so that is an error unless GitHub, asked again, says that the repository is gone or
// out of reach.
func (r settingsReader) ofOrganisation(ctx context.Context, repo port.RepoRef) (settings, error) {
	at, err := r.sibling(ctx, repo)
	if err == nil {
		s, unread := r.read(ctx, at, "")
		if unread == nil {
			return s, nil
		}
		r.cache.dropSibling(owner{repo.Installation, repo.Owner})
		if _, err = r.sibling(ctx, repo); err == nil {
			return settings{}, fmt.Errorf("of %s/%s, which is there: %w", repo.Owner, policy.SettingsRepo, unread)
		}
	}
	switch {
	case errors.Is(err, port.ErrNotFound):
		return settings{}, nil
	case errors.Is(err, port.ErrDenied):
		name := markdown.Code(repo.Owner + "/" + policy.SettingsRepo)
		return settings{unread: fmt.Sprintf("There is a repository %s, but this app is not installed on it, so what its "+
			"`%s` says is not known, and only the server's settings apply. "+
			"An owner of %s can add it in the settings of the installation, under *Repository access*.", name,
			policy.SettingsPath, markdown.Code(repo.Owner))}, nil
	}
	return settings{}, fmt.Errorf("of %s/%s: %w", repo.Owner, policy.SettingsRepo, err)
}

func isSettingsRepo(repo port.RepoRef) bool { return strings.EqualFold(repo.Name, policy.SettingsRepo) }

// sibling finds the owner's repository for settings.
func (r settingsReader) sibling(ctx context.Context, repo port.RepoRef) (port.RepoRef, error) {
	if isSettingsRepo(repo) {
		return repo, nil
	}
	o, now := owner{repo.Installation, repo.Owner}, r.now()
	if known, ok := r.cache.sibling(o); ok && now.Sub(known.at) < siblingTTL {
		return known.repo, known.err
	}
	at, err := r.github.Sibling(ctx, repo, policy.SettingsRepo)
	if err == nil || errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrDenied) {
		r.cache.keepSibling(o, sibling{at, err, now})
	}
	return at, err
}

// read reads a repository's file at the tip of its default branch. Git is asked for an empty tip, and for a commit
// whose file is not known.
func (r settingsReader) read(ctx context.Context, repo port.RepoRef, tip string) (settings, error) {
	if s, ok := r.cache.file(policy.SettingsFile{Repo: repo, SHA: tip}); ok {
		return s, nil
	}
	checkout, err := r.repos.Open(ctx, repo, defaultRef, tip,
		append([]string{policy.SettingsPath}, retrieve.ConventionNames...)...)
	if errors.Is(err, port.ErrEmpty) {
		return settings{}, nil
	}
	if err != nil {
		return settings{}, err
	}
	at := policy.SettingsFile{Repo: repo, SHA: checkout.SHA()}
	if s, ok := r.cache.file(at); ok {
		return s, nil
	}
	s, err := readSettings(ctx, checkout)
	if err != nil {
		return settings{}, err
	}
	s.file = at
	r.cache.keepFile(s)
	return s, nil
}

// readSettings reads the file of a checkout. Anything else at its path may have restricted something, so it closes.
func readSettings(ctx context.Context, checkout repo.Checkout) (settings, error) {
	kind, err := checkout.Kind(policy.SettingsPath)
	if err != nil {
		return settings{}, fmt.Errorf("looking for %s: %w", policy.SettingsPath, err)
	}
	switch kind {
	case engine.Absent:
		return misnamed(checkout)
	case engine.File:
	default:
		return unusable("is not a plain file; replace it with one, not a link"), nil
	}
	if err := checkout.Load(ctx, policy.SettingsPath); err != nil {
		return settings{}, fmt.Errorf("loading %s: %w", policy.SettingsPath, err)
	}
	data, err := checkout.ReadFile(policy.SettingsPath)
	switch {
	case errors.Is(err, engine.ErrTooLarge) || len(data) > policy.MaxSettings:
		return unusable("is larger than 64 KiB, and settings take a few lines"), nil
	case err != nil:
		return settings{}, err
	}
	layer, problems := policy.Parse(data)
	return settings{layer: layer, problems: problems, found: true}, nil
}

func unusable(why string) settings {
	return settings{found: true, problems: []policy.Problem{{Text: why, Closes: true}}}
}

// misnamed looks for a file that somebody meant as the settings.
func misnamed(checkout repo.Checkout) (settings, error) {
	const other = ".github/tenon.yaml"
	kind, err := checkout.Kind(other)
	if err != nil {
		return settings{}, fmt.Errorf("looking for %s: %w", other, err)
	}
	if kind == engine.Absent {
		return settings{}, nil
	}
	return settings{problems: []policy.Problem{{Text: policy.SettingsPath + " does not exist, but " + other +
		" does, which tenon does not read; rename it"}}}, nil
}

func (k *settingsCache) file(at policy.SettingsFile) (settings, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.files[at]
	return s, ok
}

func (k *settingsCache) keepFile(s settings) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil || len(k.files) >= maxCachedSettings {
		k.files = map[policy.SettingsFile]settings{}
	}
	k.files[s.file] = s
}

func (k *settingsCache) sibling(o owner) (sibling, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.siblings[o]
	return s, ok
}

func (k *settingsCache) keepSibling(o owner, s sibling) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.siblings == nil || len(k.siblings) >= maxCachedSettings {
		k.siblings = map[owner]sibling{}
	}
	k.siblings[o] = s
}

func (k *settingsCache) dropSibling(o owner) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.siblings, o)
}

func (k *settingsCache) dropSiblings() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.siblings)
}

func (k *settingsCache) dropInstallation(installation int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.DeleteFunc(k.siblings, func(o owner, _ sibling) bool { return o.installation == installation })
}
