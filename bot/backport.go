package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// picker replays commits onto branches. The new commits are on no branch yet.
type picker struct {
	github   port.GitHub
	files    *workspace
	ev       port.Event
	policy   policy.Policy
	messages messages
	token    port.TokenKind
	history  history.Thread
	isOwn    func(port.User) bool
	found    record.Backport
	// opened are the commits of the pull request and their parents, by SHA: they are the same for all branches.
	opened map[string]repo.Checkout
	log    *slog.Logger
}

func (r *run) picker(found record.Backport) picker {
	return picker{github: r.bot.GitHub, files: r.files, ev: r.ev, policy: r.policy, messages: r.messages(),
		token: r.bot.Token, history: r.history(), isOwn: r.bot.isOwn, found: found,
		opened: map[string]repo.Checkout{}, log: r.log}
}

// onto replays the commits onto a branch. What keeps it from that is part of the outcome, unless it is over later.
func (p picker) onto(ctx context.Context, branch string) (record.Picked, error) {
	picked, err := p.begin(ctx, branch)
	if err != nil || picked.Head == "" {
		return picked, err
	}
	err = p.replay(ctx, &picked)
	var user *port.UserError
	why := refused(record.Target{Branch: picked.Head}, p.token, err)
	switch {
	case err == nil:
		return picked, nil
	case errors.As(err, &user):
		picked.Refused = user.Text
	case repo.IsGone(err):
		picked.Refused = sentence.BackportGone
	case why != "":
		p.log.InfoContext(ctx, "commits of a backport refused", "branch", branch, "error", err)
		if errors.Is(err, port.ErrDenied) && hasWorkflowAt(picked.Changed) {
			why = sentence.ChangesWorkflows
		}
		picked.Refused = sentence.BackportRefused(why)
	default:
		return picked, err
	}
	picked.Made, picked.Conflict, picked.Results = nil, "", nil
	return picked, nil
}

// maxBackports is how many branches there can be for the backports of a pull request to one branch: a new one is made
// when the pull request of the last one is closed.
const maxBackports = 20

// begin finds the tip of a branch, and a name for the new one.
func (p picker) begin(ctx context.Context, branch string) (record.Picked, error) {
	picked := record.Picked{Branch: branch}
	if branch == p.found.Base {
		picked.Refused = sentence.BackportToBase
		return picked, nil
	}
	number := p.ev.Thread.Number
	for n := 1; n <= maxBackports; n++ {
		head := backport.Branch(number, n, branch)
		if !command.ValidBranch(head) {
			picked.Refused = sentence.BackportName
			return picked, nil
		}
		tips, err := p.files.repos.Tips(ctx, p.files.repo, branchRef(branch), branchRef(head))
		if err != nil {
			return picked, fmt.Errorf("asking for the tip of %s: %w", branch, err)
		}
		if picked.Tip = tips[branchRef(branch)]; picked.Tip == "" {
			picked.Refused = sentence.BackportNoTo
			return picked, nil
		}
		pull, ok, err := p.github.FindPull(ctx, p.ev.Repo, head)
		switch {
		case err != nil:
			return picked, fmt.Errorf("looking for the pull request of %s: %w", head, err)
		case ok && pull.State == "open" && pull.Base == branch:
			picked.Open, picked.OpenURL = pull.Number, pull.URL
			return picked, nil
		case !ok && tips[branchRef(head)] != "":
			picked.Refused = sentence.BackportLeft(head, p.github.Links(p.ev.Thread).NewPull(branch, head))
			return picked, p.unlessLagging(ctx, head)
		case !ok:
			picked.Head = head
			return picked, nil
		}
	}
	picked.Refused = sentence.BackportTooMany(maxBackports, backport.Branch(number, 2, branch))
	return picked, nil
}

// unlessLagging returns an error if an earlier run opened a pull request of a branch, which GitHub does not list yet.
func (p picker) unlessLagging(ctx context.Context, head string) error {
	opened, err := p.history.Backported(ctx, head)
	if err == nil && opened {
		err = lagging("GitHub does not list the pull request of %s yet", head)
	}
	return err
}

