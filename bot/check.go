package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// checkName is what the check run is called in lists of checks.
const checkName = "tenon"

// openCheck begins the check of the run on the commit that it works on; a branch that is yet to be made has none, nor has a run that changes nothing. What a check
// shows stands in the answer too, so one that GitHub does not take is logged, no more.
func (s *session) openCheck(ctx context.Context, t record.Target) error {
	if t.New || s.inv.Command.Reads {
		return nil
	}
	id, err := record.Do(ctx, s.Journal, "check", func() (int64, error) {
		return s.createCheck(ctx, t.SHA, port.Check{Status: "queued", Title: "Taken", Summary: report.StatusBody(s.subject(), report.Status{Target: t})}), nil
	})
	s.at(func(now *shownStatus) { now.check = id })
	return err
}

func (s *session) createCheck(ctx context.Context, sha string, c port.Check) int64 {
	c.Name, c.SHA, c.Run, c.Thread = checkName, sha, s.Run.ID, s.ev.Thread.Number
	id, err := s.GitHub.CreateCheck(ctx, s.ev.Repo, c)
	if err != nil {
		s.log.WarnContext(ctx, "check not made", "error", err)
	}
	return id
}

func (s *session) updateCheck(ctx context.Context, id int64, c port.Check) {
	if id == 0 {
		return
	}
	if err := s.GitHub.UpdateCheck(ctx, s.ev.Repo, id, c); err != nil {
		s.log.WarnContext(ctx, "check not updated", "error", err)
	}
}

// endCheck completes the check of a run that ended with a sentence.
func (s *session) endCheck(ctx context.Context, text, conclusion string) {
	if id, ok, err := record.Get[int64](s.Journal, "check"); ok && err == nil {
		s.updateCheck(ctx, id, port.Check{Status: "completed", Conclusion: conclusion, Title: "Nothing was committed", Summary: text})
	}
}

// closeCheck completes the check with what became of the edits. A check stays on its commit, so the new one gets a check of its own,
// which is the one with the buttons.
func (s *session) closeCheck(ctx context.Context, c port.Check, sha, url string) error {
	_, err := record.Do(ctx, s.Journal, "check.closed", func() (int64, error) {
		c.Status, c.URL = "completed", url
		id, ok, err := record.Get[int64](s.Journal, "check")
		if err != nil {
			return 0, err
		}
		if sha == "" {
			s.updateCheck(ctx, id, c)
			return id, nil
		}
		var made int64
		err = together(
			func() error {
				if ok {
					s.updateCheck(ctx, id, port.Check{Status: "completed", Conclusion: c.Conclusion, Title: c.Title, Summary: c.Summary, URL: url})
				}
				return nil
			},
			func() error { made = s.createCheck(ctx, sha, c); return nil },
		)
		return made, err
	})
	return err
}
