package main

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/memory"
	"github.com/tenon-bot/tenon/webhook"
)

func newServeCmd() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the GitHub App: take deliveries, answer comments, commit",
		Long: `serve runs the GitHub App. It listens for GitHub's deliveries on POST /webhook, keeps them in
its database, and handles them; GET /healthz and /readyz are for monitoring.

Without a GitHub App, it logs a link to a page that creates one, and then goes on (see also tenon setup).
An App that exists already needs three settings, from its page on GitHub, and a model:

  TENON_APP_ID           the App's id
  TENON_PRIVATE_KEY_FILE the path of its private key (or the key itself in TENON_PRIVATE_KEY)
  TENON_WEBHOOK_SECRET   the secret of its webhook
  TENON_MODEL            the model's name, with TENON_MODEL_BASE_URL and TENON_MODEL_API_KEY

docs/settings.md lists all settings. On SIGTERM it accepts no new work, gives running commands a while to
finish, and stops; whatever it accepted is kept, and continues at the next start.`,
		Example: `  export TENON_APP_ID=123456 TENON_PRIVATE_KEY_FILE=tenon.pem TENON_WEBHOOK_SECRET=...
  export TENON_MODEL=gpt-5 TENON_MODEL_API_KEY=...
  tenon serve`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serve(cmd.Context(), config.Source{File: file}, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "a YAML `file` with settings (default $TENON_CONFIG, else tenon.yaml)")
	return cmd
}

func serve(ctx context.Context, src config.Source, errOut io.Writer) error {
	cfg, l, err := loadOrSetUp(ctx, src, errOut)
	if errors.Is(err, errStopped) {
		return nil
	}
	if err != nil {
		return err
	}
	obs := newObservation().bounded(cfg)
	log := slog.New(obs.metrics.Log(newLogger(errOut, cfg).Handler()))
	if obs.traces, err = newTracer(ctx, src, log); err != nil {
		return err
	}
	defer closeTracer(ctx, obs.traces, log)
	limitMemory(ctx, memlimit.FromCgroup, log)
	collectSooner(src)
	serving, stopped := context.WithCancel(ctx)
	defer stopped()
	go memory.Return(serving)
	model, err := newModel(cfg.Models, obs, log)
	if err != nil {
		return err
	}
	if len(cfg.Models) == 0 {
		log.WarnContext(ctx, "no model is configured; commands that need one will say so until TENON_MODEL is set")
	}
	for _, w := range cfg.Warnings {
		log.WarnContext(ctx, "suspicious setting", "setting", w.Name, "why", w.Text)
	}
	logStart(ctx, cfg, log)
	a, err := newApp(ctx, cfg, model, nil, obs, log)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	if l == nil {
		if l, err = listen(ctx, cfg); err != nil {
			return err
		}
	}
	if a.admin, err = listenForAdmin(ctx, cfg.AdminListen, a, log); err != nil {
		_ = l.Close()
		return err
	}
	log.InfoContext(ctx, "listening", "address", l.Addr().String(), "webhook", webhook.Path)
	a.examine = func(ctx context.Context) { a.checkUp(ctx, a.examined(cfg)) }
	return a.Serve(ctx, l)
}
