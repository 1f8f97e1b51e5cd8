package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/prompts"
)

// small is a model with a context of 8,000 tokens, as local ones often have.
var small = port.ModelInfo{Name: bottest.ModelName, ContextTokens: 8_000}

// newSmallStory is a story of a model with a small context, in a repository with more of everything than fits into it.
func newSmallStory(t *testing.T, replies ...string) *story {
	t.Helper()
	s := newStory(t, replies...)
	s.bot.Models = []port.ModelInfo{small}
	conventions := strings.Repeat("Write clear code, and test it.\n", 300)
	s.Repo.Push("main", map[string]string{"AGENTS.md": conventions})
	files := map[string]string{"long.txt": strings.Repeat("It was long, long ago.\n", 390)}
	for i := range 80 {
		files[fmt.Sprintf("%s/%02d.txt", strings.Repeat("x", 60), i)] = strings.Repeat("x\n", 300)
	}
	s.push(files)
	for i := range 8 {
		s.pull.Comment("maria", fmt.Sprintf("Remark %d. %s", i, strings.Repeat("I have much to say. ", 150)))
	}
	return s
}

// requireFits requires that each request leaves room for its reply in the small context.
func requireFits(t *testing.T, s *story) {
	t.Helper()
	require.NotEmpty(t, s.Model.Requests())
	for i, r := range s.Model.Requests() {
		require.LessOrEqual(t, r.Tokens(), int64(small.ContextTokens-small.ReplyTokens()), "request %d", i+1)
	}
}

func TestAModelWithASmallContextGetsAPromptThatFits(t *testing.T) {
	t.Parallel()
	for _, format := range prompts.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			s := newSmallStory(t, goodbye)
			got := s.say("/tenon fix --format " + format + " the words in `main.go`, as `long.txt` says in line 200")
			require.Equal(t, "rocket", got.verdict)
			require.Contains(t, s.File("speed", "main.go"), "goodbye")
			requireFits(t, s)
			asked := s.Model.Questions()[0]
			require.Contains(t, asked, "the words in `main.go`, as `long.txt` says in line 200", "the task is whole")
			require.Contains(t, asked, bottest.LatheFiles["main.go"])
			require.Contains(t, asked, "It was long, long ago.")
			require.Contains(t, asked, "Write clear code, and test it.")
			require.Contains(t, asked, "Remark 7. I have much to say.", "the newest comments are there, cut")
		})
	}
}

func TestARepairInASmallContextStillFits(t *testing.T) {
	t.Parallel()
	s := newSmallStory(t, halfReplies()[0], edit("greet.go", greetLine, betterGreet))
	got := s.say("/tenon fix `main.go` and `greet.go`, as `long.txt` says")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 2 edits committed")
	require.Len(t, s.Model.Requests(), 2)
	requireFits(t, s)
}

// A question that would not fit is not asked: the server would refuse it, or silently leave out how it begins.
func TestAConversationEndsWhereTheContextDoes(t *testing.T) {
	t.Parallel()
	s := newSmallStory(t, strings.Repeat("Let me think about it.\n", 350)+halfReplies()[0])
	got := s.say("/tenon fix `main.go` and `greet.go`")
	require.Equal(t, "rocket", got.verdict, "what there is is committed")
	require.Len(t, s.Model.Requests(), 1)
	require.Contains(t, got.answer, " · 1 of 2 edits committed")
	require.Contains(t, got.answer, "The model could not be asked again. With what was said so far, the next question is "+
		"more than the model `model-1` can read at once: about ")
	require.Contains(t, got.answer, "and its context of 8,000 has to take the reply too.")
}

