package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
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

// mover finds out who moved the branch of a run.
type mover struct {
	github  port.GitHub
	history history.Thread
	files   *workspace
	ev      port.Event
	// reads reports whether the command changes nothing, isOver whether it is for a pull request that is closed, and may
	// be.
	reads  bool
	isOver func(context.Context) (bool, error)
	now    func() time.Time
}

func (r *run) mover() mover {
	return mover{github: r.bot.GitHub, history: r.history(), files: r.files, ev: r.ev, reads: r.inv.Command.ReadOnly,
		isOver: r.isOver, now: r.bot.Now}
}

// moveOf finds out who may have moved the branch of a target. What a commit says of its author proves nothing, and git
// does not tell who pushed; but who may push to a branch of the repository itself may write here, and who owns a fork
// decides who may push to that.
func (m mover) moveOf(ctx context.Context, t record.Target, from, to string) (move, error) {
	out := move{from: from, to: to}
	if m.ev.Kind == port.Autofix {
		out.stops = sentence.AutofixMoved
		return out, nil
	}
	made, err := m.history.Commits(ctx, t)
	if err != nil {
		return out, err
	}
	if out.own = made.Lead(from, to); out.own || t.Fork == nil {
		return out, nil
	}
	if t.Fork.Owner == "" { // it was deleted
		out.stranger = "ghost"
		return out, nil
	}
	permission, err := m.github.Permission(ctx, m.ev.Repo, t.Fork.Owner)
	if err != nil && !errors.Is(err, port.ErrNotFound) { // an organisation is nobody
		return out, fmt.Errorf("asking for the permission of %s, whose fork was pushed to: %w", t.Fork.Owner, err)
	}
	if err != nil || !permission.Allows(port.PermissionWrite) {
		out.stranger = t.Fork.Owner
	}
	return out, nil
}

// since returns a target whose branch may have moved since it was at a commit: with that commit if people moved it who
// may write here. A move by anybody else is a *port.UserError.
func (m mover) since(ctx context.Context, t record.Target, from string) (record.Target, error) {
	if from == "" || from == t.SHA {
		return t, nil
	}
	move, err := m.moveOf(ctx, t, from, t.SHA)
	switch {
	case err != nil:
		return record.Target{}, err
	case move.stops != "":
		return record.Target{}, sentence.AutofixStopped(t.Branch)
	case move.stranger != "":
		return record.Target{}, sentence.MovedSince(t.Branch, from, t.SHA, move.stranger,
			m.github.Links(m.ev.Thread).Compare(from, t.SHA))
	case !move.own && t.Moved == "":
		t.Moved = from
	}
	return t, nil
}

// freshTip is for how long the tip of a branch of the repository itself, to which only those push who may write here,
// is taken for the present one. Nothing depends on it: what is pushed in this time is seen at the commit, as what is
// pushed a moment later, while the model writes.
const freshTip = 3 * time.Second

// sinceOpened returns a target at the tip that the branch of its open pull request has now.
func (m mover) sinceOpened(ctx context.Context, t record.Target) (record.Target, error) {
	now := m.now()
	if !m.ev.Thread.Pull || t.Fork == nil && now.Sub(m.files.tipsAt) < freshTip {
		return t, nil
	}
	m.files.tipsAt = now
	tip, ok, err := m.files.branches().tip(ctx, t)
	switch {
	case err != nil:
		return record.Target{}, fmt.Errorf("asking for the tip of %s again: %w", t.Branch, err)
	case ok && tip == t.SHA, !ok && m.reads:
		return t, nil
	case !ok:
		return record.Target{}, sentence.BranchDeleted.Refusal()
	}
	if over, err := m.isOver(ctx); over || err != nil { // what happened to its branch does not matter
		return t, err
	}
	moved := t
	moved.SHA = tip
	return m.since(ctx, moved, t.SHA)
}

// maxMoves is how often the edits are applied again because the branch moved meanwhile.
const maxMoves = 3

// isOver reports whether the command is for a pull request that is closed, and may be.
func (r *run) isOver(ctx context.Context) (bool, error) {
	if !r.inv.Command.ReadOnly {
		return false, nil
	}
	l := r.firstLook(ctx)
	return l.pull.State != "open", l.err
}
