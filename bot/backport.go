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
	journal  *record.Journal
	messages messages
	token    port.TokenKind
	history  history.Thread
	isOwn    func(port.User) bool
	found    record.Backport
	// selected is what somebody selected for the conflicts of a single branch; resolver has a model choose for others.
	selected selection
	resolver *resolver
	// opened are the commits of the pull request and their parents, by SHA: they are the same for all branches.
	opened map[string]repo.Checkout
	log    *slog.Logger
}

func (r *run) picker(found record.Backport) picker {
	merged := record.Target{Branch: found.Base, SHA: found.Commits[len(found.Commits)-1].SHA}
	return picker{github: r.bot.GitHub, files: r.files, ev: r.ev, policy: r.policy, journal: r.journal,
		messages: r.messages(), token: r.bot.Token, history: r.history(), isOwn: r.bot.isOwn, found: found,
		selected: selection{choices: r.inv.Choices}, resolver: r.resolver(merged),
		opened: map[string]repo.Checkout{}, log: r.log}
}

// pickPlan is what is to be made for a branch.
type pickPlan struct {
	picked record.Picked
	// uploads are the new commits, oldest first.
	uploads []port.Upload
	// settled are the conflicts that are settled by choosing, or can be; nil if there are none.
	settled *settledPicks
}

// add adds a commit of what is staged on a tip.
func (n *pickPlan) add(tip repo.Checkout, of, message string) error {
	changes, err := tip.Changes()
	if err != nil {
		return fmt.Errorf("listing what was staged for %s: %w", n.picked.Branch, err)
	}
	n.uploads = append(n.uploads, port.Upload{Tree: tip.Tree(), Message: message, Changes: changes})
	n.picked.Made = append(n.picked.Made, record.PickedCommit{Of: of})
	n.picked.Changed = pathsOf(changes)
	return nil
}

// drop drops the new commits.
func (n *pickPlan) drop() { n.uploads, n.picked.Made, n.picked.Changed = nil, nil, nil }

// plan replays the commits onto a branch in memory, and has its conflicts settled. What keeps it from that is part of
// the outcome, unless it is over later.
func (p picker) plan(ctx context.Context, branch string) (pickPlan, error) {
	n := pickPlan{}
	var err error
	if n.picked, err = p.begin(ctx, branch); err != nil || n.picked.Head == "" {
		return n, err
	}
	if !p.selected.fresh() {
		_, err = p.earlier(ctx, branch)
	}
	if err == nil {
		err = p.replay(ctx, &n)
	}
	return n, p.orRefused(ctx, &n, err)
}

// plans returns what is to be made for each branch. What the run has made for one is not planned again.
func (p picker) plans(ctx context.Context, branches []string) ([]pickPlan, error) {
	plans := make([]pickPlan, len(branches))
	made := p.journal.Record().Picks
	for i, branch := range branches {
		var err error
		if i < len(made) {
			plans[i].settled, err = p.again(ctx, made[i])
		} else {
			plans[i], err = p.plan(ctx, branch)
		}
		if err != nil {
			return nil, err
		}
	}
	return plans, nil
}

// make makes the commits, and returns what was made.
func (p picker) make(ctx context.Context, n pickPlan) (record.Picked, error) {
	err := p.orRefused(ctx, &n, p.upload(ctx, &n.picked, n.uploads))
	return n.picked, err
}

// orRefused makes an error the outcome for a branch, unless it is over later.
func (p picker) orRefused(ctx context.Context, n *pickPlan, err error) error {
	var user *port.UserError
	why := refused(record.Target{Branch: n.picked.Head}, p.token, err)
	switch {
	case err == nil, ctx.Err() != nil:
		return err
	case errors.As(err, &user):
		n.picked.Refused = user.Text
	case repo.IsGone(err):
		n.picked.Refused = sentence.BackportGone
	case why != "":
		p.log.InfoContext(ctx, "commits of a backport refused", "branch", n.picked.Branch, "error", err)
		if errors.Is(err, port.ErrDenied) && hasWorkflowAt(n.picked.Changed) {
			why = sentence.ChangesWorkflows
		}
		n.picked.Refused = sentence.BackportRefused(why)
	default:
		return err
	}
	n.drop()
	n.picked.Conflict, n.picked.Results = "", nil
	return nil
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

// replay stages the commits that the branch does not have, one after the other. If one conflicts, all are merged as
// one, and the conflicts of that are settled.
func (p picker) replay(ctx context.Context, n *pickPlan) error {
	log, err := p.github.Log(ctx, p.ev.Repo, n.picked.Tip)
	if errors.Is(err, port.ErrNotFound) {
		return lagging("%w", err)
	}
	if err != nil {
		return err
	}
	tip, err := p.tip(ctx, n.picked)
	if err != nil {
		return err
	}
	before, err := sumOfStaged(tip)
	if err != nil {
		return err
	}
	for _, c := range p.found.Commits {
		if by := c.In(log); by != "" {
			n.picked.There = append(n.picked.There, record.PickedCommit{Of: c.SHA, SHA: by})
			continue
		}
		results, err := p.stage(ctx, tip, n.picked.Branch, c)
		if err != nil {
			return err
		}
		if len(results) > 0 {
			n.drop()
			n.picked.Conflict, n.picked.Results = c.SHA, results
			return p.settle(ctx, n, log)
		}
		after, err := sumOfStaged(tip)
		if err != nil {
			return err
		}
		if after == before {
			n.picked.There = append(n.picked.There, record.PickedCommit{Of: c.SHA})
			continue
		}
		before = after
		if err := n.add(tip, c.SHA, p.message(c)); err != nil {
			return err
		}
	}
	return nil
}

// left returns the commits that a branch with some newest commits does not have, and those that it has.
func (p picker) left(log []port.LoggedCommit) (list []backport.Commit, there []record.PickedCommit) {
	for _, c := range p.found.Commits {
		by := c.In(log)
		if by == "" {
			list = append(list, c)
			continue
		}
		there = append(there, record.PickedCommit{Of: c.SHA, SHA: by})
	}
	return list, there
}

// tip opens the tip of a branch, on which nothing is staged.
func (p picker) tip(ctx context.Context, picked record.Picked) (repo.Checkout, error) {
	return p.files.branches().open(ctx, record.Target{Branch: picked.Branch}, picked.Tip)
}

// stage stages what a commit changed. There are results if that conflicts, and then nothing is staged.
func (p picker) stage(ctx context.Context, tip repo.Checkout, branch string, c backport.Commit) ([]record.Result,
	error) {
	from, to, err := p.sides(ctx, c)
	if err != nil {
		return nil, err
	}
	out, err := edit.Merge{
		Base: from, Theirs: to, Tip: tip, OursName: branch, TheirsName: c.SHA[:7],
		Reason: edit.ReasonMergeConflict, Protected: p.policy.WhyProtected,
	}.Stage(ctx)
	return record.Results(out), err
}

// sides opens what a commit to be made is the difference of.
func (p picker) sides(ctx context.Context, c backport.Commit) (from, to repo.Checkout, err error) {
	if from, err = p.open(ctx, c.From); err == nil {
		to, err = p.open(ctx, c.SHA)
	}
	return from, to, err
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

// upload makes the commits, each on top of the one before. All trees are made from that of the tip, and a file is sent
// once.
func (p picker) upload(ctx context.Context, picked *record.Picked, uploads []port.Upload) error {
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
