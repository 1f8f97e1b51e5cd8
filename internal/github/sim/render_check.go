package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// CheckPage returns the page of a check run; of a job of GitHub Actions, that of the job.
func (s Pages) CheckPage(run *model.CheckRun) string {
	if run.Suite.Run != nil {
		return fmt.Sprintf("%s/actions/runs/%d/job/%d", s.HTMLRepoURL(run.Repo), run.Suite.Run.ID, run.ID)
	}
	return fmt.Sprintf("%s/runs/%d", s.HTMLRepoURL(run.Repo), run.ID)
}
