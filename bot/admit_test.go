package bot

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// readersGitHub lets anybody read, and counts what the app writes.
type readersGitHub struct {
	bareGitHub
	posts     int
	reactions atomic.Int64
}

func (*readersGitHub) Prepare(port.RepoRef, port.Purpose) {}

func (g *readersGitHub) Permission(context.Context, port.RepoRef, string) (port.Permission, error) {
	return port.PermissionRead, nil
}

func (g *readersGitHub) FindComment(context.Context, port.RepoRef, port.Place, string, time.Time, ...int64) (
	port.Comment, bool, error) {
	return port.Comment{}, false, nil
}

func (g *readersGitHub) Post(context.Context, port.RepoRef, port.Place, string) (port.Comment, error) {
	g.posts++
	return port.Comment{}, nil
}

func (g *readersGitHub) React(context.Context, port.RepoRef, port.Comment, port.Reaction) error {
	g.reactions.Add(1)
	return nil
}

func TestAStrangerIsNotAnsweredAThousandTimes(t *testing.T) {
	t.Parallel()
	github := &readersGitHub{}
	b := unconfigured(github)
	clock := bottest.NewClock()
	b.Now, b.Budget = clock.Now, bottest.NewBudget(bottest.NewQueue(clock))
	for i := range 1000 {
		ev := fixEvent()
		ev.Sender = port.User{ID: 8, Login: "stranger"}
		r := runOf(t, b, ev)
		r.inv.Command = command.Command{Verb: "help", Needs: port.PermissionRead}
		if i%2 == 1 {
			r.inv.Command.Needs = port.PermissionWrite
		}
		help := func(ctx context.Context, r *run) error {
			a := r.answers()
			_, err := a.post(ctx, a.replyPlace(), "help", a.github.Post)
			return err
		}
		if err := r.serve(t.Context(), help); err != nil {
			require.ErrorIs(t, err, errTurnedAway)
		}
	}
	require.Equal(t, maxReplies, github.posts)
	require.LessOrEqual(t, github.reactions.Load(), int64(maxReplies))
}

// mergedSettings returns the policy of a repository with settings, and those of its organisation.
func mergedSettings(organisation, repository string, problems ...policy.Problem) policy.Policy {
	p := policy.DefaultPolicy()
	p.Files = map[policy.Origin]policy.SettingsFile{}
	for _, file := range []struct {
		from            policy.Origin
		name, sha, text string
		problems        []policy.Problem
	}{
		{policy.Organisation, ".github", organisationSHA, organisation, nil},
		{policy.Repository, "lathe", repositorySHA, repository, problems},
	} {
		layer, found := policy.Parse([]byte(file.text))
		for _, problem := range append(found, file.problems...) {
			problem.Source = file.from
			p.Problems = append(p.Problems, problem)
		}
		p.Files[file.from] = policy.SettingsFile{Repo: port.RepoRef{Owner: "acme", Name: file.name}, SHA: file.sha}
		p = p.Under(file.from, layer)
	}
	return p
}

const (
	organisationSHA = "1111111111111111111111111111111111111111"
	repositorySHA   = "3333333333333333333333333333333333333333"
)

func TestWhatTheSettingsForbidIsRefusedWithTheLine(t *testing.T) {
	t.Parallel()
	fix, _ := command.Lookup(command.Fix)
	help, _ := command.Lookup(command.Help)
	const site = "https://github.example/acme/"
	for want, p := range map[string]policy.Policy{
		"tenon is disabled here by [the repository's settings, line 2](" + site + "lathe/blob/" + repositorySHA +
			"/.github/tenon.yml#L2), so nothing was done. `/tenon config` shows the settings that apply.": mergedSettings(
			"", "# Not here.\nenabled: false\n"),
		"`/tenon fix` is not allowed here: [the organisation's settings, line 4](" + site + ".github/blob/" +
			organisationSHA + "/.github/tenon.yml#L4) allow `ask`. " +
			"`/tenon help` and `/tenon config` always work.": mergedSettings(
			"# Only\n# to\n# ask.\nverbs: [ask]\n", ""),
		"tenon does nothing here until its settings can be read: [`.github/tenon.yml` of `acme/lathe`, line 3](" + site +
			"lathe/blob/" + repositorySHA + "/.github/tenon.yml#L3): who has no value. Fix that, and give the command " +
			"again; `/tenon config` shows everything that is wrong.": mergedSettings(
			"", "", policy.Problem{Line: 3, Text: "who has no value", Closes: true}),
	} {
		r := runOf(t, &Bot{Policy: p}, fixEvent())
		require.EqualError(t, r.permits(fix), want)
		require.NoError(t, r.permits(help))
	}
	for _, p := range []policy.Policy{
		policy.DefaultPolicy(), mergedSettings("", "", policy.Problem{Line: 3, Text: "there is no setting x"}),
	} {
		require.NoError(t, runOf(t, &Bot{Policy: p}, fixEvent()).permits(fix))
	}
}

func TestNoSettingForbidsACommandThatIsAlwaysAllowed(t *testing.T) {
	t.Parallel()
	for _, p := range []policy.Policy{
		mergedSettings("", "enabled: false\n"), mergedSettings("verbs: []\n", ""), mergedSettings("", "who: [\n"),
	} {
		r := runOf(t, &Bot{Policy: p}, fixEvent())
		var allowed []string
		for _, c := range command.All() {
			if r.permits(c) == nil {
				allowed = append(allowed, c.Verb)
			}
		}
		require.Equal(t, "cancel status config help", strings.Join(allowed, " "))
	}
}
