package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s Pages) RunPage(run *model.WorkflowRun) string {
	return fmt.Sprintf("%s/actions/runs/%d", s.HTMLRepoURL(run.Suite.Repo), run.ID)
}
