package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// owners is a GitHub that knows of an owner's repository for settings, and nothing else.
type owners struct {
	GitHub
	err error
	// later is the error from the second question on; nil is err.
	later error
	asked atomic.Int64
}

func (o *owners) Sibling(_ context.Context, repo RepoRef, name string) (RepoRef, error) {
	if o.asked.Add(1) > 1 && o.later != nil {
		return RepoRef{}, o.later
	}
	return RepoRef{ID: 4, Installation: repo.Installation, Owner: repo.Owner, Name: name}, o.err
}

// settingsRepos are repositories by name, each with the files of its default branch.
type settingsRepos struct {
	mu    sync.Mutex
	files map[string]map[string]string
	links map[string]engine.Kind
	errs  map[string]error
	opens map[string]int
}

func (r *settingsRepos) Open(_ context.Context, repo RepoRef, ref, sha string, _ ...string) (Checkout, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opens == nil {
		r.opens = map[string]int{}
	}
	r.opens[repo.Name]++
	if err := r.errs[repo.Name]; err != nil {
		return nil, err
	}
	if ref != "HEAD" || sha != "" {
		return nil, fmt.Errorf("opening %s %s: %w", ref, sha, ErrNotFound)
	}
	tree := treeOf(r.files[repo.Name])
	return &memCheckout{MemTree: tree, repository: &repository{links: r.links}, sha: fmt.Sprintf("%x", len(fmt.Sprint(tree))), loaded: map[string]bool{}}, nil
}

// parseLines reads "who:admin" and "protect:path"; "broken" closes.
func parseLines(data []byte) (l Layer, problems []Problem) {
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		key, value, _ := strings.Cut(line, ":")
		switch key {
		case "who":
			l.Who = set(Permission(value), i+1)
		case "protect":
			l.Protected = list(i+1, value)
		case "model":
			l.Model = set(value, i+1)
		default:
			problems = append(problems, Problem{Line: i + 1, Text: "cannot be read", Closes: true})
		}
	}
	return l, problems
}

const yml = ".github/tenon.yml"

func configured(repos *settingsRepos, github *owners) *Bot {
	return &Bot{GitHub: github, Repos: repos, Policy: DefaultPolicy(), ParseLayer: parseLines, Now: time.Now}
}

var lathe = Event{Repo: RepoRef{ID: 3, Installation: 9, Owner: "acme", Name: "lathe", DefaultBranch: "main"}}

func TestSettingsComeFromTheOwnersRepositoryAndItsOwn(t *testing.T) {
	t.Parallel()
	repos := &settingsRepos{files: map[string]map[string]string{".github": {yml: "who:maintain\nprotect:a"}, "lathe": {yml: "protect:b\nwho:write"}}}
	github := &owners{}
	b := configured(repos, github)
	for range 3 {
		p, err := b.policyOf(t.Context(), lathe)
		require.NoError(t, err)
		require.Equal(t, PermissionMaintain, p.Who)
		require.Equal(t, []string{"a", "b"}, p.Protected)
		require.Len(t, p.Problems, 1)
		require.Equal(t, Repository, p.Problems[0].Source)
		require.Equal(t, "acme/.github", p.Files[Organisation].Repo.String())
		require.Equal(t, "acme/lathe", p.Files[Repository].Repo.String())
	}
	require.EqualValues(t, 1, github.asked.Load(), "the owner's repository is not looked for each time")
	require.Equal(t, map[string]int{".github": 3, "lathe": 3}, repos.opens, "where the branches stand is")

	repos.files["lathe"][yml] = "who:admin"
	p, err := b.policyOf(t.Context(), lathe)
	require.NoError(t, err)
	require.Equal(t, PermissionAdmin, p.Who, "a new commit counts at once")
}

func TestWithoutFilesTheServersPolicyHolds(t *testing.T) {
	t.Parallel()
	for story, b := range map[string]*Bot{
		"no files":              configured(&settingsRepos{}, &owners{}),
		"no owner's repository": configured(&settingsRepos{}, &owners{err: fmt.Errorf("asking: %w", ErrNotFound)}),
		"empty repositories":    configured(&settingsRepos{errs: map[string]error{"lathe": ErrEmpty, ".github": ErrEmpty}}, &owners{}),
		"deleted meanwhile":     configured(&settingsRepos{errs: map[string]error{".github": ErrNotFound}}, &owners{later: ErrNotFound}),
	} {
		p, err := b.policyOf(t.Context(), lathe)
		require.NoError(t, err, story)
		p.Marks = nil
		require.Equal(t, DefaultPolicy(), p, story)
	}
}

// Out of reach is not the same as not there.
func TestAnOwnersRepositoryOutOfReachIsTold(t *testing.T) {
	t.Parallel()
	for _, b := range []*Bot{
		configured(&settingsRepos{}, &owners{err: fmt.Errorf("asking: %w", ErrDenied)}),
		configured(&settingsRepos{errs: map[string]error{".github": ErrDenied}}, &owners{later: ErrDenied}),
	} {
		p, err := b.policyOf(t.Context(), lathe)
		require.NoError(t, err)
		require.Contains(t, p.Unread, "There is a repository `acme/.github`, but this app is not installed on it")
		_, closed := p.closed()
		require.False(t, closed)
	}
}

