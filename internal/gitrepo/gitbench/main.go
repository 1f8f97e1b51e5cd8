// Gitbench measures package gitrepo against `git push`, side by side on a repository of more than 20,000 files that it
// makes of Go's sources and serves by `git http-backend`. It needs git and no network, and prints one line:
//
//	warm_x, cold_x           a run (open, load three files, edit, commit, push) to a push of one ready commit
//	warm_rtt_x, cold_rtt_x   the same with 50 ms added to each request
//	requests_*, cold_kb      requests of a run; what a cold one receives
//	rss_mb                   the peak memory of the client process (VmHWM)
//	clone_depth1_x           `git clone --depth 1`, for comparison
//	warm_later_rtt_x         warm_rtt_x of a run that names its files only after opening, with
//	requests_warm_later      its requests
//
// Warm means that the parent of the branch's tip was opened before. The three files are others each time, so that they
// are not cached, and are named when the commit is opened. Cold means that nothing is cached, also no capabilities.
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
