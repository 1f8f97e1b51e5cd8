package bot

import (
	"context"
	"fmt"

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

// job is a conversation with a model that came to edits of a target.
type job struct {
	target   target
	question question
	talk     talk
}

// task is what the model is asked for.
type task struct {
	// text is what to do, in the words of who asked.
	text string
	// sources are texts in which files are named, the most telling first; files are what it is about besides, before all of those.
	sources []string
	files   []TaskFile
	// at is where the answer stands.
	at Place
	// kind is what the model is first asked for, and write writes that request.
	kind  turnKind
	write func(prompts.Input) (system, user string)
	// retry is what is left of an earlier run, reviews are threads to be settled.
	retry   *prompts.Retry
	reviews reviews
}

// about is the comment whose text and place on the diff the run is about.
func (s *session) about() Comment {
	if s.first != nil {
		return *s.first
	}
	return s.ev.Comment
}

// task is what the command says.
func (s *session) task() task {
	return task{text: s.inv.text, sources: []string{s.about().Body}, at: s.place(), kind: turnFix, write: prompts.Fix}
}

// prepare opens the target, says so in an answer, and asks the model.
func (s *session) prepare(ctx context.Context, what task) (job, error) {
	model, err := s.model()
	if err != nil {
		return job{}, err
	}
	j := job{}
	if j.target, err = step(ctx, s.journal, "open", func() (target, error) { return s.open(ctx) }); err != nil {
		return job{}, err
	}
	if _, over := s.run.Steps["report"]; !over { // else the last word stands already
		s.watch(ctx, j.target)
	}
	// What people see need not be there before the work begins; if it is not cut off, it is known what there is.
	whole, end := beyondCancel(ctx)
	defer end()
	err = together(
		func() error { return s.announce(whole, what.at, j.target) },
		func() error { return s.openCheck(whole, j.target) },
		func() (err error) {
			j.question, err = step(ctx, s.journal, "context", func() (question, error) {
				q, err := s.gather(ctx, j.target, what)
				q.Request.Model = model.Name
				return q, err
			})
			return err
		},
	)
	if err != nil {
		return job{}, err
	}
	j.target.SHA = j.question.Base
	s.at(func(now *shownStatus) { now.target, now.files = j.target, j.question.Files })
	if j.talk, err = s.converse(ctx, j.target, j.question); err != nil {
		return job{}, err
	}
	j.question = j.talk.extend(j.question)
	return j, nil
}

// announce makes the answer that is edited from now on.
func (s *session) announce(ctx context.Context, at Place, t target) error {
	body := statusBody(s.subject(), status{target: t})
	said, fresh, err := s.say(ctx, at, body)
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
func (s *session) deliver(ctx context.Context, j job) error {
	ctx, end, err := s.irrevocable(ctx)
	if err != nil {
		return err
	}
	defer end()
	made, err := step(ctx, s.journal, "commit", func() (committed, error) { return s.applyAndCommit(ctx, j.target, j.question, j.talk) })
	if err != nil {
		return err
	}
	if j.target, err = s.pull(ctx, j, made); err != nil {
		return err
	}
	if made, err = s.suggest(ctx, j.target, made); err != nil {
		return err
	}
	s.unwatch()
	err = together(
		func() error {
			_, err := s.answer(ctx, s.place(), s.report(j.target, j.question, j.talk, made))
			return err
		},
		func() error { return s.closeCheck(ctx, s.checkOf(j, made), made.SHA, j.target.PullURL) },
	)
	if err != nil {
		return err
	}
	if err := s.answerThreads(ctx, s.summary(j.target, j.question, j.talk, made)); err != nil {
		return err
	}
	s.react(ctx, made.reaction())
	return nil
}

// pull opens the pull request of an issue's branch, when there is something in it. One that GitHub refuses is for a person to open:
// what was committed has to be told all the same.
func (s *session) pull(ctx context.Context, j job, made committed) (target, error) {
	t := j.target
	if t.Pull != 0 || made.SHA == "" {
		return t, nil
	}
	return step(ctx, s.journal, "pull", func() (target, error) {
		p, ok, err := s.GitHub.FindPull(ctx, s.ev.Repo, t.Branch)
		if err == nil && (!ok || p.State != "open") {
			p, err = s.GitHub.CreatePull(ctx, s.ev.Repo, NewPull{
				Title: pullTitle(t), Body: pullBody(s.subject(), s.summary(j.target, j.question, j.talk, made)), Head: t.Branch, Base: t.Base, Draft: true,
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
