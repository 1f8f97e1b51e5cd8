// Viewbench measures what a run costs of processors and memory in repositories of several sizes, of which one file
// changed since the last run. It makes the repositories, serves them by `git http-backend` from a process of its own,
// and needs no network. It prints a line for each size:
//
//	files             in the repository
//	cold_ms, cold_mb  processor time and memory allocated for the first run, which names a file and edits it
//	warm_ms, warm_mb  the same for a later one, when a commit has changed one file since
//	added_ms, added_mb      when the commit since has added a file, and the run adds one too
//	ranked_ms, ranked_mb    for a run that names no file, so that the sources are ranked
//	restart_ms, restart_mb  for a run that names a file, the first one after a restart
//	kept_mb           what is kept of the repository after that
//
// and one with the growth factors from the first size to the last. -sizes says which: numbers of files, with commas.
package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "serve" {
		count, _ := strconv.Atoi(os.Args[2])
		serve(count)
		return
	}
	sizes := flag.String("sizes", "6000,60000,300000,600000", "numbers of files, with commas")
	flag.Parse()
	if err := measureAll(*sizes); err != nil {
		fmt.Fprintln(os.Stderr, "viewbench:", err)
		os.Exit(1)
	}
}

// measureAll prints the figures of each size, and by which factor each grows from the first to the last.
func measureAll(sizes string) error {
	var all []figures
	for text := range strings.SplitSeq(sizes, ",") {
		count, err := strconv.Atoi(text)
		if err != nil || count < 1 {
			return fmt.Errorf("%q is not a number of files", text)
		}
		f, err := measure(count)
		if err != nil {
			return fmt.Errorf("%d files: %w", count, err)
		}
		fmt.Println(f)
		all = append(all, f)
	}
	fmt.Println(all[len(all)-1].growth(all[0]))
	return nil
}