func TestATaskThatDoesNotFitIsRefusedBeforeAnythingIsAsked(t *testing.T) {
	t.Parallel()
	s := newSmallStory(t, goodbye)
	got := s.say("/tenon fix `main.go`: " + strings.Repeat("and then some more, ", 600))
	require.Equal(t, "confused", got.verdict)
	require.Empty(t, s.Model.Requests())
	require.Contains(t, got.answer, "This is more than the model `model-1` can read at once: its context is "+
		"8,000 tokens, and the task with the rules for the reply takes about ")
	require.Contains(t, got.answer, "Say it in fewer words, or name another model with `--model`.")
	require.Contains(t, got.answer, "raise its `context_tokens`.")
}

func TestManyReviewThreadsAreAddressedInSeveralCommandsOfASmallModel(t *testing.T) {
	t.Parallel()
	s := newSmallStory(t, faster)
	for i := range 12 {
		s.pull.ReviewComment("maria", "speed.txt", 1, fmt.Sprintf("Thread %d. %s", i, strings.Repeat("Be faster. ", 150)))
	}
	got := s.say("/tenon address")
	require.Equal(t, "rocket", got.verdict)
	requireFits(t, s)
	require.Contains(t, s.Model.Questions()[0], "Thread 0. Be faster.")
	require.NotContains(t, s.Model.Questions()[0], "Thread 11.")
	require.Regexp(t, `\d+ (more|other)`, got.answer)
}

func TestALongIssueIsCutForASmallModel(t *testing.T) {
	t.Parallel()
	s := newSmallStory(t, goodbye)
	issue := s.issue("The words in `main.go` are wrong. " + strings.Repeat("I noticed it when I came home. ", 250))
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix").verdict)
	requireFits(t, s)
	require.Contains(t, s.Model.Questions()[0], "The words in `main.go` are wrong. I noticed it when I came home. ")
	require.Contains(t, s.Model.Questions()[0], bottest.LatheFiles["main.go"])
	require.Contains(t, s.File(issueBranch(issue), "main.go"), "goodbye")
}

func TestAQuestionToASmallModelFitsToo(t *testing.T) {
	t.Parallel()
	s := newSmallStory(t, "It greets.")
	require.Contains(t, s.say("/tenon ask what does `main.go` do, and `long.txt`?").answer, "It greets.")
	requireFits(t, s)
}

// Rounds fill a small context soon. None is promised that could show nothing, and one that comes anyway says why.
func TestASmallModelIsPromisedNoRoundWithoutRoom(t *testing.T) {
	t.Parallel()
	thought := strings.Repeat("Let me think.\n", 40)
	s := newSmallStory(t, "NEED: long.txt", thought+"NEED: "+strings.Repeat("x", 60)+"/", goodbye)
	require.Equal(t, "rocket", s.say("/tenon fix what `main.go` says").verdict)
	requireFits(t, s)
	asked := s.Model.Questions()
	require.Len(t, asked, 3)
	require.Contains(t, asked[1], "It was long, long ago.")
	for _, text := range asked[1:] {
		require.Contains(t, text, "This was the last round: do not ask again.")
	}
	require.Contains(t, asked[2], "/ is not shown: there was no room left to show it to the model.")
	require.NotContains(t, asked[2], "names for ")
}

// An operator who knows that a model gets lost in long prompts says so of that model alone.
func TestAModelCanBeShownLessCodeThanOthers(t *testing.T) {
	t.Parallel()
	const line = "It was long, long ago.\n"
	for tokens, want := range map[int]int{2_000: 6_000, 0: 390 * len(line)} {
		s := newStory(t, goodbye)
		s.bot.Models = []port.ModelInfo{{Name: bottest.ModelName, CodeTokens: tokens}}
		s.push(map[string]string{"long.txt": strings.Repeat(line, 390)})
		require.Equal(t, "rocket", s.say("/tenon fix `main.go`, not `long.txt`").verdict)
		shown := strings.Count(s.Model.Questions()[0], line) * len(line)
		require.NotZero(t, shown)
		require.LessOrEqual(t, shown, want)
		require.Equal(t, tokens == 0, shown == 390*len(line))
	}
}
