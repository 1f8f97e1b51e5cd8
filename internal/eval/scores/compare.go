package scores

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Comparison compares two measurements of the same tasks.
type Comparison struct {
	// A and B are the models that are compared.
	A string `json:"a"`
	B string `json:"b"`
	// Tasks is how many tasks both have measured. OnlyA and OnlyB are those that one of them lacks, Changed those whose
	// content is not the same; all of these are left out.
	Tasks   int      `json:"tasks"`
	OnlyA   []string `json:"only_a,omitempty"`
	OnlyB   []string `json:"only_b,omitempty"`
	Changed []string `json:"changed,omitempty"`
	Rows    []Row    `json:"figures"`
	// Gained and Lost are the tasks that B solves more and less often than A.
	Gained []string `json:"gained,omitempty"`
	Lost   []string `json:"lost,omitempty"`
}

// Row compares a figure.
type Row struct {
	Name string `json:"name"`
	// Tasks is how many tasks both measured the figure in; A, B and Difference are of these. A share is the mean of the
	// tasks' shares.
	Tasks      int      `json:"tasks"`
	A          float64  `json:"a"`
	B          float64  `json:"b"`
	Difference Interval `json:"difference"`
	// Chance is how probable a difference as large as this is if there is none.
	Chance float64 `json:"p"`
	// Clear is whether the difference is more than chance: Chance is below 0.05.
	Clear bool `json:"clear"`

	figure figure
}

// Compare compares each model of b with the one of a that has the same name. If each report has one model, those two
// are compared.
func Compare(a, b Report) ([]Comparison, error) {
	if len(a.Models) == 1 && len(b.Models) == 1 {
		c, err := compare(a, a.Models[0].Model, b, b.Models[0].Model)
		return []Comparison{c}, err
	}
	var out []Comparison
	for _, m := range a.Models {
		if !slices.ContainsFunc(b.Models, func(f Figures) bool { return f.Model == m.Model }) {
			continue
		}
		c, err := compare(a, m.Model, b, m.Model)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, errors.New("the two measurements have no model in common")
	}
	return out, nil
}

func compare(a Report, modelA string, b Report, modelB string) (Comparison, error) {
	c := Comparison{A: modelA, B: modelB}
	inA, inB := a.of(modelA), b.of(modelB)
	tasksA, tasksB := digests(inA), digests(inB)
	shared := map[string]bool{}
	for _, task := range slices.Sorted(maps.Keys(tasksA)) {
		other, ok := tasksB[task]
		switch {
		case !ok:
			c.OnlyA = append(c.OnlyA, task)
		case other != tasksA[task]:
			c.Changed = append(c.Changed, task)
		default:
			shared[task] = true
		}
	}
	for _, task := range slices.Sorted(maps.Keys(tasksB)) {
		if _, ok := tasksA[task]; !ok {
			c.OnlyB = append(c.OnlyB, task)
		}
	}
	if len(shared) == 0 {
		return Comparison{}, errors.New("the two measurements have no task in common")
	}
	c.Tasks = len(shared)
	other := func(r Result) bool { return !shared[r.Task] }
	inA, inB = slices.DeleteFunc(inA, other), slices.DeleteFunc(inB, other)
	for _, f := range figures() {
		if r, ok := f.compare(inA, inB); ok {
			c.Rows = append(c.Rows, r)
		}
	}
	c.Gained, c.Lost = moved(inA, inB)
	return c, nil
}

// of returns the results of a model.
func (r Report) of(model string) []Result {
	return slices.DeleteFunc(slices.Clone(r.Results), func(r Result) bool { return r.Model != model })
}

// digests returns the digest of each task.
func digests(results []Result) map[string]string {
	out := map[string]string{}
	for _, r := range results {
		out[r.Task] = r.Digest
	}
	return out
}

// compare compares a figure in tasks that both measured it in, by the differences of each task.
func (f figure) compare(a, b []Result) (Row, bool) {
	inA, inB := sumsByTask(a, f.of), sumsByTask(b, f.of)
	r := Row{Name: f.name, figure: f}
	var differences []float64
	for _, task := range slices.Sorted(maps.Keys(inA)) {
		other, ok := inB[task]
		if !ok {
			continue
		}
		before, after := inA[task].happened/inA[task].of, other.happened/other.of
		r.A, r.B = r.A+before, r.B+after
		differences = append(differences, after-before)
	}
	if len(differences) == 0 {
		return Row{}, false
	}
	r.Tasks = len(differences)
	r.A, r.B = r.A/float64(r.Tasks), r.B/float64(r.Tasks)
	r.Difference, _ = mean(differences)
	if f.isShare {
		r.Difference.Low, r.Difference.High = max(-1, r.Difference.Low), min(1, r.Difference.High)
	}
	r.Chance = chance(differences)
	r.Clear = r.Chance < 0.05
	return r, true
}

// moved returns the tasks that b solves more and less often than a.
func moved(a, b []Result) (gained, lost []string) {
	solved := func(r Result) group { return yes(r.Solved, r.Judged) }
	inA, inB := sumsByTask(a, solved), sumsByTask(b, solved)
	for _, task := range slices.Sorted(maps.Keys(inA)) {
		other, ok := inB[task]
		if !ok {
			continue
		}
		switch before, after := inA[task].happened/inA[task].of, other.happened/other.of; {
		case after > before:
			gained = append(gained, task)
		case after < before:
			lost = append(lost, task)
		}
	}
	return gained, lost
}

// WriteMarkdown writes a comparison as Markdown.
func (c Comparison) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (A) and %s (B), on %d tasks that both measured:\n\n", cell(c.A), cell(c.B), c.Tasks)
	b.WriteString("| | A | B | B − A | p | |\n|---|---:|---:|---:|---:|---|\n")
	for _, r := range c.Rows {
		verdict := "no clear difference"
		switch {
		case r.Clear && r.Difference.Value > 0:
			verdict = "**higher in B**"
		case r.Clear:
			verdict = "**lower in B**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %.3f | %s |\n", r.Name, r.figure.number(r.A), r.figure.number(r.B),
			r.figure.text(&r.Difference), r.Chance, verdict)
	}
	b.WriteString("\nIn parentheses: the 95 % interval of the difference. p is the probability of a difference as large " +
		"as this by chance;\nfrom 0.05 on, it may well be chance, and more tasks or runs are needed to tell. Each task " +
		"counts the same.\n")
	for _, l := range []struct {
		name  string
		tasks []string
	}{
		{"Solved more often by B", c.Gained},
		{"Solved less often by B", c.Lost},
		{"Left out, since only A has them", c.OnlyA},
		{"Left out, since only B has them", c.OnlyB},
		{"Left out, since the task was changed in between", c.Changed},
	} {
		if len(l.tasks) > 0 {
			fmt.Fprintf(&b, "\n%s: %s\n", l.name, cell(strings.Join(l.tasks, ", ")))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
