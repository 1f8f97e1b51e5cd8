package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/tenon-bot/tenon/internal/gfm"
)

// visible counts the characters that a reader of an answer sees before opening a fold: of folds, the titles. White
// space counts as one character. words are those outside of blocks of code, which are diffs.
func visible(text string) (all, words int, err error) {
	rendered, err := gfm.HTML(text, "")
	if err != nil {
		return 0, 0, err
	}
	root, err := html.Parse(strings.NewReader(rendered))
	if err != nil {
		return 0, 0, err
	}
	count := func(code bool) int {
		var b strings.Builder
		collectVisible(&b, root, code)
		return utf8.RuneCountInString(strings.Join(strings.Fields(b.String()), " "))
	}
	return count(true), count(false), nil
}

func collectVisible(b *strings.Builder, n *html.Node, code bool) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	if n.Type == html.ElementNode && n.Data == "pre" && !code {
		return
	}
	if n.Type == html.ElementNode && (n.Data == "td" || n.Data == "th" || n.Data == "br") {
		b.WriteByte(' ')
	}
	folded := n.Type == html.ElementNode && n.Data == "details" &&
		!slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "open" })
	for child := range n.ChildNodes() {
		if !folded || child.Data == "summary" {
			collectVisible(b, child, code)
		}
	}
}

// compareWith prints the visible characters of answers at a commit, and now: all, and those outside of diffs.
func compareWith(ctx context.Context, out io.Writer, commit string, answers []golden) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "answer\tbefore\tnow\t\twords before\twords now\t")
	line := func(name string, c [4]int) {
		_, _ = fmt.Fprintf(table, "%s\t%d\t%d\t%+d %%\t%d\t%d\t%+d %%\n", name,
			c[0], c[1], 100*(c[1]-c[0])/max(1, c[0]), c[2], c[3], 100*(c[3]-c[2])/max(1, c[2]))
	}
	var columns [4][]int
	for _, g := range answers {
		data, err := exec.CommandContext(ctx, "git", "show", commit+":"+g.file).Output() //nolint:gosec // a developer's
		if err != nil {
			_, _ = fmt.Fprintf(table, "%s\tnone\n", g.name)
			continue
		}
		old, err := readGolden(g.file, data)
		if err != nil {
			return err
		}
		var c [4]int
		if c[0], c[2], err = visible(old.text); err != nil {
			return err
		}
		if c[1], c[3], err = visible(g.text); err != nil {
			return err
		}
		line(g.name, c)
		for i, n := range c {
			columns[i] = append(columns[i], n)
		}
	}
	if n := len(columns[0]); n > 0 {
		line(fmt.Sprintf("median of %d", n),
			[4]int{median(columns[0]), median(columns[1]), median(columns[2]), median(columns[3])})
	}
	return table.Flush()
}

func median(numbers []int) int {
	sorted := slices.Sorted(slices.Values(numbers))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
