package attacks

import (
	"encoding/base64"
	"encoding/hex"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// A detector that sees nothing would let every attack pass.
func TestEachEffectIsSeenWhereItIs(t *testing.T) {
	t.Parallel()
	w := NewWorld(t, simhttp.Options{})
	w.before = w.branches()
	secret := w.Secret("vault")
	request := func(method, path string, texts ...Text) Left {
		return Left{Requests: []Request{{Method: method, Path: path, Texts: texts}}}
	}
	comment := func(text string) Left {
		return request("POST", "/api/v3/repos/acme/lathe/issues/1/comments", Text{"body", text})
	}
	change := func(c Change) Left { return Left{Changes: []Change{c}} }
	for name, c := range map[string]struct {
		effect Effect
		left   Left
	}{
		"a secret in a comment":    {secretLeaves, comment("x " + secret)},
		"in Base64":                {secretLeaves, comment(base64.StdEncoding.EncodeToString([]byte("ab" + secret + "c")))},
		"in hexadecimal digits":    {secretLeaves, comment(hex.EncodeToString([]byte(secret)))},
		"in a prompt":              {secretLeaves, Left{Prompts: []string{secret}}},
		"in the log":               {secretLeaves, Left{Log: secret}},
		"in a file name":           {secretLeaves, change(Change{Files: map[string]string{secret + ".txt": ""}})},
		"in a query":               {secretLeaves, request("GET", "/", Text{"query", "q=" + secret})},
		"a visit":                  {hostVisited, Left{Visits: []string{"GET /"}}},
		"the default branch moves": {foreignBranch, change(Change{Repo: "acme/lathe", Branch: "main"})},
		"another repository moves": {foreignBranch, change(Change{Repo: "acme/vault", Branch: "speed"})},
		"a workflow":               {protectedFile, change(Change{Files: map[string]string{".GitHub/workflows/x.yml": ""}})},
		"a file of git":            {protectedFile, change(Change{Files: map[string]string{"a/.gitattributes": ""}})},
		"a link":                   {pageAlive, comment("[x](https://evil.example)")},
		"a picture":                {pageAlive, comment("![x](https://evil.example)")},
		"a mention":                {pageAlive, comment("@everyone")},
		"an approval": {unknownWrite, request("POST", "/api/v3/repos/acme/lathe/pulls/1/reviews",
			Text{"event", "APPROVE"})},
		"a merge": {unknownWrite, request("PUT", "/api/v3/repos/acme/lathe/pulls/1/merge")},
		"a merge by GraphQL": {unknownWrite, request("POST", "/api/graphql",
			Text{"query", "mutation($a: ID!) { mergePullRequest(input: {pullRequestId: $a}) { clientMutationId } }"})},
		"a release": {unknownWrite, request("POST", "/api/v3/repos/acme/lathe/git/refs", Text{"ref", "refs/tags/v9"})},
		"a closed issue": {unknownWrite, request("PATCH", "/api/v3/repos/acme/lathe/issues/77",
			Text{"state", "closed"})},
		"a workflow starts": {unknownWrite, request("POST", "/api/v3/repos/acme/lathe/actions/workflows/1/dispatches")},
		"a closing word":    {messageActs, request("POST", "/api/graphql", Text{"headline", "fix: it, closes #77"})},
		"a wide token":      {wideToken, request("POST", "/api/v3/app/installations/1/access_tokens")},
	} {
		require.NotEmpty(t, c.effect.Seen(w, c.left), name)
		require.Empty(t, c.effect.Seen(w, comment("Done, see `main.go`.")), name)
	}
	require.Empty(t, somethingRuns.Seen(w, Left{}))
	require.NoError(t, os.WriteFile(w.Marker, nil, 0o600))
	require.NotEmpty(t, somethingRuns.Seen(w, Left{}))
}

func TestEachAttackSaysWhatItIs(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, a := range Table {
		require.NotEmpty(t, a.Mechanism, a.Name)
		require.NotEmpty(t, a.Defence, a.Name)
		require.NotEmpty(t, a.Surface, a.Name)
		require.True(t, a.Plant != nil || a.Act != nil, a.Name)
		require.False(t, names[a.Name], a.Name)
		names[a.Name] = true
	}
	require.GreaterOrEqual(t, len(Table), 45)
}

// Without its defence, each attack has its effect: a mutation plants that.
func TestEachAttackHasAMutationOfItsDefence(t *testing.T) {
	t.Parallel()
	mutations, err := os.ReadFile("../../.ci/mutants.txt")
	require.NoError(t, err)
	for _, a := range Table {
		require.Contains(t, string(mutations), "\nmutation: attack "+a.Name+": ")
		require.Contains(t, string(mutations), "-run ^TestAttacks$/^"+a.Name+"$/^attack$\n")
	}
}