func TestAFailureIsNotTheAbsenceOfSettings(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	github := &owners{err: broken}
	for _, b := range []*Bot{
		configured(&settingsRepos{}, github),
		configured(&settingsRepos{errs: map[string]error{".github": broken}}, &owners{}),
		// GitHub says that it is there, and part of the installation; git, for now, that it is not.
		configured(&settingsRepos{errs: map[string]error{".github": ErrNotFound}}, &owners{}),
		configured(&settingsRepos{errs: map[string]error{".github": ErrDenied}}, &owners{}),
		configured(&settingsRepos{errs: map[string]error{"lathe": broken}}, &owners{}),
		configured(&settingsRepos{errs: map[string]error{"lathe": ErrDenied}}, &owners{}),
	} {
		_, err := b.policyOf(t.Context(), lathe)
		require.Error(t, err)
	}
	_, err := configured(&settingsRepos{}, github).policyOf(t.Context(), lathe)
	require.ErrorIs(t, err, broken)
	require.EqualValues(t, 2, github.asked.Load(), "a failure is not remembered")
}

func TestWhatStandsInTheFilesPlaceAndCannotBeReadCloses(t *testing.T) {
	t.Parallel()
	for text, repos := range map[string]*settingsRepos{
		"cannot be read":        {files: map[string]map[string]string{"lathe": {yml: "what?"}}},
		"larger than 64 KiB":    {files: map[string]map[string]string{"lathe": {yml: strings.Repeat("x", MaxSettings+1)}}},
		"is not a plain file":   {files: map[string]map[string]string{"lathe": {yml: "who:admin"}}, links: map[string]engine.Kind{yml: engine.Symlink}},
		"is not a plain file; ": {files: map[string]map[string]string{"lathe": {yml + "/x": ""}}},
	} {
		p, err := configured(repos, &owners{err: ErrNotFound}).policyOf(t.Context(), lathe)
		require.NoError(t, err)
		problem, closed := p.closed()
		require.True(t, closed, text)
		require.Contains(t, problem.Text, text)
		require.Equal(t, PermissionWrite, p.Who)
	}
}

func TestAFileOfTheOtherEndingIsTold(t *testing.T) {
	t.Parallel()
	p, err := configured(&settingsRepos{files: map[string]map[string]string{"lathe": {".github/tenon.yaml": "who:admin"}}}, &owners{err: ErrNotFound}).policyOf(t.Context(), lathe)
	require.NoError(t, err)
	require.Equal(t, []string{"repository:0 .github/tenon.yml does not exist, but .github/tenon.yaml does, which tenon does not read; rename it"}, problemsOf(p))
}

func TestInTheOwnersRepositoryItsFileIsTheOwnersWord(t *testing.T) {
	t.Parallel()
	github := &owners{err: errors.New("nobody asks")}
	ev := lathe
	ev.Repo.Name = ".github"
	p, err := configured(&settingsRepos{files: map[string]map[string]string{".github": {yml: "protect:a"}}}, github).policyOf(t.Context(), ev)
	require.NoError(t, err)
	require.Equal(t, []Mark{{Organisation, 1}}, p.Marks["protected"])
}

func TestAnOwnersRepositoryIsLookedForAgainAfterAWhile(t *testing.T) {
	t.Parallel()
	github := &owners{err: ErrNotFound}
	b := configured(&settingsRepos{files: map[string]map[string]string{".github": {yml: "who:admin"}}}, github)
	now := time.Now()
	b.Now = func() time.Time { return now }
	p, err := b.policyOf(t.Context(), lathe)
	require.NoError(t, err)
	require.Equal(t, PermissionWrite, p.Who)
	github.err = nil
	now = now.Add(siblingTTL)
	p, err = b.policyOf(t.Context(), lathe)
	require.NoError(t, err)
	require.Equal(t, PermissionAdmin, p.Who)
}

func TestAModelThatIsNotThereIsNoDefault(t *testing.T) {
	t.Parallel()
	b := configured(&settingsRepos{files: map[string]map[string]string{"lathe": {yml: "model:slow"}}}, &owners{err: ErrNotFound})
	b.Models = []ModelInfo{{Name: "fast"}, {Name: "slow", Repositories: []string{"other/*"}}}
	p, err := b.policyOf(t.Context(), lathe)
	require.NoError(t, err)
	require.Equal(t, []string{"fast"}, p.Models)
	require.Empty(t, p.Model)
	require.Equal(t, []string{"repository:1 model: the model slow is not one of those that may be used here, so this is ignored"}, problemsOf(p))
}

func TestManyEventsReadSettingsAtOnce(t *testing.T) {
	t.Parallel()
	b := configured(&settingsRepos{files: map[string]map[string]string{".github": {yml: "who:admin"}}}, &owners{})
	var all sync.WaitGroup
	for i := range 2 * maxKnownSettings {
		all.Go(func() {
			ev := lathe
			ev.Repo.ID, ev.Repo.Owner = int64(i), fmt.Sprint("o", i)
			p, err := b.policyOf(t.Context(), ev)
			require.NoError(t, err)
			require.Equal(t, PermissionAdmin, p.Who)
		})
	}
	all.Wait()
	require.LessOrEqual(t, len(b.book.files), maxKnownSettings)
	require.LessOrEqual(t, len(b.book.siblings), maxKnownSettings)
}
