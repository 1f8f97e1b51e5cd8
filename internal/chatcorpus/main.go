// Chatcorpus makes a corpus of replies of language models with the edits that a tool made of them, from public
// repositories that hold the chat histories of the tool aider beside its commits.
//
//	go run ./internal/chatcorpus -repos internal/chatcorpus/repositories.txt -mirror DIR -out DIR
//
// The list has a repository on each line: owner/name and the commit that was its head. DIR/owner+name/repo under the
// mirror is its bare git directory. The output has dev.jsonl and held.jsonl, which share no repository, and
// prosereplies.jsonl with replies that edit nothing.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	repos := flag.String("repos", "internal/chatcorpus/repositories.txt", "list of owner/name and commit")
	mirror := flag.String("mirror", "", "directory of the bare git directories")
	out := flag.String("out", "", "directory to write to")
	flag.Parse()
	if err := run(context.Background(), *repos, *mirror, *out, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chatcorpus:", err)
		os.Exit(1)
	}
}

const (
	perRepo   = 60   // cases and prose replies from one repository
	mostProse = 1500 // prose replies in all
)

// A corpus is the cases that were made so far.
type corpus struct {
	cases, prose []*testCase
	counts       map[string]map[string]int // by outcome and form
	seen         map[string]bool           // the replies
}

func run(ctx context.Context, list, mirror, out string, w io.Writer) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("reading the list of repositories: %w", err)
	}
	all := corpus{counts: map[string]map[string]int{}, seen: map[string]bool{}}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		dir := filepath.Join(mirror, strings.ReplaceAll(f[0], "/", "+"), "repo")
		if err := all.add(ctx, f[0], f[1], dir); err != nil {
			return fmt.Errorf("reading %s: %w", f[0], err)
		}
	}
	var dev, held []*testCase
	for _, c := range all.cases {
		if isDev(c.Source) {
			dev = append(dev, c)
		} else {
			held = append(held, c)
		}
	}
	all.prose = all.prose[:min(len(all.prose), mostProse)]
	for name, cases := range map[string][]*testCase{
		"dev.jsonl": dev, "held.jsonl": held, "prosereplies.jsonl": all.prose,
	} {
		if err := write(filepath.Join(out, name), cases); err != nil {
			return err
		}
	}
	_, err = io.WriteString(w, table(all.counts)+summary("dev", dev)+summary("held", held)+summary("prose", all.prose))
	return err
}

// isDev reports whether a repository belongs to the part for development, which has three fifths of them.
func isDev(source string) bool {
	h := fnv.New32a()
	_, _ = io.WriteString(h, strings.ToLower(source))
	return h.Sum32()%5 < 3
}

// add adds the cases of one repository.
func (all *corpus) add(ctx context.Context, source, head, dir string) (err error) {
	r, err := openRepo(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, r.close()) }()
	found, err := r.histories(head)
	if err != nil {
		return err
	}
	m := &maker{repo: r, source: source, trees: map[string]map[string]string{}, count: all.count}
	var cases, prose []*testCase
	commits := map[string]bool{}
	for _, h := range found {
		nearest := h.commit
		for _, reply := range readReplies(readHistory(h.text)) {
			nearest = cmp.Or(reply.before, nearest)
			var c *testCase
			switch {
			case reply.commit != "" && !commits[reply.commit]:
				commits[reply.commit] = true
				if c, err = m.certain(reply); err == nil && c != nil && all.isNew(c) {
					cases = append(cases, c)
				}
			case reply.commit == "" && reply.alone && reply.last:
				if c, err = m.prose(reply, nearest); err == nil && c != nil && all.isNew(c) {
					prose = append(prose, c)
				}
			}
			if err != nil {
				return err
			}
		}
	}
	// The hashes of commits are as good as random.
	slices.SortFunc(cases, func(a, b *testCase) int { return strings.Compare(a.ID, b.ID) })
	all.cases = append(all.cases, cases[:min(len(cases), perRepo)]...)
	all.prose = append(all.prose, prose[:min(len(prose), perRepo)]...)
	return nil
}

// isNew reports whether no case before has the same reply.
func (all *corpus) isNew(c *testCase) bool {
	if all.seen[c.Reply] {
		return false
	}
	all.seen[c.Reply] = true
	return true
}

func (all *corpus) count(form, outcome string) {
	if all.counts[outcome] == nil {
		all.counts[outcome] = map[string]int{}
	}
	all.counts[outcome][form]++
}

func write(name string, cases []*testCase) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("creating the corpus: %w", err)
	}
	defer func() { err = cmp.Or(err, f.Close()) }()
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, c := range cases {
		if err := e.Encode(c); err != nil {
			return fmt.Errorf("writing %s: %w", c.ID, err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// table says how many replies with a commit had each outcome.
func table(counts map[string]map[string]int) string {
	forms := []string{formBlocks, formWhole, formUdiff}
	var b strings.Builder
	for _, form := range forms {
		fmt.Fprintf(&b, "%8s", form)
	}
	b.WriteString("  outcome\n")
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		for _, form := range forms {
			fmt.Fprintf(&b, "%8d", counts[outcome][form])
		}
		fmt.Fprintf(&b, "  %s\n", outcome)
	}
	return b.String()
}

// summary says how many cases a part of the corpus has.
func summary(part string, cases []*testCase) string {
	sources, forms := map[string]bool{}, map[string]int{}
	for _, c := range cases {
		sources[c.Source] = true
		forms[strings.TrimSpace(c.Form+" "+c.Equal)]++
	}
	return fmt.Sprintf("%s: %d repositories, %d cases %v\n", part, len(sources), len(cases), forms)
}
