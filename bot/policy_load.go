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

	"github.com/tenon-bot/tenon/engine"
)

const (
	// siblingTTL is how long it is believed whether an owner has a repository for settings; what stands in it is always asked.
	siblingTTL = time.Minute
	// maxKnownSettings bounds what is remembered of settings, in files and in owners.
	maxKnownSettings = 512
)

// settings is what one repository's file says.
type settings struct {
	file     SettingsFile
	layer    Layer
	problems []Problem
	// found says that there is such a file. unread, when set, is why it is not known: the owner's repository is out of reach.
	found  bool
	unread string
}

// settingsBook remembers settings by commit, and owners' repositories for a while. The zero value is ready; safe for
// concurrent use.
type settingsBook struct {
	mu       sync.Mutex
	files    map[SettingsFile]settings
	siblings map[owner]sibling
}

// owner is an owner as an installation sees it.
type owner struct {
	installation int64
	name         string
}

// sibling is the owner's repository for settings, as it was known at a time; err is ErrNotFound, ErrDenied or nil.
type sibling struct {
	repo RepoRef
	err  error
	at   time.Time
}

// policyOf reads the settings that hold for an event: of the owner's repository for settings and of the event's own, each on its
// default branch. An error is no answer: nothing may be done without.
func (b *Bot) policyOf(ctx context.Context, ev Event) (Policy, error) {
	var organisation, own settings
	err := together(
		func() (err error) { organisation, err = b.organisationSettings(ctx, ev.Repo); return err },
		func() (err error) { own, err = b.ownSettings(ctx, ev.Repo); return err },
	)
	if err != nil {
		return Policy{}, fmt.Errorf("reading the settings: %w", err)
	}
	p := b.Policy
	p.Models = b.offered(p, ev.Repo)
	p.Unread = organisation.unread
	p = withFile(withFile(p, Organisation, organisation), Repository, own)
	if !p.allowsModel(p.Model) {
		p.Model = ""
	}
	return p, nil
}

