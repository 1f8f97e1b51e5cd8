package bot

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

// runFix is the main job: open, context, ask, apply and commit, report; each recorded before the next begins.
func runFix(ctx context.Context, s *session) error {
	j, err := s.prepare(ctx, s.task())
	if err != nil {
		return err
	}
	return s.deliver(ctx, j)
}

// task is what the model is asked for.
type task struct {
	// text is what to do, in the words of who asked.
	text string
	// sources are texts in which files are named, the most telling first; files are what it is about besides, before all of those.
	sources []string
	files   []retrieve.TaskFile
	// at is where the answer stands.
	at port.Place
	// kind is what the model is first asked for, and write writes that request.
	kind  record.TurnKind
	write func(prompts.Input) (system, user string)
	// retry is what is left of an earlier run, reviews are threads to be settled.
	retry   *prompts.Retry
	reviews reviews
}

// about is the comment whose text and place on the diff the run is about.
func (s *session) about() port.Comment {
	if s.first != nil {
		return *s.first
	}
	return s.ev.Comment
}

// task is what the command says.
func (s *session) task() task {
	return task{text: s.inv.Text, sources: []string{s.about().Body}, at: s.answerPlace(), kind: record.TurnFix, write: prompts.Fix}
}

// prepare opens the target, says so in an answer, and asks the model.
func (s *session) prepare(ctx context.Context, what task) (conversation.Job, error) {
	model, err := s.model()
	if err != nil {
		return conversation.Job{}, err
	}
	j := conversation.Job{}
	if j.Target, err = record.Do(ctx, s.Journal, "open", func() (record.Target, error) { return s.open(ctx) }); err != nil {
		return conversation.Job{}, err
	}
	if _, over := s.Run.Steps["report"]; !over { // else the last word stands already
		s.watch(ctx, j.Target)
	}
	// What people see need not be there before the work begins; if it is not cut off, it is known what there is.
	whole, end := uncancellable(ctx)
	defer end()
	err = together(
		func() error { return s.announce(whole, what.at, j.Target) },
		func() error { return s.openCheck(whole, j.Target) },
		func() (err error) {
			j.Question, err = record.Do(ctx, s.Journal, "context", func() (record.Prompt, error) {
				q, err := s.buildPrompt(ctx, j.Target, what)
				q.Request.Model = model.Name
				return q, err
			})
			return err
		},
	)
	if err != nil {
		return conversation.Job{}, err
	}
	j.Target.SHA = j.Question.Base
	s.at(func(now *shownStatus) { now.Target, now.Files = j.Target, j.Question.Files })
	if j.Talk, err = s.converse(ctx, j.Target, j.Question); err != nil {
		return conversation.Job{}, err
	}
	j.Question = j.Talk.Extend(j.Question)
	return j, nil
}

// announce makes the answer that is edited from now on.
func (s *session) announce(ctx context.Context, at port.Place, t record.Target) error {
	body := report.StatusBody(s.subject(), report.Status{Target: t})
	said, fresh, err := s.makeAnswer(ctx, at, body)
	if err != nil {
		return err
	}
	s.at(func(now *shownStatus) { now.said = said })
	if !fresh && s.progress != nil { // it says that the run waits, or how far it was when it died
		s.progressTo(ctx, said, body)
	}
	return nil
}

// deliver applies and commits what the conversation came to, and answers. From here on it is too late to cancel the run.
func (s *session) deliver(ctx context.Context, j conversation.Job) error {
	ctx, end, err := s.pointOfNoReturn(ctx)
	if err != nil {
		return err
	}
	defer end()
	made, err := record.Do(ctx, s.Journal, "commit", func() (record.Committed, error) { return s.applyAndCommit(ctx, j.Target, j.Question, j.Talk) })
	if err != nil {
		return err
	}
	if j.Target, err = s.pull(ctx, j, made); err != nil {
		return err
	}
	if made, err = s.suggest(ctx, j.Target, made); err != nil {
		return err
	}
	s.unwatch()
	err = together(
		func() error {
			_, err := s.answer(ctx, s.answerPlace(), s.report(j.Target, j.Question, j.Talk, made))
			return err
		},
		func() error { return s.closeCheck(ctx, s.checkOf(j, made), made.SHA, j.Target.PullURL) },
	)
	if err != nil {
		return err
	}
	if err := s.answerThreads(ctx, s.summary(j.Target, j.Question, j.Talk, made)); err != nil {
		return err
	}
	s.react(ctx, made.Reaction())
	return nil
}

// pull opens the pull request of an issue's branch, when there is something in it. One that GitHub refuses is for a person to open:
// what was committed has to be told all the same.
func (s *session) pull(ctx context.Context, j conversation.Job, made record.Committed) (record.Target, error) {
	t := j.Target
	if t.Pull != 0 || made.SHA == "" {
		return t, nil
	}
	return record.Do(ctx, s.Journal, "pull", func() (record.Target, error) {
		p, ok, err := s.GitHub.FindPull(ctx, s.ev.Repo, t.Branch)
		if err == nil && (!ok || p.State != "open") {
			p, err = s.GitHub.CreatePull(ctx, s.ev.Repo, port.NewPull{
				Title: report.PullTitle(t), Body: report.PullBody(s.subject(), s.summary(j.Target, j.Question, j.Talk, made)), Head: t.Branch, Base: t.Base, Draft: true,
			})
		}
		if permanent(err) {
			s.log.WarnContext(ctx, "pull request not opened", "branch", t.Branch, "error", err)
			t.Unopened = err.Error()
			return t, nil
		}
		if err != nil {
			return t, fmt.Errorf("opening the pull request of %s: %w", t.Branch, err)
		}
		t.Pull, t.PullURL = p.Number, p.URL
		return t, nil
	})
}
