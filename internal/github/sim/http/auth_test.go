package simhttp_test

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// "User agent required: All API requests must include a valid User-Agent header."
func TestARequestWithoutUserAgentIsForbidden(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	req, err := http.NewRequestWithContext(t.Context(), "GET", w.APIURL()+"app", nil)
	require.NoError(t, err)
	req.Header["User-Agent"] = []string{""}
	w.refused(w.send(req), 403, "User-Agent")
}

// The rules of "Generating a JSON Web Token (JWT) for a GitHub App".
func TestTheAppIsHeldToTheRulesOfItsJWT(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := func(claim string, d time.Duration) func(jwt.MapClaims) {
		return func(c jwt.MapClaims) { c[claim] = w.clock.now().Add(d).Unix() }
	}
	other, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	forged, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iss": w.AppID(), "iat": w.clock.now().Unix(),
		"exp": w.clock.now().Add(time.Minute).Unix()}).SignedString(other)
	require.NoError(t, err)
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{"iss": w.AppID()}).SignedString(
		jwt.UnsafeAllowNoneSignatureType)
	require.NoError(t, err)
	for name, c := range map[string]struct{ jwt, message string }{
		"absent":                {"", "Requires authentication"},
		"no JWT but a token":    {w.token, "could not be decoded"},
		"signed by another key": {forged, "could not be decoded"},
		"not signed":            {unsigned, "could not be decoded"},
		"of another App": {w.jwt(func(c jwt.MapClaims) { c["iss"] = simhttp.AnotherAppID }),
			"could not be decoded"},
		"expired":                     {w.jwt(at("exp", -time.Second)), "'exp'"},
		"without expiry":              {w.jwt(func(c jwt.MapClaims) { delete(c, "exp") }), "'exp'"},
		"for more than ten minutes":   {w.jwt(at("exp", 10*time.Minute+time.Second)), "too far in the future"},
		"issued in the future":        {w.jwt(at("iat", time.Minute)), "'iat'"},
		"without its time of issuing": {w.jwt(func(c jwt.MapClaims) { delete(c, "iat") }), "'iat'"},
	} {
		t.Run(name, func(t *testing.T) {
			w.refused(w.call("GET", "app", c.jwt, ""), 401, c.message)
		})
	}
	require.Equal(t, 200, w.call("GET", "app", w.jwt(func(c jwt.MapClaims) { c["iss"] = w.AppID() }), "").status,
		"a numeric issuer")
	w.refused(w.call("GET", "repos/"+repo, w.jwt(nil), ""), 401, "could not be decoded")
}

// "Installation access tokens expire one hour from the time you create them."
func TestATokenLivesAnHourAndCanBeRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.refused(w.call("GET", "repos/"+repo, "", ""), 401, "Requires authentication")
	w.refused(w.call("GET", "repos/"+repo, "ghs_wrong", ""), 401, "Bad credentials")
	w.clock.forward(59 * time.Minute)
	require.Equal(t, 200, w.as("GET", "repos/"+repo, "").status)
	w.clock.forward(time.Minute)
	w.refused(w.as("GET", "repos/"+repo, ""), 401, "Bad credentials")

	w.token = w.newToken(nil)
	require.Equal(t, 204, w.as("DELETE", "installation/token", "").status)
	w.refused(w.as("GET", "repos/"+repo, ""), 401, "Bad credentials")
}

