// Gitbench measures package gitrepo against `git push`, side by side on a repository of more than 20,000 files that it
// makes of Go's own sources and serves by `git http-backend`. It needs git and no network, and prints one line:
//
//	warm_x, cold_x           a run (open, load three files, edit, commit, push) to a push of one ready commit
//	warm_rtt_x, cold_rtt_x   the same with 50 ms added to each request
//	requests_*, cold_kb      requests of a run; what a cold one receives
//	rss_mb                   the most memory the client process had (VmHWM)
//	clone_depth1_x           `git clone --depth 1`, for scale
//	warm_later_rtt_x         warm_rtt_x of a run that learns only after opening which files it needs, with
//	requests_warm_later      its requests
//
// Warm means that the branch's former tip was opened before, and that one commit came since; the three files are others
// each time, so no cache holds them, but they are named when the commit is opened. Cold means that nothing is known, not even what the host can do.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "client" {
		client(os.Args[2])
		return
	}
	line, err := measure()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gitbench:", err)
		os.Exit(1)
	}
	fmt.Println(line)
}
