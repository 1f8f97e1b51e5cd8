package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// retest asks the model for further edits after a workflow failed on those so far, if a call is left and it is known
// what the workflow printed, and reports whether there are any. results are those of the edits so far. What is true of
// rewrite as to a cancel, and to a model that does not answer, is true here.
func (d dialogue) retest(ctx context.Context, j *conversation.Job, head record.Target, test record.Verification,
	results []engine.Result) (bool, error) {
	if !j.Conversation.MayAskAgain() {
		return false, nil
	}
	failed, err := d.prompter.ci.ofWorkflow(ctx, test.Commit, test.WorkflowRun)
	var wait *port.WaitError
	later := errors.As(err, &wait) && !permanent(err) && d.now().Sub(test.Begun) < verifyPatience
	switch {
	case err != nil && (ctx.Err() != nil && cancelled(ctx) == nil || later):
		return false, fmt.Errorf("reading why %s failed: %w", test.Workflow, err)
	case err != nil:
		d.log.WarnContext(ctx, "cannot read why the workflow failed", "workflow", test.Workflow, "error", err)
	}
	return d.askFurther(ctx, j, head, results, func(prompt record.Prompt) (record.Turn, error) {
		return d.verifyTurn(prompt, j.Conversation, test.Workflow, failed)
	})
}

// verifyTurn is the turn that shows why a workflow failed. Its kind is empty if that is not known.
func (d dialogue) verifyTurn(prompt record.Prompt, c conversation.Conversation, workflow string,
	failed failures) (next record.Turn, err error) {
	key := d.prompter.newKey()
	said := c.Request(prompt, "")
	if err := unused(key, said); err != nil {
		return next, err
	}
	shown := failed.shown(retrieve.WindowOf(d.models.named(prompt.Request.Model)).RoundBytes(said.Tokens()))
	if strings.TrimSpace(shown.output()) == "" {
		return next, nil
	}
	next.Ask, err = sealed(key, func(key string) string {
		return prompts.Verify(prompts.VerifyInput{Workflow: workflow, CI: shown.prompt, Nonce: key})
	})
	next.Kind, next.More = record.TurnVerify, &record.Prompt{Key: key, CI: shown.recorded}
	return next, err
}
