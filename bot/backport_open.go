package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// backportOpener makes the branches of new commits, and opens their pull requests.
type backportOpener struct {
	github port.GitHub
	files  *workspace
	// again asks whether the command may still be carried out.
	again   func(ctx context.Context, head record.Target) (verdict, error)
	policy  policy.Policy
	ev      port.Event
	subject report.Subject
	found   record.Backport
	// resumed reports whether an earlier attempt may have done it all.
	resumed bool
	token   port.TokenKind
	log     *slog.Logger
}

func (r *run) backportOpener(found record.Backport) backportOpener {
	return backportOpener{github: r.bot.GitHub, files: r.files, again: r.askAgain, policy: r.policy, ev: r.ev,
		subject: r.subject(), found: found, resumed: r.resumed(), token: r.bot.Token, log: r.log}
}

// open makes the branch, at the recorded commit, and opens the pull request. It does nothing if there is nothing new.
func (o backportOpener) open(ctx context.Context, to report.BackportTo) (record.PickedPull, error) {
	picked := to.Picked
	sha := picked.SHA()
	if sha == "" {
		return record.PickedPull{}, nil
	}
	if o.resumed {
		pull, ok, err := o.pullAt(ctx, picked.Head, sha)
		if ok || err != nil {
			return record.PickedPull{Pull: pull.Number, URL: pull.URL, Draft: pull.Draft, Pushed: ok}, err
		}
	}
	opened, err := o.push(ctx, picked.Head, sha)
	if err != nil || !opened.Pushed {
		return opened, err
	}
	done := report.Backport{Backport: o.found, Links: o.subject.Links}
	pull := port.NewPull{Head: picked.Head, Base: picked.Branch, Draft: o.isDraft(picked)}
	pull.Title, pull.Body = report.BackportPull(o.subject, done, to)
	made, err := o.github.CreatePull(ctx, o.ev.Repo, pull)
	if errors.Is(err, port.ErrExists) { // an attempt before opened it, or this one, whose answer was lost
		var ok bool
		if made, ok, err = o.pullAt(ctx, picked.Head, sha); !ok && err == nil {
			err = lagging("GitHub has a pull request of %s and does not list it yet", picked.Head)
		}
	}
	switch {
	case permanent(err):
		o.log.WarnContext(ctx, "pull request of a backport not opened", "branch", picked.Head, "error", err)
		opened.Unopened = err.Error()
		return opened, nil
	case err != nil:
		return opened, fmt.Errorf("opening the pull request of %s: %w", picked.Head, err)
	}
	opened.Pull, opened.URL, opened.Draft = made.Number, made.URL, made.Draft
	return opened, nil
}

// isDraft reports whether people have to look at a backport before others do: a model wrote new lines, or a text has a
// problem.
func (o backportOpener) isDraft(picked record.Picked) bool {
	return picked.Broken > 0 || picked.New > 0 && o.policy.NewLines != policy.AllowNew
}

// pullAt finds the pull request of a branch, if it is of a commit, or of later ones that people pushed on top of it.
func (o backportOpener) pullAt(ctx context.Context, head, sha string) (port.PullRequest, bool, error) {
	pull, ok, err := o.github.FindPull(ctx, o.ev.Repo, head)
	if err != nil {
		return pull, false, fmt.Errorf("looking for the pull request of %s: %w", head, err)
	}
	if !ok || pull.Head.SHA == sha {
		return pull, ok, nil
	}
	ok, err = o.isBefore(ctx, sha, pull.Head.SHA)
	return pull, ok, err
}

// isBefore reports whether a commit is among the newest of the history of a later one.
func (o backportOpener) isBefore(ctx context.Context, sha, later string) (bool, error) {
	log, err := o.github.Log(ctx, o.ev.Repo, later)
	if errors.Is(err, port.ErrNotFound) {
		return false, lagging("%w", err)
	}
	return slices.ContainsFunc(log, func(c port.LoggedCommit) bool { return c.SHA == sha }), err
}

// isOn reports whether a branch has a commit: an attempt before made the branch, and people pushed to it since.
func (o backportOpener) isOn(ctx context.Context, branch, sha string) (bool, error) {
	tips, err := o.files.repos.Tips(ctx, o.files.repo, branchRef(branch))
	if err != nil {
		return false, fmt.Errorf("asking for the tip of %s: %w", branch, err)
	}
	tip := tips[branchRef(branch)]
	if tip == "" {
		return false, nil
	}
	return o.isBefore(ctx, sha, tip)
}

// push makes the branch, which has the commit already if an attempt before did.
func (o backportOpener) push(ctx context.Context, head, sha string) (record.PickedPull, error) {
	now, err := o.again(ctx, record.Target{Branch: head, SHA: sha})
	switch {
	case err != nil:
		return record.PickedPull{}, err
	case now.refusal != "":
		return record.PickedPull{Refused: now.refusal}, nil
	case !now.policy.TreatsEditsAs(o.policy):
		return record.PickedPull{Refused: sentence.SettingsChanged}, nil
	}
	err = o.github.MoveBranch(ctx, o.ev.Repo, head, "", sha)
	why := refused(record.Target{Branch: head}, o.token, err)
	switch {
	case err == nil:
		return record.PickedPull{Pushed: true}, nil
	case errors.Is(err, port.ErrMoved):
		if ok, err := o.isOn(ctx, head, sha); ok || err != nil {
			return record.PickedPull{Pushed: ok}, err
		}
		return record.PickedPull{Refused: sentence.BackportTaken}, nil
	case why != "":
		o.log.InfoContext(ctx, "branch of a backport refused", "branch", head, "error", err)
		return record.PickedPull{Refused: why, Said: saidOf(err)}, nil
	}
	return record.PickedPull{}, fmt.Errorf("making the branch %s: %w", head, err)
}

// hasWorkflowAt reports whether one of some paths is that of a workflow.
func hasWorkflowAt(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(p, workflowFiles) })
}