// "You can optionally use the repositories or repository_ids body parameters … the permissions body parameter": never
// more than the installation has (422).
func TestATokenCanOnlyBeNarrowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/other", Files: map[string]string{"x": "x\n"}}))
	path := fmt.Sprintf("app/installations/%d/access_tokens", w.installation)
	narrow := func(body string) reply { return w.call("POST", path, w.jwt(nil), body) }

	w.refused(narrow(`{"permissions":{"administration":"read"}}`), 422, "permissions requested are not granted")
	w.refused(narrow(`{"permissions":{"actions":"write"}}`), 422, "permissions requested are not granted")
	w.refused(narrow(`{"repositories":["nowhere"]}`), 422, "not accessible to the parent installation")
	w.refused(narrow(`{"repository_ids":[1]}`), 422, "not accessible to the parent installation")
	w.refused(narrow(`{"repository_ids":`), 400, "Problems parsing JSON")
	w.refused(w.call("POST", "app/installations/1/access_tokens", w.jwt(nil), ""), 404, "Not Found")
	require.Equal(t, 201, narrow("null").status, "a null body is none")

	named := narrow(`{"repositories":["other"]}`).object()
	require.Equal(t, "selected", named["repository_selection"])
	require.Len(t, named["repositories"], 1)
	require.NotContains(t, narrow("").object(), "repositories")
	token := w.newToken(map[string]any{"repositories": []string{"other"},
		"permissions": map[string]string{"contents": "read"}})
	require.Equal(t, 200, w.call("GET", "repos/acme/other", token, "").status)
	w.refused(w.call("GET", "repos/"+repo, token, ""), 404, "Not Found")
	list := w.call("GET", "installation/repositories", token, "").object()
	require.Equal(t, "1", fmt.Sprint(list["total_count"]))
}

// An installation of some repositories: tokens cannot be requested for others of the account, which are not found if
// they are private, and can be read if they are public.
func TestAnInstallationOfSomeRepositories(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/.github", Files: map[string]string{"x": "x\n"}}))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/open", Public: true, Files: map[string]string{"x": "x\n"}}))
	_, err := w.Install(sim.Installation{Owner: "acme", Repos: []string{"app"}})
	require.NoError(t, err)
	path := fmt.Sprintf("app/installations/%d/access_tokens", w.installation)
	for _, name := range []string{".github", "open", "none"} {
		w.refused(w.call("POST", path, w.jwt(nil), fmt.Sprintf(`{"repositories":["app",%q]}`, name)), 422,
			"not accessible to the parent installation")
	}
	w.refused(w.as("GET", "repos/acme/.github", ""), 404, "Not Found")
	w.refused(w.call("GET", "repos/acme/.github/installation", w.jwt(nil), ""), 404, "Not Found")
	require.Equal(t, 200, w.as("GET", "repos/acme/open", "").status)
	require.Equal(t, 200, w.as("GET", "repos/acme/open/contents/x", "").status)
	w.refused(w.as("POST", "repos/acme/open/issues", `{"title":"t"}`), 403, "not accessible by integration")
}

// Tokens of a suspended installation are refused; one that was deleted is not found.
func TestSuspendedAndUninstalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := fmt.Sprintf("app/installations/%d/access_tokens", w.installation)
	require.NoError(t, w.Suspend("acme", true))
	w.refused(w.as("GET", "repos/"+repo, ""), 403, "suspended")
	w.refused(w.call("POST", path, w.jwt(nil), ""), 403, "suspended")
	require.NoError(t, w.Suspend("acme", false))
	require.Equal(t, 200, w.as("GET", "repos/"+repo, "").status)
	require.NoError(t, w.Uninstall("acme"))
	w.refused(w.as("GET", "repos/"+repo, ""), 401, "Bad credentials")
	w.refused(w.call("POST", path, w.jwt(nil), ""), 404, "Not Found")
}

