package record

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// forgotten returns a run as it is when its sources are deleted.
func forgotten(run port.Run) port.Run {
	kept := map[string]port.Step{}
	for name, step := range run.Steps {
		kept[name] = Forget(name, step)
	}
	run.Steps, run.Forgotten = kept, true
	return run
}

// texts returns what people and the model wrote in a run, and the lines of files in it.
func texts(rec Record) (all []string) {
	if rec.Prompt != nil {
		all = append(all, rec.Prompt.Request.System)
		for _, m := range rec.Prompt.Request.Messages {
			all = append(all, m.Text)
		}
	}
	if c := rec.FileChoice; c != nil {
		all = append(append(all, c.Request.System, c.Answer.Text), c.Chosen...)
		for _, m := range c.Request.Messages {
			all = append(all, m.Text)
		}
	}
	for _, turn := range rec.Turns {
		all = append(all, turn.Ask, turn.Answer.Text)
	}
	applications := rec.Applications
	if rec.Preview != nil {
		applications = append(applications, rec.Preview.Application)
	}
	if rec.Committed != nil {
		applications = append(applications, rec.Committed.Application)
		all = append(all, rec.Committed.Patch.Text)
		for _, n := range rec.Committed.Notes {
			all = append(all, n.Body)
		}
	}
	for _, a := range applications {
		for _, r := range a.Results {
			all = append(append(append(all, r.Diff, r.Want, r.Have, r.Detail, r.Purpose), r.Nearest...), r.Around...)
		}
	}
	if rec.Source != nil {
		all = append(all, rec.Source.Text)
	}
	if rec.Target != nil {
		all = append(all, rec.Target.About)
	}
	return all
}

func TestARunWithoutItsSourcesCanStillBeRead(t *testing.T) {
	t.Parallel()
	for _, story := range goldenStories(t) {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			for _, run := range story.runs {
				before, err := Load(run.Run)
				require.NoError(t, err)
				after, err := Load(forgotten(run.Run))
				require.NoError(t, err)
				require.True(t, after.Forgotten)
				requireSameOutcome(t, before, after)
				for _, text := range texts(after) {
					require.Empty(t, text)
				}
				again, err := Load(forgotten(forgotten(run.Run)))
				require.NoError(t, err)
				require.Equal(t, after, again)
			}
		})
	}
}

// requireSameOutcome requires that a record says the same of what the run did.
func requireSameOutcome(t *testing.T, before, after Record) {
	t.Helper()
	made, ok := before.Commit()
	left, still := after.Commit()
	require.Equal(t, made, left)
	require.Equal(t, ok, still)
	require.Equal(t, before.Answer, after.Answer)
	require.Equal(t, before.Final, after.Final)
	require.Equal(t, before.Undo, after.Undo)
	require.Equal(t, before.Committing, after.Committing)
	require.Equal(t, before.Prompt == nil, after.Prompt == nil)
	require.Equal(t, before.Preview == nil, after.Preview == nil)
	require.Len(t, after.Turns, len(before.Turns))
	for i, turn := range before.Turns {
		require.Equal(t, turn.Answer.Usage, after.Turns[i].Answer.Usage, "the figures")
	}
	require.Len(t, after.Applications, len(before.Applications))
	require.Equal(t, Count(before.LastApplication().Results), Count(after.LastApplication().Results))
}

// Whatever else a form gets one day, a golden run that has it shows whether it is dropped.
func TestNoLineOfAFileOrAnAnswerIsLeft(t *testing.T) {
	t.Parallel()
	searched := 0
	for _, story := range goldenStories(t) {
		for _, run := range story.runs {
			before, err := Load(run.Run)
			require.NoError(t, err)
			var left strings.Builder
			for _, step := range forgotten(run.Run).Steps {
				left.Write(step.Data)
			}
			for _, text := range texts(before) {
				for line := range strings.SplitSeq(text, "\n") {
					quoted, err := json.Marshal(strings.TrimSpace(line))
					require.NoError(t, err)
					inner := strings.Trim(string(quoted), `"`)
					if len(inner) > 24 && !strings.HasPrefix(inner, "Subject") && !isSubject(before, inner) {
						searched++
						require.NotContains(t, left.String(), inner, "%s: run %s", story.name, run.ID)
					}
				}
			}
		}
	}
	require.Greater(t, searched, 1000)
}

// isSubject reports whether a line of an answer is the subject of the commit, which the branch shows too.
func isSubject(rec Record, line string) bool {
	return rec.Committed != nil && rec.Committed.Subject != "" && strings.Contains(line, rec.Committed.Subject)
}

func TestAStepThatCannotBeReadIsNotTakenForAnEmptyOne(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]port.Step{
		"commit":  {Version: 99, Data: []byte(`{"secret":"x"}`)},
		"context": {Version: 1, Data: []byte(`damaged`)},
		"novelty": {Version: 1, Data: []byte(`{"secret":"x"}`)},
	} {
		kept := Forget(name, step)
		require.Equal(t, port.Step{Version: step.Version, Data: []byte(`"deleted"`)}, kept)
		_, err := Load(port.Run{Steps: map[string]port.Step{name: kept}})
		var unreadable *UnreadableError
		require.ErrorAs(t, err, &unreadable, name)
		var commit Committed
		require.Error(t, json.Unmarshal(kept.Data, &commit))
	}
}
