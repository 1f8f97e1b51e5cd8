package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// client reads commands from standard input, one per line, and prints one line for each: "open sha", "run
// warm|cold|named sha file…" (nanoseconds), "memory" (kilobytes).
func client(url string) {
	warm := gitrepo.New(gitrepo.Options{BaseURL: url})
	orders := bufio.NewScanner(os.Stdin)
	orders.Buffer(nil, 1<<20)
	for orders.Scan() {
		words := strings.Split(orders.Text(), "\t")
		repos := warm
		if len(words) > 1 && words[1] == "cold" {
			repos = gitrepo.New(gitrepo.Options{BaseURL: url})
		}
		var err error
		start := time.Now()
		switch words[0] {
		case "open":
			_, err = repos.Open(context.Background(), anvil, "refs/heads/main", words[2])
		case "run":
			err = run(repos, words[2], words[3:], words[1] == "named")
		case "memory":
			fmt.Println(peakMemory())
			continue
		}
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(time.Since(start).Nanoseconds())
	}
}

// anvil is the repository that is served.
var anvil = port.RepoRef{Owner: "acme", Name: "anvil"}

// run edits the files of the commit and pushes. Named files are known before the commit is opened, as those in a
// comment.
func run(repos *gitrepo.Repos, sha string, files []string, named bool) error {
	ctx := context.Background()
	var likely []string
	if named {
		likely = files
	}
	c, err := repos.Open(ctx, anvil, "refs/heads/main", sha, likely...)
	if err != nil {
		return err
	}
	if err := c.Load(ctx, files...); err != nil {
		return err
	}
	for _, name := range files {
		data, err := c.ReadFile(name)
		if err != nil {
			return err
		}
		if err := c.WriteFile(name, append([]byte("// edited\n"), data...)); err != nil {
			return err
		}
	}
	who := repo.Signature{Name: "tenon", Email: "tenon@example.com", When: time.Unix(1_700_000_000, 0)}
	_, err = c.Commit(ctx, repo.CommitRequest{Branch: "main", Message: "chore: edit", Author: who, Committer: who})
	return err
}

// peakMemory returns the process's VmHWM in kB, or 0 if there is no /proc.
func peakMemory() int {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		var kb int
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kb); n == 1 {
			return kb
		}
	}
	return 0
}
