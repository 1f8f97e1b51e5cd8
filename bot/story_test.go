package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// story is a world with a bot in it.
type story struct {
	*bottest.World
	t   *testing.T
	bot *bot.Bot
	// pull is a pull request of acme/lathe from the branch speed.
	pull *bottest.Thread
}

// newStory sets the scene; the model will give the replies.
func newStory(t *testing.T, replies ...string) *story {
	t.Helper()
	w := bottest.New(t)
	s := &story{World: w, t: t}
	s.bot = &bot.Bot{
		GitHub: w.GitHub, Repos: w.Repos, Model: w.Model, Runs: w.Queue, Queue: w.Queue, Budget: w.Budget,
		Policy: policy.ServerPolicy(policy.Layer{}), Models: []port.ModelInfo{{Name: bottest.ModelName}},
		Slug: bottest.Slug, Now: w.Clock.Now, Log: w.Log,
	}
	w.Handler = s.bot
	w.Model.Says(replies...)
	s.pull = w.Pull("speed", map[string]string{"speed.txt": "fast\n"})
	return s
}

// edit is an edit block.
func edit(path, find, replace string) string {
	if find != "" {
		find += "\n"
	}
	return "\n" + path + "\n```\n<<<<<<< SEARCH\n" + find + "=======\n" + replace + "\n>>>>>>> REPLACE\n```\n"
}

const (
	helloLine = "\tprintln(\"hello\")"
	byeLine   = "\tprintln(\"goodbye\")"
	greetLine = "func greet() string { return \"hello\" }"
)

// goodbye is a reply that fits.
var goodbye = "COMMIT: fix: say goodbye\n" + edit("main.go", helloLine, byeLine)

func TestACommentBecomesACommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	c := s.pull.Comment("maria", "Hello.\n\n/tenon fix the words in `main.go`")
	s.Run()
	require.Equal(t, []string{"eyes", "rocket"}, c.Reactions())
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
	require.Equal(t, bottest.LatheFiles["greet.go"], s.File("speed", "greet.go"))
	require.Len(t, s.Commits("speed"), 1)
	require.Contains(t, s.Commits("speed")[0], "fix: say goodbye\n\nRequested by maria in https://")
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), "**Applied 1, failed 0, skipped 0 of 1 edit** in 1 file")
	require.Len(t, s.Model.Questions(), 1)
	require.Contains(t, s.Model.Questions()[0], bottest.LatheFiles["main.go"], "the model saw the file that the comment names")
	require.NotContains(t, s.Model.Questions()[0], bottest.LatheFiles["greet.go"], "and no other")
}
