package sim

import (
	"crypto/rand"
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// NewTokenValue returns a token in GitHub's form: "ghs_" and 36 letters and digits.
func NewTokenValue() string { return "ghs_" + rand.Text() + rand.Text()[:10] }

func (s tokens) CheckToken(value string) (*model.Token, error) {
	t := s.State.Tokens[value]
	if t == nil || !s.Clock().Before(t.Expires) {
		return nil, model.Refuse(http.StatusUnauthorized, "Bad credentials")
	}
	if t.Installation.Suspended != nil {
		return nil, model.Refuse(http.StatusForbidden, "This installation has been suspended")
	}
	return t, nil
}
