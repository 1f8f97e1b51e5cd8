package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/actions"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/single"
	"github.com/tenon-bot/tenon/webhook"
)

func newActionCmd() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "action",
		Short: "Carry out the command of one event, in a job of GitHub Actions",
		Long: `action is for a step of a GitHub Actions workflow: it reads the event that started the job,
carries out the command in it with the token of the job, and answers on GitHub as the server does.
There is no server, no GitHub App and no database. docs/github-action.md has a workflow to copy.

The runner tells it of the event in GITHUB_EVENT_NAME and GITHUB_EVENT_PATH. The token is in GITHUB_TOKEN,
the model in TENON_MODEL, TENON_MODEL_BASE_URL and TENON_MODEL_API_KEY. The server's other settings, such as
TENON_COMMITS, apply too (docs/settings.md); a server file is only read if it is named.

It writes the outputs commit, applied, failed and answer-url, and a summary of the job.`,
		Example: `  # a step of a workflow
  - uses: tenon-bot/tenon@vX.Y.Z
    with:
      model: gpt-5
      api-key: ${{ secrets.OPENAI_API_KEY }}

Exit code: 0 the event gives no command, or its command was answered; 1 it could not be carried out or
answered, or was refused because of a fork's code in the workspace; 2 usage.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runAction(cmd.Context(), config.Source{File: file}, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "a YAML `file` with settings (default $TENON_CONFIG, else none)")
	return cmd
}

// maxPayload bounds the payload of an event, in bytes; GitHub's have 25 MB at most.
const maxPayload = 26 << 20

func runAction(ctx context.Context, src config.Source, out io.Writer) error {
	console := actions.NewLog(out)
	defer func() { _ = console.Flush() }()
	cfg, job, err := config.LoadJob(src)
	if err != nil {
		return err
	}
	if err := maskSecrets(console, cfg, job); err != nil {
		return err
	}
	payload, err := readPayload(job.Payload)
	if err != nil {
		return err
	}
	j := &jobRun{cfg: cfg, job: job, console: console, log: newLogger(console, cfg)}
	return j.run(ctx, payload)
}

// maskSecrets has the runner hide all secrets in the log.
func maskSecrets(console *actions.Log, cfg config.Server, job config.Job) error {
	secrets := []config.Secret{job.Token, job.HistoryKey}
	for _, m := range cfg.Models {
		secrets = append(secrets, m.APIKey)
		for _, s := range m.Headers {
			secrets = append(secrets, s)
		}
		for _, s := range m.Query {
			secrets = append(secrets, s)
		}
	}
	for _, s := range secrets {
		if err := console.Mask(s.Reveal()); err != nil {
			return err
		}
	}
	return nil
}

func readPayload(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the event that GITHUB_EVENT_PATH names: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxPayload+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the event that GITHUB_EVENT_PATH names: %w", err)
	case len(data) > maxPayload:
		return nil, errors.New("reading the event that GITHUB_EVENT_PATH names: it is larger than any of GitHub's")
	}
	return data, nil
}

func (j *jobRun) run(ctx context.Context, payload []byte) error {
	from := originOf(payload)
	if reason := j.dangerous(from); reason != "" {
		return j.refuse(reason)
	}
	b, client, err := j.connect()
	if err != nil {
		return err
	}
	ev, err := j.decode(ctx, client, payload)
	if errors.Is(err, webhook.ErrUnneeded) {
		_, err := fmt.Fprintf(j.console, "Nothing to do: %s.\n", strings.TrimPrefix(err.Error(), "not needed: "))
		return err
	}
	if err != nil {
		return fmt.Errorf("reading the event %s: %w", j.job.Event, err)
	}
	if b.Account, err = client.Account(ctx); err != nil {
		return j.refuse(jobOutcome{failure: err, from: from}.sentence())
	}
	b.Token = client.TokenKind()
	o := jobOutcome{ev: ev, from: from}
	memory := single.NewMemory(time.Now)
	queue, err := j.history(ctx, b, client, memory, ev)
	if err != nil {
		return err
	}
	if o.rec, err = queue.finished(ctx); err != nil || o.rec.Final != nil {
		o.earlier, o.failure = err == nil, err
		return j.tell(o)
	}
	if j.job.Attempt > 1 {
		memory.Begun(ev.Delivery)
	}
	end := &lastEnd{}
	b.Runs, b.Queue, b.Budget, b.Audit = memory, queue, memory, end
	if o.failure = j.carryOut(ctx, b, ev); o.failure != nil {
		j.log.ErrorContext(ctx, "the command failed", "error", o.failure)
	}
	o.end, o.rec = end.ended(), recorded(memory, ev)
	return j.tell(o)
}

// goodbye is how long a job that is cancelled has to say so in the thread: GitHub waits for 7.5 seconds before it sends
// a second signal, and then 2.5 more.
const goodbye = 7 * time.Second

// carryOut has the bot handle the event.
func (j *jobRun) carryOut(ctx context.Context, b *bot.Bot, ev port.Event) error {
	err := single.Runner{Handler: b, Patience: j.cfg.Patience, Log: j.log}.Handle(ctx, ev)
	if ctx.Err() == nil {
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer cancel()
	return errors.Join(errJobCancelled, b.DeadLetter(last, ev, errJobCancelled))
}

// refuse ends a job that must not go on.
func (j *jobRun) refuse(why string) error {
	if err := j.console.Annotate(actions.Error, why); err != nil {
		return err
	}
	return errSome
}
