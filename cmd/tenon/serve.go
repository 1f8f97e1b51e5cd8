package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/config"
)

func newServeCmd() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the GitHub App: take deliveries, answer comments, commit",
		Long: `serve runs the GitHub App. It listens for GitHub's deliveries on POST /webhook, keeps them in
its database, and works them off; GET /healthz and /readyz are for whatever watches it.

It needs three settings, from the App's page on GitHub, and a model:

  TENON_APP_ID           the App's id
  TENON_PRIVATE_KEY_FILE the path of its private key (or the key itself in TENON_PRIVATE_KEY)
  TENON_WEBHOOK_SECRET   the secret of its webhook
  TENON_MODEL            the model's name, with TENON_MODEL_BASE_URL and TENON_MODEL_API_KEY

docs/operating.md lists all settings. On SIGTERM it takes no new work, gives what runs a while to
end, and stops; whatever it accepted is kept and goes on at the next start.`,
		Example: `  export TENON_APP_ID=123456 TENON_PRIVATE_KEY_FILE=tenon.pem TENON_WEBHOOK_SECRET=...
  export TENON_MODEL=gpt-5 TENON_MODEL_API_KEY=...
  tenon serve`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serve(cmd.Context(), config.Source{File: file}, cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "a YAML `file` with settings (default $TENON_CONFIG)")
	return cmd
}

func serve(ctx context.Context, src config.Source, errOut io.Writer) error {
	cfg, err := config.Load(src)
	if err != nil {
		return err
	}
	log := newLogger(errOut, cfg)
	model, err := newModel(cfg.Models, log)
	if err != nil {
		return err
	}
	if len(cfg.Models) == 0 {
		log.WarnContext(ctx, "no model is configured: fix will answer that, until TENON_MODEL is set")
	}
	a, err := newApp(ctx, cfg, model, nil, log)
	if err != nil {
		return err
	}
	defer func() { _ = a.Close() }()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.Listen)
	if err != nil {
		return fmt.Errorf("listening on %s: %w (is another program there? TENON_LISTEN chooses the address)", cfg.Listen, err)
	}
	log.InfoContext(ctx, "listening", "address", l.Addr().String(), "version", thisVersion())
	return a.Serve(ctx, l)
}

func newLogger(w io.Writer, cfg config.Server) *slog.Logger {
	opts := &slog.HandlerOptions{Level: cfg.LogLevel}
	if cfg.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
