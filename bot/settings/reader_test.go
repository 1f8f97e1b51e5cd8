package settings

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
)

// siblingGitHub is a GitHub that knows of an owner's repository for settings, and nothing else.
type siblingGitHub struct {
	port.GitHub
	err error
	// later is the error from the second call on; nil means err.
	later error
	calls atomic.Int64
}

func (g *siblingGitHub) Sibling(_ context.Context, r port.RepoRef, name string) (port.RepoRef, error) {
	if g.calls.Add(1) > 1 && g.later != nil {
		return port.RepoRef{}, g.later
	}
	return port.RepoRef{ID: 4, Installation: r.Installation, Owner: r.Owner, Name: name}, g.err
}

// settingsRepos are repositories by name, each with the files of its default branch.
type settingsRepos struct {
	repo.Repos
	mu    sync.Mutex
	files map[string]map[string]string
	// kinds are those of the paths that are no regular files, in all repositories.
	kinds map[string]engine.Kind
	errs  map[string]error
	opens map[string]int
}

func (rs *settingsRepos) Open(_ context.Context, r port.RepoRef, ref, sha string, _ ...string) (repo.Checkout, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.opens == nil {
		rs.opens = map[string]int{}
	}
	rs.opens[r.Name]++
	if err := rs.errs[r.Name]; err != nil {
		return nil, err
	}
	if ref != "HEAD" || sha != "" {
		return nil, fmt.Errorf("opening %s %s: %w", ref, sha, port.ErrNotFound)
	}
	tree := engine.MemTree{}
	for name, text := range rs.files[r.Name] {
		tree[name] = []byte(text)
	}
	sum := sha256.Sum256([]byte(fmt.Sprint(tree)))
	return &settingsCheckout{tree: tree, kinds: rs.kinds, sha: fmt.Sprintf("%x", sum[:20]), loaded: map[string]bool{}}, nil
}

// settingsCheckout has files to be read, once they are loaded.
type settingsCheckout struct {
	repo.Checkout
	tree   engine.MemTree
	kinds  map[string]engine.Kind
	sha    string
	loaded map[string]bool
}

func (c *settingsCheckout) SHA() string { return c.sha }

func (c *settingsCheckout) Kind(name string) (engine.Kind, error) {
	if kind, ok := c.kinds[name]; ok {
		return kind, nil
	}
	return c.tree.Kind(name)
}

func (c *settingsCheckout) Load(_ context.Context, names ...string) error {
	for _, name := range names {
		c.loaded[name] = true
	}
	return nil
}

func (c *settingsCheckout) ReadFile(name string) ([]byte, error) {
	if !c.loaded[name] {
		return nil, errors.New("not loaded: " + name)
	}
	return c.tree.ReadFile(name)
}

// tenonYML is a repository with a file of settings.
func tenonYML(text string) map[string]string { return map[string]string{policy.SettingsPath: text} }

// lathe is the repository whose settings are read.
var lathe = port.RepoRef{ID: 3, Installation: 9, Owner: "acme", Name: "lathe", DefaultBranch: "main"}

func configured(repos *settingsRepos, github port.GitHub) Reader {
	return Reader{GitHub: github, Repos: repos, Cache: &Cache{}, Server: policy.DefaultPolicy(), Now: time.Now}
}

func TestSettingsComeFromTheOwnersRepositoryAndItsOwn(t *testing.T) {
	t.Parallel()
	repos := &settingsRepos{files: map[string]map[string]string{
		".github": tenonYML("who: maintain\nprotected: [a]\n"), "lathe": tenonYML("protected: [b]\nwho: write\n"),
	}}
	github := &siblingGitHub{}
	r := configured(repos, github)
	for range 3 {
		p, err := r.Policy(t.Context(), lathe, nil)
		require.NoError(t, err)
		require.Equal(t, port.PermissionMaintain, p.Who)
		require.Equal(t, []string{"a", "b"}, p.Protected)
		require.Len(t, p.Problems, 1)
		require.Equal(t, policy.Repository, p.Problems[0].Source)
		require.Equal(t, "acme/.github", p.Files[policy.Organisation].Repo.String())
		require.Equal(t, "acme/lathe", p.Files[policy.Repository].Repo.String())
	}
	require.EqualValues(t, 1, github.calls.Load(), "the owner's repository is not looked for each time")
	require.Equal(t, map[string]int{".github": 3, "lathe": 3}, repos.opens, "the newest commits are")

	repos.files["lathe"] = tenonYML("who: admin\n")
	p, err := r.Policy(t.Context(), lathe, nil)
	require.NoError(t, err)
	require.Equal(t, port.PermissionAdmin, p.Who, "a new commit counts at once")
}