// offered are the models that a repository may use by the server's settings; nil where no model is configured.
func (b *Bot) offered(p Policy, repo RepoRef) []string {
	if len(b.Models) == 0 {
		return p.Models
	}
	names := []string{}
	for _, m := range b.Models {
		if m.allows(repo) && p.allowsModel(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// withFile is the policy with a file's settings below it.
func withFile(p Policy, from Origin, s settings) Policy {
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
		p.Files = map[Origin]SettingsFile{}
	}
	p.Files[from] = s.file
	return p.under(from, s.layer)
}

// ownSettings reads the repository's own file. The owner's repository for settings has none: what it says is the owner's word.
func (b *Bot) ownSettings(ctx context.Context, repo RepoRef) (settings, error) {
	if isSettingsRepo(repo) {
		return settings{}, nil
	}
	return b.settingsOf(ctx, repo)
}

// organisationSettings reads the file in the owner's repository for settings, if there is one. What of a repository that is there
// cannot be read may restrict something: only where GitHub, asked anew, says that it is gone or out of reach, nothing is read.
func (b *Bot) organisationSettings(ctx context.Context, repo RepoRef) (settings, error) {
	at, err := b.sibling(ctx, repo)
	if err == nil {
		s, unread := b.settingsOf(ctx, at)
		if unread == nil {
			return s, nil
		}
		b.book.dropSibling(owner{repo.Installation, repo.Owner})
		if _, err = b.sibling(ctx, repo); err == nil {
			return settings{}, fmt.Errorf("of %s/%s, which is there: %w", repo.Owner, SettingsRepo, unread)
		}
	}
	switch {
	case errors.Is(err, ErrNotFound):
		return settings{}, nil
	case errors.Is(err, ErrDenied):
		name := codeSpan(repo.Owner + "/" + SettingsRepo)
		return settings{unread: fmt.Sprintf("There is a repository %s, but this app is not installed on it, so what it may say in `%s` is not known and the server's settings hold alone. "+
			"An owner of %s can add it in the settings of the installation, under *Repository access*.", name, SettingsPath, codeSpan(repo.Owner))}, nil
	}
	return settings{}, fmt.Errorf("of %s/%s: %w", repo.Owner, SettingsRepo, err)
}

func isSettingsRepo(repo RepoRef) bool { return strings.EqualFold(repo.Name, SettingsRepo) }

// sibling finds the owner's repository for settings.
func (b *Bot) sibling(ctx context.Context, repo RepoRef) (RepoRef, error) {
	if isSettingsRepo(repo) {
		return repo, nil
	}
	o, now := owner{repo.Installation, repo.Owner}, b.Now()
	if known, ok := b.book.sibling(o); ok && now.Sub(known.at) < siblingTTL {
		return known.repo, known.err
	}
	at, err := b.GitHub.Sibling(ctx, repo, SettingsRepo)
	if err == nil || errors.Is(err, ErrNotFound) || errors.Is(err, ErrDenied) {
		b.book.keepSibling(o, sibling{at, err, now})
	}
	return at, err
}

// settingsOf reads a repository's file, where its default branch stands now.
func (b *Bot) settingsOf(ctx context.Context, repo RepoRef) (settings, error) {
	checkout, err := b.Repos.Open(ctx, repo, "HEAD", "", append([]string{SettingsPath}, conventionNames...)...)
	if errors.Is(err, ErrEmpty) {
		return settings{}, nil
	}
	if err != nil {
		return settings{}, err
	}
	at := SettingsFile{repo, checkout.SHA()}
	if s, ok := b.book.file(at); ok {
		return s, nil
	}
	s, err := b.readSettings(ctx, checkout)
	if err != nil {
		return settings{}, err
	}
	s.file = at
	b.book.keepFile(s)
	return s, nil
}

// readSettings reads the file of a checkout. What stands in its place and cannot be read may have restricted something.
func (b *Bot) readSettings(ctx context.Context, checkout Checkout) (settings, error) {
	kind, err := checkout.Kind(SettingsPath)
	if err != nil {
		return settings{}, fmt.Errorf("looking for %s: %w", SettingsPath, err)
	}
	switch kind {
	case engine.Absent:
		return misnamed(checkout)
	case engine.File:
	default:
		return unusable("is not a plain file; make it one, without a link"), nil
	}
	if err := checkout.Load(ctx, SettingsPath); err != nil {
		return settings{}, fmt.Errorf("loading %s: %w", SettingsPath, err)
	}
	data, err := checkout.ReadFile(SettingsPath)
	switch {
	case errors.Is(err, engine.ErrTooLarge) || len(data) > MaxSettings:
		return unusable("is larger than 64 KiB; settings are a few lines"), nil
	case err != nil:
		return settings{}, err
	}
	layer, problems := b.ParseLayer(data)
	return settings{layer: layer, problems: problems, found: true}, nil
}

func unusable(why string) settings {
	return settings{found: true, problems: []Problem{{Text: why, Closes: true}}}
}

// misnamed looks for a file that somebody meant as the settings.
func misnamed(checkout Checkout) (settings, error) {
	const other = ".github/tenon.yaml"
	kind, err := checkout.Kind(other)
	if err != nil {
		return settings{}, fmt.Errorf("looking for %s: %w", other, err)
	}
	if kind == engine.Absent {
		return settings{}, nil
	}
	return settings{problems: []Problem{{Text: SettingsPath + " does not exist, but " + other + " does, which tenon does not read; rename it"}}}, nil
}

func (k *settingsBook) file(at SettingsFile) (settings, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.files[at]
	return s, ok
}

func (k *settingsBook) keepFile(s settings) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.files == nil || len(k.files) >= maxKnownSettings {
		k.files = map[SettingsFile]settings{}
	}
	k.files[s.file] = s
}

func (k *settingsBook) sibling(o owner) (sibling, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, ok := k.siblings[o]
	return s, ok
}

func (k *settingsBook) keepSibling(o owner, s sibling) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.siblings == nil || len(k.siblings) >= maxKnownSettings {
		k.siblings = map[owner]sibling{}
	}
	k.siblings[o] = s
}

func (k *settingsBook) dropSibling(o owner) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.siblings, o)
}
