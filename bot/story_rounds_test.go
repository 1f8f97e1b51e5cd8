package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestACancelBetweenTwoRoundsEndsTheCommand(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"/tenon fix `main.go`", "/tenon ask what does `main.go` do?"} {
		for name, moment := range map[string]func(*story) *bottest.Moment{
			"before the answer is recorded": func(s *story) *bottest.Moment { return s.Before("Record").Of("ask.2") },
			"after it was recorded":         func(s *story) *bottest.Moment { return s.After("Record").Of("ask.2") },
			"before it is paid for":         func(s *story) *bottest.Moment { return s.Before("Reserve").Of("2") },
		} {
			t.Run(command+", "+name, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, "NEED: greet.go", "FIND: println", goodbye)
				moment(s).Do(func() {
					s.pull.Comment("maria", "/tenon cancel")
					s.RunImmediate()
				})
				c := s.pull.Comment("maria", command)
				s.Run()
				require.LessOrEqual(t, len(s.Model.Questions()), 2, "the third is not asked")
				require.Empty(t, s.Commits("speed"))
				require.Equal(t, bottest.LatheFiles["main.go"], s.File("speed", "main.go"))
				require.Equal(t, 1, s.saying("**Cancelled** by `maria`"))
				require.Zero(t, s.saying("/commit/"))
				require.Equal(t, []string{"eyes", "confused"}, reactions(c))
				require.Empty(t, s.Queue.DeadLetters())
			})
		}
	}
}

// The model said something before the budget was used up; that, and why there is no more, is the answer.
func TestABudgetThatIsUsedUpBetweenTwoRoundsEndsThem(t *testing.T) {
	t.Parallel()
	const (
		soFar  = "It calls `greet`, which I cannot see.\n\n"
		reason = "The model could not be asked again. The budget for this repository's tokens today is used up (62000), " +
			"so the model was not asked."
	)
	for command, asks := range map[string]string{
		"/tenon fix `main.go`": soFar + "NEED: speed.txt", "/tenon ask what does `main.go` do?": soFar + "NEED: speed.txt",
	} {
		s := newStory(t, "NEED: greet.go", asks, goodbye)
		s.settings("budget: {repository: {tokens: 62000}}\n")
		s.Model.Use(port.Usage{In: 30_000, Out: 1_000})
		got := s.say(command)
		require.Len(t, s.Model.Questions(), 2, command)
		require.Contains(t, got.answer, reason, command)
		require.Contains(t, got.answer, "It calls `greet`, which I cannot see.", command)
		require.Empty(t, s.Commits("speed"))
		require.Empty(t, s.Queue.DeadLetters())
	}
}

// Between two rounds, a push by force drops the commit that the run began with. As long as the commit can be had, the
// rounds show it, and else what the branch has now. The edits are made on the branch as it is, and bring nothing back.
func TestAHeadThatIsForcedBackBetweenTwoRounds(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string]bool{"the commit is kept": false, "the commit is gone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, "NEED: greet.go", "NEED: regret.txt:4500-4502", goodbye)
			before := s.Repo.Branch("speed")
			s.push(map[string]string{"regret.txt": strings.Repeat("It was long ago.\n", 5000)})
			s.After("Record").Of("ask.1").Do(func() {
				s.Repo.SetBranch("speed", before)
			})
			if gone { // the next attempt has to open it again, for each round, and opens the tip instead
				s.After("Record").Of("ask.1").Do(func() {
					for _, n := range []int{1, 3} {
						s.Before("Open").Of("refs/heads/speed").Nth(n).Fail(port.ErrMoved)
					}
				})
				s.After("Record").Of("ask.1").Fail(bottest.Retryable(time.Minute))
			}
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "rocket", got.verdict, got.answer)
			asked := s.Model.Questions()
			require.Len(t, asked, 3)
			if gone {
				require.Contains(t, asked[2], "regret.txt is not shown: there is no such file.")
			} else {
				require.Contains(t, asked[2], "file regret.txt, lines 4500 to 4502 of 5000>>\nIt was long ago.\n")
			}
			require.Contains(t, s.File("speed", "main.go"), "goodbye")
			_, ok := s.Repo.File("speed", "regret.txt")
			require.False(t, ok)
			require.Len(t, s.Commits("speed"), 1)
		})
	}
}

// The base of the pull request, where the settings and conventions are read, is forced to another commit.
func TestABaseThatIsForcedElsewhereBetweenTwoRounds(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NEED: greet.go", "FIND: println", goodbye)
	before := s.Repo.Branch("main")
	s.Repo.Push("main", map[string]string{"AGENTS.md": "Be polite.\n"})
	s.After("Record").Of("ask.2").Do(func() { s.Repo.SetBranch("main", before) })
	require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
	asked := s.Model.Questions()
	require.Len(t, asked, 3)
	require.Contains(t, asked[0], "Be polite.")
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Equal(t, before, s.Repo.Branch("main"), "nothing is pushed there")
	require.Len(t, s.Commits("speed"), 1)
}
