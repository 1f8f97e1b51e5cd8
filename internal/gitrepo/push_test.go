package gitrepo_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

func TestAnyLegalBranchName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	for _, branch := range []string{"feature/ünï-código", "a'b\"c", "percent%2Fslash", "hash#1", "dependabot/npm/x-1.0.0",
		"@x", "a&b=c;d", "$(x)", "日本"} {
		w.repo.Git("update-ref", "refs/heads/"+branch, w.tip)
		c, err := w.repos.Open(t.Context(), acme, "refs/heads/"+branch, "")
		require.NoError(t, err, branch)
		require.NoError(t, c.WriteFile("x", []byte(branch)))
		made, err := c.Commit(t.Context(), request(branch))
		require.NoError(t, err, branch)
		require.Equal(t, made.SHA, w.repo.Git("rev-parse", "refs/heads/"+branch))
	}
	c := w.open(t)
	require.NoError(t, c.WriteFile("x", nil))
	for _, branch := range []string{"", "a..b", "a b", "a\nb", "a\x00b", "x.lock", "a~b", "-x", "a//b", "/a", "a/"} {
		_, err := c.Commit(t.Context(), request(branch))
		require.ErrorContains(t, err, "is not the name of a branch", branch)
	}
	w.repo.Fsck()
}

func TestTokensAreNarrowAndRefusalsAreDenials(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	repos := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL,
		Token: func(_ context.Context, repo port.RepoRef, write bool) (string, error) {
			return fmt.Sprintf("%s-%v", repo, write), nil
		}})
	var mu sync.Mutex
	seen := map[string]bool{}
	w.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			user, token, _ := r.BasicAuth()
			mu.Lock()
			seen[user+" "+token] = true
			mu.Unlock()
			if strings.HasSuffix(token, "true") {
				http.Error(rw, "Write access to repository not granted.", http.StatusForbidden)
				return
			}
			git.ServeHTTP(rw, r)
		})
	})
	_, err := editAndPush(t.Context(), repos, acme, w.tip, "main")
	require.ErrorIs(t, err, port.ErrDenied)
	require.ErrorContains(t, err, "Write access to repository not granted.")
	require.Equal(t, map[string]bool{"x-access-token acme/anvil-false": true, "x-access-token acme/anvil-true": true},
		seen)
}

func TestARejectedBranchCarriesTheServersWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	hook := "#!/bin/sh\necho 'error: GH006: Protected branch update failed for refs/heads/main.' >&2\nexit 1\n"
	name := filepath.Join(w.repo.Dir, "hooks", "pre-receive")
	require.NoError(t, os.WriteFile(name, []byte(hook), 0o700)) //nolint:gosec // a hook is a program
	_, err := editAndPush(t.Context(), w.repos, acme, w.tip, "main")
	var rejected *port.RejectedError
	require.ErrorAs(t, err, &rejected)
	require.Equal(t, "main", rejected.Branch)
	require.Contains(t, rejected.Text, "GH006: Protected branch update failed")
	require.Contains(t, rejected.Text, "pre-receive hook declined")
	require.Equal(t, w.tip, w.repo.Ref("refs/heads/main"))
}

func TestAServerThatWantsToBeAskedBeforeAPushIsRemembered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	asked := false
	w.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			push := strings.HasSuffix(r.URL.Path, "git-receive-pack")
			if push && !asked {
				http.Error(rw, "ask first", http.StatusBadRequest)
				return
			}
			asked = strings.Contains(r.URL.RawQuery, "git-receive-pack")
			git.ServeHTTP(rw, r)
		})
	})
	w.tip = w.editAndPush(t)
	w.server.Requests()
	w.editAndPush(t)
	require.Equal(t, []string{"GET /acme/anvil.git/info/refs?service=git-receive-pack",
		"POST /acme/anvil.git/git-receive-pack"}, w.server.Requests()[:2])
}

func TestAPushWhoseAnswerIsLostIsFoundAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "git-receive-pack") {
				git.ServeHTTP(httptest.NewRecorder(), r)
				panic(http.ErrAbortHandler)
			}
			git.ServeHTTP(rw, r)
		})
	})
	w.editAndPush(t)
}

func TestEightRunsAtOnceOnOneRepositoryAndOnEight(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	group, ctx := errgroup.WithContext(t.Context())
	for i := range 8 {
		group.Go(func() error {
			_, err := editAndPush(ctx, w.repos, acme, w.tip, fmt.Sprintf("one-%d", i))
			return err
		})
		other := w.server.Create(t, fmt.Sprintf("acme/anvil-%d", i))
		tip := other.Commit("main", gittest.Files(map[string]string{"README.md": "x\n", "cmd/main.go": "package main\n"}))
		group.Go(func() error {
			_, err := editAndPush(ctx, w.repos, port.RepoRef{Owner: "acme", Name: fmt.Sprintf("anvil-%d", i)}, tip, "main")
			return err
		})
	}
	require.NoError(t, group.Wait())
	require.Len(t, strings.Fields(w.repo.Git("for-each-ref", "--format=%(refname)", "refs/heads/one-*")), 8)
	w.repo.Fsck()
}

func TestNothingIsPushedWithoutTheLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	ctx := port.WithGuard(t.Context(), func(context.Context) error { return port.ErrLeaseLost })
	_, err := editAndPush(ctx, w.repos, acme, w.tip, "main")
	require.ErrorIs(t, err, port.ErrLeaseLost)
	require.Equal(t, w.tip, w.repo.Ref("refs/heads/main"))
	requests := w.server.Requests()
	require.NotContains(t, requests, "POST /acme/anvil.git/git-receive-pack")
}
