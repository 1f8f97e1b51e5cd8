package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/door"
	"github.com/tenon-bot/tenon/internal/register"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// setupFlags are the flags of setup.
type setupFlags struct {
	github, org, name, url, dir string
	port                        uint16
	print                       bool
}

func newSetupCmd() *cobra.Command {
	var given setupFlags
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Create the GitHub App in a browser, and write its settings",
		Long: `setup creates the GitHub App that tenon acts as. It prints the address of a page on this
machine. The page asks who owns the App and where GitHub reaches the server, and takes you to
GitHub, where you press one button. GitHub then hands the App's id, private key and webhook
secret to this program, which writes them to tenon.yaml and tenon.private-key.pem, readable by
you alone. Nothing that exists is overwritten.

The page can be opened on this machine only. If your browser is on another one, forward the
port to it: ssh -L PORT:127.0.0.1:PORT HOST. In a container, run tenon serve without an App
instead: it shows the same page, under a link in its log.`,
		Example: `  tenon setup
  tenon setup --org acme --url https://tenon.example.com
  tenon setup --org acme --github-url https://github.example.com    # GitHub Enterprise Server
  tenon setup --dir /etc/tenon                                      # then: tenon serve --config /etc/tenon/tenon.yaml
  tenon setup --print > secret.yaml                                 # the settings with the key, and no files`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setUpLocally(cmd.Context(), given, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&given.org, "org", "", "the `organisation` that will own the App (the page asks otherwise)")
	flags.StringVar(&given.url, "url", "", "the public `URL` of the server, such as https://tenon.example.com")
	flags.StringVar(&given.name, "name", "", "the `name` of the App, of at most 34 characters")
	flags.StringVar(&given.github, "github-url", "",
		"the `URL` of a GitHub Enterprise Server (the page asks otherwise)")
	flags.StringVar(&given.dir, "dir", ".", "the `folder` to write tenon.yaml and the private key to")
	flags.Uint16Var(&given.port, "port", 0, "the `port` of the page on this machine (default a free one)")
	flags.BoolVar(&given.print, "print", false, "print the settings to standard output instead of writing files")
	cmd.MarkFlagsMutuallyExclusive("print", "dir")
	return cmd
}

// setUpLocally serves the page on this machine until the App is registered or ctx ends.
func setUpLocally(ctx context.Context, flags setupFlags, out, errOut io.Writer) error {
	say := out
	if flags.print {
		say = errOut
	}
	files, err := register.FilesIn(flags.dir, time.Now())
	if err != nil {
		return err
	}
	save := files.Save
	if flags.print {
		save = func(r register.Registered) error {
			_, err := io.WriteString(out, register.Print(r, time.Now()))
			return err
		}
	} else if err := files.Check(); err != nil {
		return err
	}
	l, err := listenOnLoopback(ctx, flags.port)
	if err != nil {
		return err
	}
	page, err := localPage(flags, l, save, say, errOut)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	if err := servePage(ctx, page, l, 0, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	select {
	case <-page.Done():
	default:
		return errors.New("stopped: no App was registered, and nothing was written")
	}
	printNext(say, page.Registered(), files, flags)
	if flags.print {
		return nil
	}
	_, _ = fmt.Fprintf(say, "\ntenon doctor, before the App is installed and the server runs:\n\n")
	if err := examine(ctx, examinedBy(config.Source{File: files.Settings}), say); err != nil && !errors.Is(err, errSome) {
		return err
	}
	_, _ = fmt.Fprintln(say, "\nRun tenon doctor again when the server runs.")
	return nil
}

// localPage makes the page of a listener on a loopback address.
func localPage(flags setupFlags, l net.Listener, save func(register.Registered) error, say, errOut io.Writer) (
	*register.Page, error) {
	opts := register.Options{Organization: flags.org, Name: flags.name, Public: flags.url, GitHub: manifestGitHub{},
		Lookup: lookup, Save: save, Hosts: isLoopback, Elsewhere: http.NotFoundHandler(),
		Log: newLogger(errOut, config.Server{LogLevel: slog.LevelWarn})}
	if flags.github != "" {
		site, err := config.SiteAt(flags.github)
		if err != nil {
			return nil, usageError{fmt.Errorf("--github-url %w", err)}
		}
		opts.Site = site
	}
	opts.After = "Start the server: the terminal says how."
	_, port, _ := net.SplitHostPort(l.Addr().String())
	opts.Announce = func(path string) {
		_, _ = fmt.Fprintf(say, `Open this page in a browser on this machine. It is valid for an hour:

  http://%s%s

If the browser is on another machine, forward the port first:  ssh -L %s:%s HOST
Press Ctrl-C to stop. Nothing is created before you press the button on GitHub.
`, l.Addr(), path, port, l.Addr())
	}
	return register.New(opts)
}

// listenOnLoopback listens on a port of this machine, 0 for a free one.
func listenOnLoopback(ctx context.Context, port uint16) (net.Listener, error) {
	var errs []error
	for _, host := range []string{"127.0.0.1", "::1"} {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, fmt.Sprint(port)))
		if err == nil {
			return l, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("listening on this machine: %w", errors.Join(errs...))
}

// isLoopback reports whether a Host header names this machine, on whatever port: it may be forwarded.
func isLoopback(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = hostPort
	}
	return host == "127.0.0.1" || host == "localhost" || host == "::1" || host == "[::1]"
}

// servePage serves the page until the App is registered or ctx ends, and then closes l.
func servePage(ctx context.Context, page *register.Page, l net.Listener, connections int, log *slog.Logger) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	limited := door.New(l, connections, log)
	server := &http.Server{
		Handler:           page,
		ConnState:         limited.ConnState,
		ConnContext:       limited.ConnContext,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    door.MaxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return serveHTTP(ctx, server, limited) })
	group.Go(func() error { page.Run(ctx); return nil })
	group.Go(func() error {
		select {
		case <-page.Done():
			cancel()
		case <-ctx.Done():
		}
		return nil
	})
	return group.Wait()
}

// printNext says what was done, and what people do next.
func printNext(out io.Writer, r register.Registered, files register.Files, flags setupFlags) {
	start := "tenon serve"
	if flags.dir != "." {
		start += " --config " + files.Settings
	}
	_, _ = fmt.Fprintf(out, "\n✓ %s is registered: App id %d, owned by %s\n", terminal.Escape(r.App.Name), r.App.ID,
		terminal.Escape(r.App.Owner))
	if flags.print {
		start = "tenon serve --config FILE, with the settings that were printed"
	} else {
		_, _ = fmt.Fprintf(out, "✓ %s and %s are written, readable by you alone\n", files.Settings, filepath.Base(files.Key))
	}
	_, _ = fmt.Fprintf(out, `
Next:
  1. Install the App:   %s
  2. Choose a model:    export TENON_MODEL=gpt-5 TENON_MODEL_API_KEY=...   (or in the settings; docs/operating.md)
  3. Start the server:  %s
  4. Comment /tenon help on an issue or a pull request.
`, terminal.Escape(r.InstallURL()), start)
}
