package backport

import (
	"fmt"
	"regexp"
	"strconv"
)

// Branch returns the nth name, from 1, of the branch for a backport of a pull request to another branch.
func Branch(number, n int, to string) string {
	again := ""
	if n > 1 {
		again = fmt.Sprintf("-%d", n)
	}
	return fmt.Sprintf("tenon/backport-%d%s-to-%s", number, again, to)
}

var branch = regexp.MustCompile(`^tenon/backport-([1-9][0-9]{0,8})(?:-[0-9]+)?-to-.`)

// PullOf returns the pull request of which a branch is a backport; ok is false for any other branch.
func PullOf(name string) (number int, ok bool) {
	m := branch.FindStringSubmatch(name)
	if m == nil {
		return 0, false
	}
	number, err := strconv.Atoi(m[1])
	return number, err == nil
}