// Each operation requires its permission: "Resource not accessible by integration".
func TestEachOperationWantsItsPermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	comment, err := w.Comment("alice", repo, w.pull, "hello")
	require.NoError(t, err)
	token := func(name, level string) string { return w.newToken(permissions(map[string]string{name: level})) }
	conversation := fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull)
	onIssue := fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.issue)
	for _, c := range []struct{ name, level, method, path, body string }{
		{"contents", "write", "GET", fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull), ""},
		{"contents", "write", "POST", conversation, `{"body":"x"}`},
		{"issues", "read", "POST", conversation, `{"body":"x"}`},
		{"pull_requests", "write", "POST", onIssue, `{"body":"x"}`},
		{"issues", "read", "POST", fmt.Sprintf("repos/%s/issues/comments/%d/reactions", repo, comment), `{"content":"eyes"}`},
		{"issues", "write", "GET", "repos/" + repo + "/commits", ""},
		{"contents", "read", "POST", "repos/" + repo + "/git/refs",
			`{"ref":"refs/heads/x","sha":"0000000000000000000000000000000000000000"}`},
		{"contents", "write", "POST", "repos/" + repo + "/check-runs", `{"name":"x","head_sha":"y"}`},
	} {
		w.refused(w.call(c.method, c.path, token(c.name, c.level), c.body), 403, "Resource not accessible by integration")
	}
	require.Equal(t, 201, w.call("POST", conversation, token("pull_requests", "write"), `{"body":"x"}`).status)
	require.Equal(t, 201, w.call("POST", onIssue, token("issues", "write"), `{"body":"x"}`).status)
}

// A repository that a token cannot access is not found; a public one can be read by everybody, and not written.
func TestBeyondTheTokensReach(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddUser("bob"))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "bob/secret", Files: map[string]string{"x": "x\n"}}))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "bob/open", Public: true, Files: map[string]string{"x": "x\n"}}))
	w.refused(w.as("GET", "repos/bob/secret", ""), 404, "Not Found")
	w.refused(w.as("GET", "repos/bob/nothing", ""), 404, "Not Found")
	require.Equal(t, 200, w.as("GET", "repos/bob/open", "").status)
	w.refused(w.as("GET", "repos/bob/open/collaborators/alice/permission", ""), 403, "not accessible by integration")
	w.refused(w.as("POST", "repos/bob/open/git/blobs", `{"content":"x"}`), 403, "not accessible by integration")
	w.refused(w.as("GET", "no/such/path", ""), 404, "Not Found")
	w.refused(w.as("DELETE", "repos/"+repo, ""), 404, "Not Found")
}

// "permission … the maintain role is mapped to write and the triage role is mapped to read."
func TestPermissionAndRole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for role, want := range map[entity.Role]string{"none": "none", "read": "read", "triage": "read", "write": "write",
		"maintain": "write", "admin": "admin"} {
		require.NoError(t, w.SetRole(repo, "alice", role))
		o := w.as("GET", "repos/"+repo+"/collaborators/Alice/permission", "").object()
		require.Equal(t, want, o["permission"])
		require.Equal(t, string(role), o["role_name"])
	}
	require.Equal(t, "admin", w.as("GET", "repos/"+repo+"/collaborators/owner/permission", "").object()["permission"])
	require.Equal(t, "none", w.as("GET", "repos/"+repo+"/collaborators/stranger/permission", "").object()["permission"])
	w.refused(w.as("GET", "repos/"+repo+"/collaborators/nobody/permission", ""), 404, "nobody is not a user")
}

// The permission of a user without a role is "read" in a public repository, and never more.
func TestAStrangersPermissionOnAPublicRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/open", Public: true, Files: map[string]string{"x": "x\n"}}))
	o := w.as("GET", "repos/acme/open/collaborators/stranger/permission", "").object()
	require.Equal(t, "read", o["permission"])
	require.Equal(t, "read", o["role_name"])
	require.Equal(t, false, o["user"].(map[string]any)["permissions"].(map[string]any)["push"])
	w.refused(w.as("GET", "repos/acme/open/collaborators/stranger", ""), 404, "Not Found")
	require.NoError(t, w.SetRole("acme/open", "stranger", entity.RoleTriage))
	require.Equal(t, "triage", w.as("GET", "repos/acme/open/collaborators/stranger/permission", "").object()["role_name"])
	read := w.newToken(permissions(map[string]string{"contents": "read"}))
	require.Equal(t, 200, w.call("GET", "repos/acme/open/collaborators/stranger/permission", read, "").status,
		"every token has metadata")
}
