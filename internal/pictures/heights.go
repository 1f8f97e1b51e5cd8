package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// heightsFile is the file of heights, from the root of the repository.
const heightsFile = "internal/pictures/heights.txt"

const heightsHead = "" +
	`# How high the golden answers are on GitHub while their folds are closed, in CSS pixels: in a comment on a desktop,
# which is 780 pixels wide, and on a phone of 390. A bound is kept by hand; "-" is none. The rest is written by
#
#	.ci/pictures -update
#
`

// drift is how many pixels a height may differ from the file, a line and a little: versions of Chromium round the width
// of words differently, so that a line is broken elsewhere.
const drift = 24

// row is a line of the file: an answer, and for each of the devices its height and its bound, or 0 for none.
type row struct {
	name            string
	heights, bounds [2]int
}

func parseHeights(text string) (map[string]row, error) {
	rows := map[string]row{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "answer ") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 5 {
			return nil, fmt.Errorf("%s:%d: a line has five columns", heightsFile, n)
		}
		r := row{name: fields[0]}
		for i, to := range []*int{&r.heights[0], &r.bounds[0], &r.heights[1], &r.bounds[1]} {
			value, err := strconv.Atoi(fields[i+1])
			if err != nil && fields[i+1] != "-" {
				return nil, fmt.Errorf("%s:%d: column %d is neither a number nor -", heightsFile, n, i+2)
			}
			*to = value
		}
		rows[r.name] = r
	}
	return rows, lines.Err()
}

func printHeights(out io.Writer, rows []row) error {
	if _, err := io.WriteString(out, heightsHead); err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "answer\tdesktop\tbound\tphone\tbound")
	for _, r := range rows {
		bounds := [2]string{"-", "-"}
		for i, b := range r.bounds {
			if b > 0 {
				bounds[i] = strconv.Itoa(b)
			}
		}
		_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%s\n", r.name, r.heights[0], bounds[0], r.heights[1], bounds[1])
	}
	return table.Flush()
}

// faultsOf compares what was measured with what the file says. If the file is to be written, only bounds count.
func faultsOf(rows []row, kept map[string]row, update bool) []string {
	var faults []string
	for _, r := range rows {
		was, known := kept[r.name]
		delete(kept, r.name)
		if !known && !update {
			faults = append(faults, r.name+" is not in the file")
		}
		for i, d := range devices {
			switch h := r.heights[i]; {
			case was.bounds[i] > 0 && h > was.bounds[i]:
				faults = append(faults, fmt.Sprintf("%s on a %s: %d pixels, and its bound is %d", r.name, d.name, h, was.bounds[i]))
			case known && !update && max(h-was.heights[i], was.heights[i]-h) > drift:
				faults = append(faults, fmt.Sprintf("%s on a %s: %d pixels, and the file says %d",
					r.name, d.name, h, was.heights[i]))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kept)) {
		if !update || kept[name].bounds != [2]int{} {
			faults = append(faults, name+" is in the file, and there is no such answer")
		}
	}
	return faults
}

// measure compares answers with the file of heights, or writes it.
func (o options) measure(ctx context.Context, out io.Writer, answers []golden) error {
	text, err := os.ReadFile(heightsFile)
	if err != nil {
		return err
	}
	kept, err := parseHeights(string(text))
	if err != nil {
		return err
	}
	rows, faults, err := o.measureAll(ctx, answers)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].bounds = kept[rows[i].name].bounds
	}
	if len(o.names) > 0 {
		maps.DeleteFunc(kept, func(name string, _ row) bool {
			return !slices.ContainsFunc(rows, func(r row) bool { return r.name == name })
		})
	}
	faults = append(faults, faultsOf(rows, kept, o.update)...)
	var printed strings.Builder
	if err := printHeights(&printed, rows); err != nil {
		return err
	}
	_, _ = fmt.Fprint(out, strings.TrimPrefix(printed.String(), heightsHead))
	if o.update {
		if err := os.WriteFile(heightsFile, []byte(printed.String()), 0o600); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s\nIf that is meant: .ci/pictures -update. Look at it: .ci/pictures -out FOLDER NAME",
			strings.Join(faults, "\n"))
	}
	_, _ = fmt.Fprintf(out, "%d answers are as high as %s says, and none is wider than a phone\n", len(rows), heightsFile)
	return nil
}

// measureAll measures answers on all devices, and says what is too wide.
func (o options) measureAll(ctx context.Context, answers []golden) (rows []row, faults []string, err error) {
	b, closeBrowser, err := openBrowser(ctx, o.css)
	if err != nil {
		return nil, nil, err
	}
	defer closeBrowser()
	rows = make([]row, len(answers))
	for i, d := range devices {
		all, err := b.measure(d, answers)
		if err != nil {
			return nil, nil, err
		}
		for j, m := range all {
			rows[j].name, rows[j].heights[i] = m.Name, m.Height
			for _, wide := range m.Wide[:min(len(m.Wide), maxWide)] {
				faults = append(faults, fmt.Sprintf("%s on a %s: %s", m.Name, d.name, wide))
			}
		}
	}
	return rows, faults, nil
}

// maxWide is how many things of an answer are named that are too wide.
const maxWide = 2