func TestWithoutFilesTheServersPolicyApplies(t *testing.T) {
	t.Parallel()
	for story, r := range map[string]Reader{
		"no files": configured(&settingsRepos{}, &siblingGitHub{}),
		"no owner's repository": configured(
			&settingsRepos{}, &siblingGitHub{err: fmt.Errorf("asking: %w", port.ErrNotFound)}),
		"empty repositories": configured(
			&settingsRepos{errs: map[string]error{"lathe": port.ErrEmpty, ".github": port.ErrEmpty}}, &siblingGitHub{}),
		"deleted meanwhile": configured(
			&settingsRepos{errs: map[string]error{".github": port.ErrNotFound}}, &siblingGitHub{later: port.ErrNotFound}),
	} {
		p, err := r.Policy(t.Context(), lathe, nil)
		require.NoError(t, err, story)
		p.Marks = nil
		require.Equal(t, policy.DefaultPolicy(), p, story)
	}
}

// A repository out of reach may restrict something, unlike one that does not exist.
func TestAnOwnersRepositoryOutOfReachIsTold(t *testing.T) {
	t.Parallel()
	for _, r := range []Reader{
		configured(&settingsRepos{}, &siblingGitHub{err: fmt.Errorf("asking: %w", port.ErrDenied)}),
		configured(
			&settingsRepos{errs: map[string]error{".github": port.ErrDenied}}, &siblingGitHub{later: port.ErrDenied}),
	} {
		p, err := r.Policy(t.Context(), lathe, nil)
		require.NoError(t, err)
		require.Contains(t, p.Unread, "There is a repository `acme/.github`, but this app is not installed on it")
		_, closed := p.Closed()
		require.False(t, closed)
	}
}

func TestAFailureIsNotTheAbsenceOfSettings(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	github := &siblingGitHub{err: broken}
	for _, r := range []Reader{
		configured(&settingsRepos{}, github),
		configured(&settingsRepos{errs: map[string]error{".github": broken}}, &siblingGitHub{}),
		// GitHub says that the repository exists and is part of the installation; git, for now, that it does not exist.
		configured(&settingsRepos{errs: map[string]error{".github": port.ErrNotFound}}, &siblingGitHub{}),
		configured(&settingsRepos{errs: map[string]error{".github": port.ErrDenied}}, &siblingGitHub{}),
		configured(&settingsRepos{errs: map[string]error{"lathe": broken}}, &siblingGitHub{}),
		configured(&settingsRepos{errs: map[string]error{"lathe": port.ErrDenied}}, &siblingGitHub{}),
	} {
		_, err := r.Policy(t.Context(), lathe, nil)
		require.Error(t, err)
	}
	r := configured(&settingsRepos{}, github)
	for range 2 {
		_, err := r.Policy(t.Context(), lathe, nil)
		require.ErrorIs(t, err, broken)
	}
	require.EqualValues(t, 3, github.calls.Load(), "a failure is not remembered")
}

func TestAFileOfSettingsThatCannotBeReadCloses(t *testing.T) {
	t.Parallel()
	for text, repos := range map[string]*settingsRepos{
		"is not valid YAML": {files: map[string]map[string]string{"lathe": tenonYML("who: [\n")}},
		"larger than 64 KiB": {files: map[string]map[string]string{
			"lathe": tenonYML(strings.Repeat("x", policy.MaxSettings+1)),
		}},
		"is not a plain file": {
			files: map[string]map[string]string{"lathe": tenonYML("who: admin\n")},
			kinds: map[string]engine.Kind{policy.SettingsPath: engine.Symlink},
		},
		"is not a plain file; ": {files: map[string]map[string]string{"lathe": {policy.SettingsPath + "/x": ""}}},
	} {
		p, err := configured(repos, &siblingGitHub{err: port.ErrNotFound}).Policy(t.Context(), lathe, nil)
		require.NoError(t, err)
		problem, closed := p.Closed()
		require.True(t, closed, text)
		require.Contains(t, problem.Text, text)
		require.Equal(t, port.PermissionWrite, p.Who)
	}
}

func TestAFileWithTheOtherExtensionIsTold(t *testing.T) {
	t.Parallel()
	repos := &settingsRepos{files: map[string]map[string]string{"lathe": {".github/tenon.yaml": "who: admin\n"}}}
	p, err := configured(repos, &siblingGitHub{err: port.ErrNotFound}).Policy(t.Context(), lathe, nil)
	require.NoError(t, err)
	require.Equal(t, []policy.Problem{{Source: policy.Repository, Text: ".github/tenon.yml does not exist, but " +
		".github/tenon.yaml does, which tenon does not read; rename it"}}, p.Problems)
}

