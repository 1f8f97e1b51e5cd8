package simhttp

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// maxJWTLife: "The time must be no more than 10 minutes into the future."
const maxJWTLife = 10 * time.Minute

var errUndecodable = entity.Refuse(http.StatusUnauthorized, "A JSON web token could not be decoded")

// authenticate checks the credentials: a JWT of the App, a token of an installation or none, as the route requires.
func authenticate(c *call, want who) error {
	if want == asAnybody {
		return nil
	}
	given := traffic.Credentials(c.r)
	if given == "" {
		return entity.Refuse(http.StatusUnauthorized, "Requires authentication")
	}
	isJWT := strings.Count(given, ".") == 2
	switch {
	case want == asApp && !isJWT, want != asApp && isJWT:
		return errUndecodable
	case want == asApp:
		return c.checkJWT(given)
	}
	t, err := c.CheckToken(given)
	c.token = t
	if err == nil && want == asUser {
		return notAccessible()
	}
	return err
}

// checkJWT checks a JWT by the rules of GitHub's page "Generating a JSON Web Token (JWT) for a GitHub App".
func (s *site) checkJWT(value string) error {
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithJSONNumber(), jwt.WithoutClaimsValidation())
	claims := jwt.MapClaims{}
	_, err := parser.ParseWithClaims(value, claims, func(*jwt.Token) (any, error) { return &s.App.Key.PublicKey, nil })
	switch { // whose key it must be comes before whether it is
	case !s.isIssuer(claims["iss"]) && !isAnotherApp(claims["iss"]):
		return entity.Refuse(http.StatusNotFound, "Integration not found")
	case err != nil || !s.isIssuer(claims["iss"]):
		return errUndecodable
	}
	now := s.Clock()
	exp, err := claimTime(claims["exp"])
	switch {
	case err != nil || !exp.After(now):
		return entity.Refuse(http.StatusUnauthorized,
			"'Expiration time' claim ('exp') must be a numeric value representing the "+
				"future time at which the assertion expires")
	case exp.After(now.Add(maxJWTLife)):
		return entity.Refuse(http.StatusUnauthorized, "'Expiration time' claim ('exp') is too far in the future")
	}
	iat, err := claimTime(claims["iat"])
	if err != nil || iat.After(now) {
		return entity.Refuse(http.StatusUnauthorized,
			"'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	return nil
}

// isIssuer reports whether iss is the App's id, as a number or a string.
func (s *site) isIssuer(iss any) bool {
	want := strconv.FormatInt(s.App.ID, 10)
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