// replay stages the commits one after the other, and then makes those that change something.
func (p picker) replay(ctx context.Context, picked *record.Picked) error {
	log, err := p.github.Log(ctx, p.ev.Repo, picked.Tip)
	if errors.Is(err, port.ErrNotFound) {
		return lagging("%w", err)
	}
	if err != nil {
		return err
	}
	tip, err := p.files.branches().open(ctx, record.Target{Branch: picked.Branch}, picked.Tip)
	if err != nil {
		return err
	}
	var uploads []port.Upload
	before, err := sumOfStaged(tip)
	if err != nil {
		return err
	}
	for _, c := range p.found.Commits {
		if by := c.In(log); by != "" {
			picked.There = append(picked.There, record.PickedCommit{Of: c.SHA, SHA: by})
			continue
		}
		results, err := p.stage(ctx, tip, picked.Branch, c)
		if err != nil {
			return err
		}
		if len(results) > 0 {
			picked.Conflict, picked.Results, picked.Made, picked.Changed = c.SHA, results, nil, nil
			return nil
		}
		after, err := sumOfStaged(tip)
		if err != nil {
			return err
		}
		if after == before {
			picked.There = append(picked.There, record.PickedCommit{Of: c.SHA})
			continue
		}
		before = after
		up := port.Upload{Tree: tip.Tree(), Message: p.message(c)}
		if up.Changes, err = tip.Changes(); err != nil {
			return fmt.Errorf("listing what was staged for %s: %w", picked.Branch, err)
		}
		uploads = append(uploads, up)
		picked.Made = append(picked.Made, record.PickedCommit{Of: c.SHA})
		picked.Changed = pathsOf(up.Changes)
	}
	return p.make(ctx, picked, uploads)
}

// stage stages what a commit changed. There are results if that conflicts, and then nothing is staged.
func (p picker) stage(ctx context.Context, tip repo.Checkout, branch string, c backport.Commit) ([]record.Result,
	error) {
	from, err := p.open(ctx, c.From)
	if err != nil {
		return nil, err
	}
	to, err := p.open(ctx, c.SHA)
	if err != nil {
		return nil, err
	}
	out, err := edit.Merge{
		Base: from, Theirs: to, Tip: tip, OursName: branch, TheirsName: c.SHA[:7],
		Reason: edit.ReasonMergeConflict, Protected: p.policy.WhyProtected,
	}.Stage(ctx)
	return record.Results(out), err
}

// open opens a commit of the history of the base.
func (p picker) open(ctx context.Context, sha string) (repo.Checkout, error) {
	if c := p.opened[sha]; c != nil {
		return c, nil
	}
	c, err := p.files.branches().open(ctx, record.Target{Branch: p.found.Base}, sha)
	if err != nil {
		return nil, fmt.Errorf("opening a commit of pull request %d: %w", p.ev.Thread.Number, err)
	}
	p.opened[sha] = c
	return c, nil
}

// make makes the commits, each on top of the one before. All trees are made from that of the tip, and a file is sent
// once.
func (p picker) make(ctx context.Context, picked *record.Picked, uploads []port.Upload) error {
	parent, sent := picked.Tip, map[string]bool{}
	for i, up := range uploads {
		up.Parent = parent
		for n, c := range up.Changes {
			switch {
			case c.Data == nil:
			case sent[c.Blob]:
				up.Changes[n].Data = nil
			default:
				sent[c.Blob] = true
			}
		}
		sha, err := p.github.MakeCommit(ctx, p.ev.Repo, up)
		if err != nil {
			return fmt.Errorf("making a commit for %s: %w", picked.Branch, err)
		}
		picked.Made[i].SHA, parent = sha, sha
	}
	return nil
}

// message returns the message of a new commit.
func (p picker) message(c backport.Commit) string {
	var trailers []string
	for _, a := range c.Authors {
		switch {
		case p.isOwn(a.User):
		case a.User.Login != "":
			trailers = append(trailers, message.CoAuthor(a.User.Login, a.User.ID, p.ev.Thread.URL))
		default:
			if author := backport.CoAuthor(a); author != "" {
				trailers = append(trailers, author)
			}
		}
	}
	return c.FullMessage(append(trailers, p.messages.trailer())...)
}

func pathsOf(changes []port.Change) []string {
	list := make([]string, len(changes))
	for i, c := range changes {
		list[i] = c.Path
	}
	return list
}