func TestTheFileOfTheOwnersRepositoryIsTheOwners(t *testing.T) {
	t.Parallel()
	github := &siblingGitHub{err: errors.New("nobody asks")}
	at := lathe
	at.Name = ".github"
	repos := &settingsRepos{files: map[string]map[string]string{".github": tenonYML("protected: [a]\n")}}
	p, err := configured(repos, github).Policy(t.Context(), at, nil)
	require.NoError(t, err)
	require.Equal(t, []policy.Mark{{Origin: policy.Organisation, Line: 1}}, p.Marks["protected"])
}

func TestAnOwnersRepositoryIsLookedForAgainAfterAWhile(t *testing.T) {
	t.Parallel()
	github := &siblingGitHub{err: port.ErrNotFound}
	r := configured(&settingsRepos{files: map[string]map[string]string{".github": tenonYML("who: admin\n")}}, github)
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	r.Now = func() time.Time { return now }
	for _, c := range []struct {
		err  error
		wait time.Duration
		want port.Permission
	}{
		{port.ErrNotFound, 0, port.PermissionWrite},
		{nil, siblingTTL - 1, port.PermissionWrite},
		{nil, 1, port.PermissionAdmin},
	} {
		github.err = c.err
		now = now.Add(c.wait)
		p, err := r.Policy(t.Context(), lathe, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, p.Who)
	}
}

func TestAnOwnersRepositoryIsLookedForAgainWhenTheInstallationGotRepositories(t *testing.T) {
	t.Parallel()
	github := &siblingGitHub{err: port.ErrNotFound}
	r := configured(&settingsRepos{files: map[string]map[string]string{".github": tenonYML("who: admin\n")}}, github)
	who := func() port.Permission {
		p, err := r.Policy(t.Context(), lathe, nil)
		require.NoError(t, err)
		return p.Who
	}
	require.Equal(t, port.PermissionWrite, who())
	github.err = nil
	r.Cache.RepositoriesChanged(lathe.Installation + 1)
	require.Equal(t, port.PermissionWrite, who(), "another installation's are its own")
	require.Equal(t, int64(1), github.calls.Load())
	r.Cache.RepositoriesChanged(lathe.Installation)
	require.Equal(t, port.PermissionAdmin, who())
	github.err = port.ErrNotFound
	r.Cache.ForgetRepositories()
	require.Equal(t, port.PermissionWrite, who(), "another process was told of a change")
}

func TestAModelThatDoesNotExistIsNoDefault(t *testing.T) {
	t.Parallel()
	repos := &settingsRepos{files: map[string]map[string]string{"lathe": tenonYML("model: slow\n")}}
	r := configured(repos, &siblingGitHub{err: port.ErrNotFound})
	r.Models = []port.ModelInfo{{Name: "fast"}, {Name: "slow", Repositories: []string{"other/*"}}}
	p, err := r.Policy(t.Context(), lathe, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"fast"}, p.Models)
	require.Empty(t, p.Model)
	require.Equal(t, []policy.Problem{{Source: policy.Repository, Line: 1, Text: "model: the model slow is not one of " +
		"those that may be used here, so this is ignored"}}, p.Problems)
}

func TestADefaultModelThatTheRepositoryTakesAwayIsNoDefault(t *testing.T) {
	t.Parallel()
	repos := &settingsRepos{files: map[string]map[string]string{
		".github": tenonYML("model: slow\n"), "lathe": tenonYML("models: [fast]\n"),
	}}
	r := configured(repos, &siblingGitHub{})
	r.Models = []port.ModelInfo{{Name: "fast"}, {Name: "slow"}}
	p, err := r.Policy(t.Context(), lathe, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"fast"}, p.Models)
	require.Empty(t, p.Model)
	require.Empty(t, p.Problems)
}

func TestManyEventsReadSettingsAtOnce(t *testing.T) {
	t.Parallel()
	r := configured(&settingsRepos{files: map[string]map[string]string{".github": tenonYML("who: admin\n")}},
		&siblingGitHub{})
	var all sync.WaitGroup
	const events = 2 * maxCached
	var policies [events]policy.Policy
	var errs [events]error
	for i := range events {
		all.Go(func() {
			at := lathe
			at.ID, at.Owner = int64(i), fmt.Sprint("o", i)
			policies[i], errs[i] = r.Policy(t.Context(), at, nil)
		})
	}
	all.Wait()
	for i, p := range policies {
		require.NoError(t, errs[i])
		require.Equal(t, port.PermissionAdmin, p.Who)
	}
	require.LessOrEqual(t, len(r.Cache.files), maxCached)
	require.LessOrEqual(t, len(r.Cache.siblings), maxCached)
}
