package bot_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// ends are the ends of runs in the audit.
func (s *story) ends() (all []port.Ended) {
	for _, e := range s.Queue.Audit() {
		if e.Outcome != port.EndCommitting {
			all = append(all, e)
		}
	}
	return all
}

// end is the only end of a run in the audit.
func (s *story) end() port.Ended {
	s.t.Helper()
	all := s.ends()
	require.Len(s.t, all, 1)
	return all[0]
}

func TestTheAuditTellsWhoChangedWhatByWhichModel(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("speed.txt", "fast", "faster"))
	s.bot.Models[0].Price = port.Price{Input: 1, Cached: 0.5, Output: 2}
	told := s.say("/tenon fix it")
	e := s.end()
	require.Equal(t, told.run, e.Run)
	require.Equal(t, port.EndCommitted, e.Outcome)
	require.Equal(t, []any{"acme", "lathe", s.pull.Number(), true}, []any{e.Owner, e.Repo, e.Thread, e.Pull})
	require.Equal(t, []any{"maria", port.PermissionAdmin, "fix"}, []any{e.Person, e.Permission, e.Command})
	require.NotZero(t, e.PersonID)
	require.Len(t, e.Commits, 1)
	require.Equal(t, "speed", e.Commits[0].Branch)
	require.Equal(t, s.Repo.Branch("speed"), e.Commits[0].SHA)
	require.Equal(t, []string{"speed.txt"}, e.Commits[0].Paths)
	require.Equal(t, 1, e.Commits[0].Files)
	require.Equal(t, []port.EditCount{{Outcome: "applied", Level: "exact", Count: 1}}, e.Edits)
	require.Len(t, e.Models, 1)
	m := e.Models[0]
	require.Equal(t, bottest.ModelName, m.Model)
	require.EqualValues(t, 1, m.Calls)
	require.Equal(t, (m.In-m.Cached)*1000+m.Cached*500+m.Out*2000, m.Nanos)
	require.Equal(t, e.At.Sub(e.Started), e.Took())
	require.Equal(t, []port.EndOutcome{port.EndCommitting, port.EndCommitted},
		[]port.EndOutcome{s.Queue.Audit()[0].Outcome, s.Queue.Audit()[1].Outcome}, "it was said before the commit")
}

func TestTheAuditCountsTheRepairs(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("speed.txt", "slow", "faster"), edit("speed.txt", "fast", "faster"))
	s.say("/tenon fix it")
	require.Equal(t, port.EndCommitted, s.end().Outcome)
	require.Equal(t, 1, s.end().Repairs)
}

func TestEachEndOfARunIsInTheAuditOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(s *story)
		body    string
		want    port.EndOutcome
		reason  port.EndReason
	}{
		"a question": {nil, "/tenon ask why?", port.EndAnswered, ""},
		"help":       {nil, "/tenon help", port.EndAnswered, ""},
		"a preview":  {nil, "/tenon preview it", port.EndPreviewed, ""},
		"edits that fail": {func(s *story) { s.Repo.Push("speed", map[string]string{"speed.txt": "x\n"}) },
			"/tenon fix it", port.EndUnchanged, ""},
		"nothing to undo": {nil, "/tenon undo", port.EndRefused, port.ReasonState},
		"a wrong option":  {nil, "/tenon fix --hurry hunter2", port.EndRefused, port.ReasonUsage},
		"an unknown model": {nil, "/tenon fix --model other it", port.EndRefused,
			port.ReasonModel},
		"a budget": {func(s *story) {
			s.bot.Policy = policy.ServerPolicy(policy.Layer{})
			s.bot.Policy.Budget.RepositoryTokens = 1
		}, "/tenon fix it", port.EndRefused, port.ReasonBudget},
		"a dead letter": {func(s *story) {
			s.Before("Complete").Every().Fail(errors.New("no use"))
		}, "/tenon fix it", port.EndFailed, port.ReasonError},
		"an outage that lasts": {func(s *story) {
			s.Before("Complete").Every().Fail(&port.WaitError{For: port.ModelOutage, After: 48 * time.Hour,
				Err: errors.New("away")})
		}, "/tenon fix it", port.EndFailed, port.ReasonWait},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, edit("speed.txt", "fast", "faster"))
			if c.prepare != nil {
				c.prepare(s)
			}
			s.say(c.body)
			e := s.end()
			require.Equal(t, []any{c.want, c.reason}, []any{e.Outcome, e.Reason}, "%+v", e)
			require.Equal(t, port.PermissionAdmin, e.Permission)
			require.NotContains(t, e.Why, "hunter2", "what people write is not in it")
		})
	}
}

func TestAStrangersCommandIsInTheAudit(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.sayAs("stranger", s.pull, "/tenon fix it")
	e := s.end()
	require.Equal(t, []any{port.EndRefused, port.ReasonPermission, "stranger", port.PermissionRead, "fix"},
		[]any{e.Outcome, e.Reason, e.Person, e.Permission, e.Command})
	s.bot.Owners = []string{"others"}
	s.say("/tenon fix it")
	require.Equal(t, port.ReasonOwner, s.ends()[1].Reason)
}

func TestNoCommandIsNoEntryOfTheAudit(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.pull.Comment("maria", "> /tenon fix it\n\nwhy?")
	s.pull.Label("maria", "unrelated")
	s.Run()
	require.Empty(t, s.Queue.Audit())
}
