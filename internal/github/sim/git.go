package sim

import (
	"bytes"
	"fmt"
	"os/exec"
)

// clone copies a local repository into a bare one, with its branches.
func (s repositories) clone(from, dir string) error {
	cmd := exec.CommandContext(s.Ctx, s.Programs.Git, "clone", "--quiet", "--bare", "--template=", "--", from, dir)
	cmd.Dir, cmd.Env = s.Dir, s.GitEnv()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w: %s", err, bytes.TrimSpace(out))
	}
	return nil
}
