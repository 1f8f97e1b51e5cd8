package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s Pages) APIRepoURL(r *model.Repository) string {
	return fmt.Sprintf("%s/api/v3/repos/%s", s.Base, r.FullName())
}

func (s Pages) HTMLRepoURL(r *model.Repository) string { return s.Base + "/" + r.FullName() }
