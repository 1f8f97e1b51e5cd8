package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// offerable returns the sum of what was staged if another branch of the repository may take it: this is the default
// branch, or a rule or protection keeps the app from it alone. refusal is GitHub's.
func offerable(head record.Target, checkout repo.Checkout, refusal error) (string, error) {
	var rejected *port.RejectedError
	if head.Fork != nil || head.New || head.ReadOnly == "" && !errors.As(refusal, &rejected) {
		return "", nil
	}
	return sumOfStaged(checkout)
}

// offerer offers to open a pull request for edits that their branch does not take.
type offerer struct {
	answers answers
	sealer  sealer
	log     *slog.Logger
	// offers reports whether a command may be given here.
	offers func(verb string) bool
}

// offer offers, in a comment with a box, to open a pull request against the branch that takes no commits. The answer
// itself is a review, in which nobody can tick anything. What it does not show whole is not offered.
func (o offerer) offer(ctx context.Context, d delivered, body string) error {
	if d.made.Staged == "" || !o.offers(command.Apply) || !showsPatch(body, d.made.Patch) {
		return nil
	}
	a := o.answers
	_, err := record.Do(ctx, a.journal, record.Offered, func(ctx context.Context) (record.AnswerComment, error) {
		rec := a.journal.Record()
		offer := report.Offer{Run: rec.ID, Branch: d.target.Branch, From: offerBranch(a.ev.Thread.Number, rec.ID),
			Edits: record.Count(d.made.Results).Applied}
		if rec.Final != nil {
			offer.Answer = rec.Final.URL
		}
		return o.post(ctx, offer)
	})
	return err
}

// showsPatch reports whether an answer has all of a patch, and the patch has all of the changes.
func showsPatch(body string, p record.Patch) bool {
	return p.Text != "" && len(p.LeftOut) == 0 && strings.Contains(body, markdown.Fenced("diff", p.Text))
}

// offerBranch is the branch for the edits of a run that the branch of a pull request does not take.
func offerBranch(number int, run string) string { return fmt.Sprintf("tenon/pull-%d-%s", number, run) }

// post posts an offer unless an earlier attempt did.
func (o offerer) post(ctx context.Context, offer report.Offer) (record.AnswerComment, error) {
	a := o.answers
	at := port.Place{Number: a.ev.Thread.Number, Kind: port.IssueComment}
	if a.journal.Record().Resumed {
		c, ok, err := a.github.FindComment(ctx, a.ev.Repo, at, offer.Marker(), a.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return record.AnswerComment{}, fmt.Errorf("looking for the offer of a pull request: %w", err)
		}
		if ok {
			return record.AnswerOf(c), nil
		}
	}
	c, err := a.github.Post(ctx, a.ev.Repo, at, o.sealer.withOfferMark(offer.Body()))
	if errors.Is(err, port.ErrNotFound) || permanent(err) { // the answer says all that there is to say
		o.log.WarnContext(ctx, "pull request not offered", "error", err)
		return record.AnswerComment{}, nil
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("offering a pull request: %w", err)
	}
	return record.AnswerOf(c), nil
}

// delivered is what a run came to, before it is reported.
type delivered struct {
	target  record.Target
	made    record.Committed
	summary report.Summary
}
