package sim

import (
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// HubSignature is GitHub's own signature.
func HubSignature(now time.Time) git.Signature {
	return git.Signature{Name: "GitHub", Email: "noreply@github.com", When: now}
}
