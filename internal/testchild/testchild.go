// Package testchild ends the processes that a test started when the process of the test ends, however that ends: also
// by a panic, a time limit or SIGKILL, after which no cleanup runs. It is for tests on Unix only.
package testchild

import (
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
)

// variable names, in a child's environment, the file descriptor that is at its end when the parent has ended.
const variable = "TENON_TEST_PARENT"

// firstExtra is the file descriptor of the first of exec.Cmd.ExtraFiles.
const firstExtra = 3

// pipe is a pipe to which nobody writes. Only this process has its other end, which the system closes with it.
var pipe = sync.OnceValues(func() (ends [2]*os.File, err error) {
	ends[0], ends[1], err = os.Pipe()
	return ends, err
})

// Bind has the process of a command that is not started yet end when this process ends. It has to call Watch.
func Bind(cmd *exec.Cmd) error {
	ends, err := pipe()
	if err != nil {
		return err
	}
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env, variable+"="+strconv.Itoa(firstExtra+len(cmd.ExtraFiles)))
	cmd.ExtraFiles = append(cmd.ExtraFiles, ends[0])
	return nil
}

// Watch ends this process when the one that bound it by Bind ends. Otherwise it does nothing.
func Watch() {
	fd, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return
	}
	_ = os.Unsetenv(variable) // or children of this process would take it for theirs
	syscall.CloseOnExec(fd)
	parent := os.NewFile(uintptr(fd), "parent")
	go func() {
		_, _ = io.Copy(io.Discard, parent)
		os.Exit(1)
	}()
}
