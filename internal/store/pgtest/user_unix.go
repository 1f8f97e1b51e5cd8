//go:build unix

package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// other returns the user that runs the server: postgres refuses to run as root. ok is false for this process's own.
func other() (uid, gid int, ok bool, err error) {
	if os.Geteuid() != 0 {
		return 0, 0, false, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return 0, 0, false, fmt.Errorf("as root, the server needs a user of its own: %w", err)
	}
	if uid, err = strconv.Atoi(u.Uid); err == nil {
		gid, err = strconv.Atoi(u.Gid)
	}
	return uid, gid, true, err
}

// giveAway makes the server's user the owner of a directory.
func giveAway(dir string) error {
	uid, gid, ok, err := other()
	if err != nil || !ok {
		return err
	}
	return os.Chown(dir, uid, gid)
}

// asOther makes a command run as the server's user, apart from the signals that a terminal sends to this process.
func asOther(cmd *exec.Cmd) {
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, ok, _ := other(); ok {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // ids of a user
	}
}
