package ghtest

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// tokenLife: "Installation access tokens expire one hour from the time you create them."
const tokenLife = time.Hour

// maxJWTLife: "The time must be no more than 10 minutes into the future."
const maxJWTLife = 10 * time.Minute

// token is an installation token, of the App or of GitHub Actions, or a person's.
type token struct {
	value        string
	installation *installation // also of a job, and of a person, to count its requests
	permissions  map[string]string
	repos        map[int64]bool // by id; nil means all of the installation
	expires      time.Time
	kind         tokenKind
	by           *user // who acts with it; nil is the App
}

func (t *token) covers(r *repository) bool {
	if t.kind == personalToken {
		return t.by.mayRead(r) && (t.repos == nil || t.repos[r.id])
	}
	return t.installation.covers(r) && (t.repos == nil || t.repos[r.id])
}

// may reports whether the token has a permission at "read" or "write".
func (t *token) may(permission, level string) bool {
	has := t.permissions[permission]
	return has == "write" || has == "admin" || has == level && has != ""
}

// newTokenValue returns a token in GitHub's form: "ghs_" and 36 letters and digits.
func newTokenValue() string { return "ghs_" + rand.Text() + rand.Text()[:10] }

var errUndecodable = refuse(http.StatusUnauthorized, "A JSON web token could not be decoded")

// authenticate checks the credentials: a JWT of the App, a token of an installation or none, as the route requires.
func (c *call) authenticate(want who) error {
	if want == asAnybody {
		return nil
	}
	given := credentials(c.r)
	if given == "" {
		return refuse(http.StatusUnauthorized, "Requires authentication")
	}
	isJWT := strings.Count(given, ".") == 2
	switch {
	case want == asApp && !isJWT, want != asApp && isJWT:
		return errUndecodable
	case want == asApp:
		return c.checkJWT(given)
	}
	t, err := c.checkToken(given)
	c.token = t
	if err == nil && want == asUser {
		return notAccessible()
	}
	return err
}

// credentials returns x for "Bearer x", "token x" and basic authentication with the password x.
func credentials(r *http.Request) string {
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "token") {
		return strings.TrimSpace(value)
	}
	return ""
}

func (s *Server) checkToken(value string) (*token, error) {
	t := s.state.tokens[value]
	if t == nil || !s.opts.Now().Before(t.expires) {
		return nil, refuse(http.StatusUnauthorized, "Bad credentials")
	}
	if t.installation.suspended != nil {
		return nil, refuse(http.StatusForbidden, "This installation has been suspended")
	}
	return t, nil
}

// checkJWT checks a JWT by the rules of GitHub's page "Generating a JSON Web Token (JWT) for a GitHub App".
func (s *Server) checkJWT(value string) error {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithJSONNumber(), jwt.WithoutClaimsValidation())
	claims := jwt.MapClaims{}
	_, err := parser.ParseWithClaims(value, claims, func(*jwt.Token) (any, error) { return &s.app.key.PublicKey, nil })
	switch { // whose key it must be comes before whether it is
	case !s.isIssuer(claims["iss"]) && !isAnotherApp(claims["iss"]):
		return refuse(http.StatusNotFound, "Integration not found")
	case err != nil || !s.isIssuer(claims["iss"]):
		return errUndecodable
	}
	now := s.opts.Now()
	exp, err := claimTime(claims["exp"])
	switch {
	case err != nil || !exp.After(now):
		return refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') must be a numeric value representing the "+
			"future time at which the assertion expires")
	case exp.After(now.Add(maxJWTLife)):
		return refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') is too far in the future")
	}
	iat, err := claimTime(claims["iat"])
	if err != nil || iat.After(now) {
		return refuse(http.StatusUnauthorized,
			"'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	return nil
}

// isIssuer reports whether iss is the App's id, as a number or a string.
func (s *Server) isIssuer(iss any) bool {
	want := strconv.FormatInt(s.app.id, 10)
	switch v := iss.(type) {
	case string:
		return v == want
	case json.Number:
		return v.String() == want
	}
	return false
}

// AnotherAppID is the id of another App, of which nothing else is known here.
const AnotherAppID = 815

func isAnotherApp(iss any) bool { return fmt.Sprint(iss) == strconv.Itoa(AnotherAppID) }

func claimTime(claim any) (time.Time, error) {
	n, is := claim.(json.Number)
	if !is {
		return time.Time{}, errors.New("not a number")
	}
	seconds, err := n.Int64()
	return time.Unix(seconds, 0), err
}
