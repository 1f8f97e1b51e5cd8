package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/webhook"
)

const (
	// healthPatience is how long the server may take to answer: a little longer than its database may take.
	healthPatience = 9 * time.Second
	// maxHealthAnswer bounds what is read and shown of an answer, in bytes.
	maxHealthAnswer = 500
)

func newHealthCmd() *cobra.Command {
	var file string
	var ready bool
	cmd := &cobra.Command{
		Use:   "health",
		Short: "Ask the server on this machine whether it is alive",
		Long: `health asks the server that runs on this machine, or in this container, whether it is alive (GET /healthz),
or with --ready whether it can accept deliveries (GET /readyz). It is the health check of the container image,
which has no curl. The server's address is that of TENON_LISTEN, or of listen in the server file.

Exit codes: 0 it is, 1 it is not, or it does not answer within 9 seconds; 2 the command line or the settings
are wrong.`,
		Example: `  tenon health
  docker exec tenon tenon health --ready`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			listen, err := config.LoadListen(config.Source{File: file})
			if err != nil {
				return err
			}
			path := "/healthz"
			if ready {
				path = "/readyz"
			}
			answer, err := askHealth(cmd.Context(), listen, path)
			if err != nil {
				_, _ = fmt.Fprintln(cmd.ErrOrStderr(), "tenon:", err)
				return errSome
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), answer)
			return err
		},
	}
	cmd.Flags().StringVar(&file, "config", "", "a YAML `file` with settings (default $TENON_CONFIG)")
	cmd.Flags().BoolVar(&ready, "ready", false, "ask whether deliveries can be accepted")
	return cmd
}

// askHealth returns the text with which the server that listens on an address answers 200; any other answer is an
// error. It goes through no proxy and follows no redirect.
func askHealth(ctx context.Context, listen, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	addresses, err := reachable(listen)
	if err != nil {
		return "", err
	}
	transport := &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return dialFirst(ctx, addresses) }}
	client := http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://tenon"+path, nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "text/plain")
	resp, err := client.Do(req)
	if err != nil {
		return "", fmt.Errorf("no answer from %s: %w (is tenon serve running, and is this its TENON_LISTEN?)",
			strings.Join(addresses, " or "), errors.Unwrap(err))
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxHealthAnswer))
	if err != nil {
		return "", fmt.Errorf("reading the answer of %s: %w", path, err)
	}
	answer := terminal.Escape(strings.TrimSpace(string(text)))
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answers %d: %s", path, resp.StatusCode, answer)
	}
	return answer, nil
}

// reachable returns the addresses at which a server that listens on an address is reached from the same machine, in the
// order in which to try them: of a server on every interface, those of the loopback interface.
func reachable(listen string) ([]string, error) {
	host, port, err := net.SplitHostPort(listen)
	if err != nil || port == "0" {
		return nil, fmt.Errorf("a server that listens on %q cannot be found: TENON_LISTEN names no port", listen)
	}
	ip, err := netip.ParseAddr(host)
	if host != "" && (err != nil || !ip.IsUnspecified()) {
		return []string{listen}, nil
	}
	return []string{net.JoinHostPort("127.0.0.1", port), net.JoinHostPort("::1", port)}, nil
}

// dialFirst connects to the first address that accepts. The error is that of the first.
func dialFirst(ctx context.Context, addresses []string) (net.Conn, error) {
	var first error
	for _, address := range addresses {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			return conn, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// aboutLine is the first line of what `GET /` answers.
const aboutLine = "This is tenon, a GitHub App that turns AI replies into commits."

// about says what this is to whoever opens the server in a browser. It tells nothing of how it is set up.
func about(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = fmt.Fprintf(w, "%s\n\nGitHub delivers its webhooks to %s here; people give commands in comments on GitHub.\n"+
		"https://github.com/tenon-bot/tenon\n", aboutLine, webhook.Path)
}
