package gitrepo_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// tokenServer accepts one token, and gives out tokens that it may not accept any more.
type tokenServer struct {
	mu       sync.Mutex
	accepted string
	given    map[bool]string // the kept tokens, by whether they are for writing
	renew    bool
	refused  []string
	statuses []int
}

func (s *tokenServer) token(_ context.Context, _ port.RepoRef, write bool) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.given[write] == "" {
		s.given[write] = s.accepted
	}
	return s.given[write], nil
}

func (s *tokenServer) forget(repo port.RepoRef, write bool, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = append(s.refused, fmt.Sprint(repo, " ", write, " ", token))
	if s.renew {
		s.given[write] = ""
	}
}

// revoke has the server accept another token from now on.
func (s *tokenServer) revoke(accepted string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepted, s.refused, s.statuses = accepted, nil, nil
}

func (s *tokenServer) wrap(git http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, token, _ := r.BasicAuth()
		s.mu.Lock()
		ok := token == s.accepted
		s.statuses = append(s.statuses, map[bool]int{true: 200, false: 401}[ok])
		s.mu.Unlock()
		if !ok {
			http.Error(w, "Invalid username or token.", http.StatusUnauthorized)
			return
		}
		git.ServeHTTP(w, r)
	})
}

func TestARequestWithARefusedTokenIsSentOnceMoreWithANewOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	s := &tokenServer{accepted: "one", given: map[bool]string{}, renew: true}
	w.server.Wrap(s.wrap)
	repos := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Token: s.token, Refused: s.forget})
	c, err := repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("x", []byte("x")))

	s.revoke("two")
	tips, err := repos.Tips(t.Context(), acme, "refs/heads/main")
	require.NoError(t, err)
	require.Equal(t, w.tip, tips["refs/heads/main"])
	require.Equal(t, []int{401, 200}, s.statuses)
	require.Equal(t, []string{acme.String() + " false one"}, s.refused)

	s.revoke("three")
	s.given[true] = "two"
	made, err := c.Commit(t.Context(), request("main"))
	require.NoError(t, err)
	require.Equal(t, made.SHA, w.repo.Ref("refs/heads/main"))
	require.Equal(t, []int{401, 200}, s.statuses, "a refused push had no effect")
	require.Equal(t, []string{acme.String() + " true two"}, s.refused)
}

// The same token again would be refused again, and so may a new one be.
func TestARequestIsNotSentAgainAndAgainForItsToken(t *testing.T) {
	t.Parallel()
	for renew, want := range map[bool][]int{false: {401}, true: {401, 401}} {
		w := newWorld(t, gitrepo.Options{})
		s := &tokenServer{accepted: "one", given: map[bool]string{false: "zero"}, renew: renew}
		w.server.Wrap(s.wrap)
		forget := func(repo port.RepoRef, write bool, token string) {
			s.forget(repo, write, token)
			s.mu.Lock()
			defer s.mu.Unlock()
			s.accepted = "another"
			if renew {
				s.given[false] = "one"
			}
		}
		repos := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Token: s.token, Refused: forget})
		_, err := repos.Tips(t.Context(), acme, "refs/heads/main")
		require.ErrorContains(t, err, "401")
		require.Equal(t, want, s.statuses)
		require.Len(t, s.refused, 1)
	}
}

// The lease may be lost while another token is asked for.
func TestAPushIsSentOnceMoreOnlyWithItsLease(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	s := &tokenServer{accepted: "one", given: map[bool]string{true: "zero"}, renew: true}
	w.server.Wrap(s.wrap)
	repos := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Token: s.token, Refused: s.forget})
	c, err := repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	require.NoError(t, err)
	require.NoError(t, c.WriteFile("x", []byte("x")))
	asked := 0
	_, err = c.Commit(port.WithGuard(t.Context(), func(context.Context) error {
		if asked++; asked > 1 {
			return port.ErrLeaseLost
		}
		return nil
	}), request("main"))
	require.Error(t, err)
	require.Equal(t, w.tip, w.repo.Ref("refs/heads/main"))
	require.Equal(t, 2, asked)
}
