package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

func TestACommandGoesThroughItsOwnStages(t *testing.T) {
	t.Parallel()
	for verb, stages := range map[string][]string{
		"fix":     {"reading the files", "asking the model", "applying the edits", "committing"},
		"preview": {"reading the files", "asking the model", "applying the edits"},
		"ask":     {"reading the files", "asking the model"},
	} {
		s := aFix()
		s.Command, _ = command.Lookup(verb)
		body := StatusBody(s, Status{Target: record.Target{Branch: "speed", Base: "main", New: true}})
		want := "⏳ **Working** for `maria` ([command](" + lathe +
			"/pull/12#issuecomment-99))\n\n- ✅ branch `speed` from `main`"
		for i, stage := range stages {
			if i == 0 {
				stage = "⏳ **" + stage + "**"
			}
			want += "\n- " + stage
		}
		require.Equal(t, want+"\n\n<sub>`/tenon cancel` stops it · run abc123def456</sub>", body)
	}
}

func TestTheLastStageTicksAllBeforeIt(t *testing.T) {
	t.Parallel()
	s := aFix()
	s.Offers, s.Event.Comment.URL = nil, ""
	now := Status{Stage: StageCommitting, Target: record.Target{Branch: "speed", SHA: someSHA}, Call: 2,
		Blocks: []string{"a.go"}}
	for i := range 12 {
		now.Files = append(now.Files, retrieve.ShownFile{Path: fmt.Sprintf("%d.go", i)})
	}
	require.Equal(t, "⏳ **Working** for `maria`\n\n- ✅ opened `speed` at [`0123456`]("+lathe+"/commit/"+someSHA+")\n"+
		"- ✅ read 12 files: `0.go`, `1.go`, `2.go`, `3.go`, `4.go`, `5.go`, `6.go`, `7.go`, `8.go`, `9.go` and 2 more\n"+
		"- ✅ asked the model, 2 times\n- ✅ applied the edits\n- ⏳ **committing**\n\n<sub>run abc123def456</sub>",
		StatusBody(s, now))
}

func TestTheCallsOfTheModelAreCounted(t *testing.T) {
	t.Parallel()
	for call, want := range map[int][2]string{
		0: {"asking the model", "asked the model"}, 1: {"asking the model", "asked the model"},
		2: {"asking the model, question 2", "asked the model, 2 times"},
	} {
		require.Equal(t, want, [2]string{Status{Call: call}.asking(false), Status{Call: call}.asking(true)})
	}
	queued := Status{Call: 2, Queued: true}
	require.Equal(t, "waiting for the model, which answers other commands", queued.asking(false))
	require.Equal(t, "asked the model, 2 times", queued.asking(true))
	now := Status{Stage: StageAsking, Blocks: []string{"a.go", "b`c.go"}}
	require.Equal(t, " · wrote edit 2: `` b`c.go ``", now.writing())
	now.Stage = StageApplying
	require.Empty(t, now.writing())
}

func TestHowFarARunIsIsReadFromItsRecord(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		steps []string
		stage Stage
		call  int
	}{
		"nothing yet":         {nil, StageReading, 1},
		"opened":              {[]string{"open"}, StageReading, 1},
		"asked":               {[]string{"open", "context"}, StageAsking, 1},
		"answered twice":      {[]string{"open", "context", "ask.1", "ask.2"}, StageAsking, 3},
		"cannot be cancelled": {[]string{"open", "context", "ask.1", "committing"}, StageCommitting, 2},
		"committed":           {[]string{"open", "committing", "commit"}, StageAnswering, 1},
	} {
		now := StatusOf(queued("maria", "", 1, true, c.steps...).Run)
		require.Equal(t, c.stage, now.Stage, story)
		require.Equal(t, c.call, now.Call, story)
	}
}

func TestACommandThatCannotBeCancelledDoesNotSayHow(t *testing.T) {
	t.Parallel()
	s := aFix()
	s.Offers = func(verb string) bool { return verb != "cancel" }
	s.Event.Thread.Pull = false
	notice := QueuedNotice(s, "", port.Event{Sender: port.User{Login: "jan"}})
	require.True(t, strings.HasPrefix(notice, "⏳ **Waiting** for a command by `jan`, which comes first on this issue."),
		notice)
	require.True(t, strings.HasSuffix(notice, "starts automatically.\n\n<sub>run abc123def456</sub>"), notice)
}
