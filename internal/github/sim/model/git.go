package model

import (
	"os"
	"path/filepath"
)

func (s *Core) GitConfigFile() string { return filepath.Join(s.Dir, ".gitconfig") }

// GitEnv returns git's whole environment, without any settings of the user.
func (s *Core) GitEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir, "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + s.GitConfigFile(), "GIT_TERMINAL_PROMPT=0"}
}
