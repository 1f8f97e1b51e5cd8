package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// move is a move of the branch of a target from one commit to another.
type move struct {
	from, to string
	// own means that earlier runs made it.
	own bool
	// stranger is the owner of the fork that the branch is in, if that is nobody who may write here.
	stranger string
	// stops is why the run does not go on at the new tip, whoever moved the branch, as a clause; empty if it may.
	stops string
}

// moveOf finds out who may have moved the branch of a target. What a commit says of its author proves nothing, and git
// does not tell who pushed; but who may push to a branch of the repository itself may write here, and who owns a fork
// decides who may push to that.
func (r *run) moveOf(ctx context.Context, t record.Target, from, to string) (move, error) {
	m := move{from: from, to: to}
	if r.ev.Kind == port.Autofix {
		m.stops = sentence.AutofixMoved
		return m, nil
	}
	made, err := r.history().Commits(ctx, t)
	if err != nil {
		return m, err
	}
	if m.own = made.Lead(from, to); m.own || t.Fork == nil {
		return m, nil
	}
	if t.Fork.Owner == "" { // it was deleted
		m.stranger = "ghost"
		return m, nil
	}
	permission, err := r.bot.GitHub.Permission(ctx, r.ev.Repo, t.Fork.Owner)
	if err != nil && !errors.Is(err, port.ErrNotFound) { // an organisation is nobody
		return m, fmt.Errorf("asking for the permission of %s, whose fork was pushed to: %w", t.Fork.Owner, err)
	}
	if err != nil || !permission.Allows(port.PermissionWrite) {
		m.stranger = t.Fork.Owner
	}
	return m, nil
}

// since returns a target whose branch may have moved since it was at a commit: with that commit if people moved it who
// may write here. A move by anybody else is a *port.UserError.
func (r *run) since(ctx context.Context, t record.Target, from string) (record.Target, error) {
	if from == "" || from == t.SHA {
		return t, nil
	}
	m, err := r.moveOf(ctx, t, from, t.SHA)
	switch {
	case err != nil:
		return record.Target{}, err
	case m.stops != "":
		return record.Target{}, sentence.AutofixStopped(t.Branch)
	case m.stranger != "":
		return record.Target{}, sentence.MovedSince(t.Branch, from, t.SHA, m.stranger,
			report.CompareURL(r.repoURL(), from, t.SHA))
	case !m.own && t.Moved == "":
		t.Moved = from
	}
	return t, nil
}

// freshTip is for how long the tip of a branch of the repository itself, to which only those push who may write here,
// is taken for the present one. Nothing depends on it: what is pushed in this time is seen at the commit, as what is
// pushed a moment later, while the model writes.
const freshTip = 3 * time.Second

// sinceOpened returns a target at the tip that the branch of its open pull request has now.
func (r *run) sinceOpened(ctx context.Context, t record.Target) (record.Target, error) {
	now := r.bot.Now()
	if !r.ev.Thread.Pull || t.Fork == nil && now.Sub(r.files.tipsAt) < freshTip {
		return t, nil
	}
	r.files.tipsAt = now
	tip, ok, err := r.files.branches().tip(ctx, t)
	switch {
	case err != nil:
		return record.Target{}, fmt.Errorf("asking for the tip of %s again: %w", t.Branch, err)
	case ok && tip == t.SHA, !ok && r.inv.Command.ReadOnly:
		return t, nil
	case !ok:
		return record.Target{}, sentence.BranchDeleted.Refusal()
	}
	if over, err := r.isOver(ctx); over || err != nil { // what happened to its branch does not matter
		return t, err
	}
	moved := t
	moved.SHA = tip
	return r.since(ctx, moved, t.SHA)
}

// isOver reports whether the command is for a pull request that is closed, and may be.
func (r *run) isOver(ctx context.Context) (bool, error) {
	if !r.inv.Command.ReadOnly {
		return false, nil
	}
	l := r.firstLook(ctx)
	return l.pull.State != "open", l.err
}
