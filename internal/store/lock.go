package store

import (
	"fmt"
	"strings"
)

const lockFile = "tenon.lock"

// inUseError returns the error for a folder that another process has locked; holder is what that process wrote into the
// lock file.
func inUseError(dir, holder string) error {
	if holder = strings.TrimSpace(holder); holder != "" {
		holder = " (process " + holder + ")"
	}
	return fmt.Errorf("the data folder %s is in use by another tenon%s: "+
		"stop that one, or give this one a folder of its own with TENON_DATA_DIR", dir, holder)
}
