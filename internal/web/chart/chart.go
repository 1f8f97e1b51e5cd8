// Package chart draws figures over time as bars, in SVG and with a table of the same figures. It is pure. What it draws
// has no styles: its classes are "chart", "series-1" and so on.
package chart

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// Chart is a chart of bars, one for each time, of which each is made of the values of the series.
type Chart struct {
	// ID is unique on the page: ASCII letters and hyphens.
	ID string
	// Title says what is shown, About the most important of it in a sentence.
	Title, About string
	// Labels name the times.
	Labels []string
	Series []Series
	// Format writes a value, in few characters.
	Format func(float64) string
	// Top is the value at the top of the axis; 0 means that the values decide.
	Top float64
	// Whole means that the values are counts.
	Whole bool
}

// Series is one sort of figures, with a value for each time. Values below 0 and those that are no numbers count as 0.
type Series struct {
	Name   string
	Values []float64
	// Colour is that of the series, from 1 to MaxSeries; 0 means that its place decides.
	Colour int
}

// MaxSeries is how many series there are colours for.
const MaxSeries = 7

// Others is the name of the series of Fold.
const Others = "others"

// Fold returns at most MaxSeries of some series, those with the largest sums first: what is beyond is added up.
func Fold(all []Series) []Series {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Series) int {
		switch x, y := sum(a.Values), sum(b.Values); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	if len(all) <= MaxSeries {
		return all
	}
	rest := Series{Name: Others}
	for _, s := range all[MaxSeries-1:] {
		for i, v := range s.Values {
			if i == len(rest.Values) {
				rest.Values = append(rest.Values, 0)
			}
			rest.Values[i] += clean(v)
		}
	}
	return append(all[:MaxSeries-1:MaxSeries-1], rest)
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += clean(v)
	}
	return total
}

// clean returns a value that can be drawn.
func clean(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return 0
	}
	return v
}

// at returns the value of a series at a time.
func (s Series) at(i int) float64 {
	if i >= len(s.Values) {
		return 0
	}
	return clean(s.Values[i])
}

// The drawing, in units of its own: it is as wide as the page lets it be.
const (
	width, height = 360.0, 170.0
	left, right   = 44.0, 4.0
	above, below  = 10.0, 20.0
)

// bar is one bar of the drawing.
type bar struct {
	// Text is what it shows, in words.
	Text  string
	Parts []part
}

// part is a rectangle, in the class of its series.
type part struct {
	Series           int
	X, Y, Wide, High string
}

// mark is a text beside an axis.
type mark struct {
	X, Y, Text, Anchor string
	Line               bool
}

// drawing is what the template needs.
type drawing struct {
	Chart
	// Colours are those of the series.
	Colours []int
	Bars    []bar
	Marks   []mark
	// Rows are the lines of the table, of the times at which there is something.
	Rows []row
}

type row struct {
	Label  string
	Values []string
}

// HTML returns the chart as a figure. Nothing in it is unescaped but what this package writes.
func (c Chart) HTML() (template.HTML, error) {
	var b strings.Builder
	if err := figure.Execute(&b, c.draw()); err != nil {
		return "", fmt.Errorf("drawing the chart %s: %w", c.ID, err)
	}
	return template.HTML(b.String()), nil //nolint:gosec // the template escaped it
}

func (c Chart) draw() drawing {
	d := drawing{Chart: c}
	for n := range c.Series {
		d.Colours = append(d.Colours, c.colour(n))
	}
	top := c.top()
	bottom := height - below
	up := (bottom - above) / top
	for i := range 3 {
		v := top * float64(i) / 2
		d.Marks = append(d.Marks, mark{X: num(left - 4), Y: num(bottom - v*up), Text: c.Format(v), Anchor: "end", Line: true})
	}
	step := (width - left - right) / float64(max(1, len(c.Labels)))
	for i, label := range c.Labels {
		if i == 0 || i == len(c.Labels)-1 || i == len(c.Labels)/2 && len(c.Labels) > 4 {
			d.Marks = append(d.Marks, c.under(i, step, label))
		}
		y := bottom
		b := bar{Text: label}
		r := row{Label: label}
		for n, s := range c.Series {
			v := s.at(i)
			r.Values = append(r.Values, c.Format(v))
			if v == 0 {
				continue
			}
			high := min(v*up, y-above)
			y -= high
			b.Parts = append(b.Parts, part{Series: c.colour(n), X: num(left + float64(i)*step + step*0.1), Y: num(y),
				Wide: num(step * 0.8), High: num(high)})
			b.Text += fmt.Sprintf(", %s: %s", s.Name, c.Format(v))
		}
		if len(b.Parts) > 0 {
			d.Bars, d.Rows = append(d.Bars, b), append(d.Rows, r)
		}
	}
	return d
}

// under is the label of a time below the axis; the first and the last do not leave the drawing.
func (c Chart) under(i int, step float64, label string) mark {
	m := mark{X: num(left + (float64(i)+0.5)*step), Y: num(height - 6), Text: label, Anchor: "middle"}
	switch {
	case i == 0 && len(c.Labels) > 1:
		m.X, m.Anchor = num(left), "start"
	case i > 0 && i == len(c.Labels)-1:
		m.X, m.Anchor = num(width-right), "end"
	}
	return m
}

// colour returns the colour of the n-th series.
func (c Chart) colour(n int) int {
	if of := c.Series[n].Colour; of >= 1 && of <= MaxSeries {
		return of
	}
	return n%MaxSeries + 1
}

// top returns the value at the top of the axis: one, two or four times a power of ten, of which there is a half.
func (c Chart) top() float64 {
	if c.Top > 0 {
		return c.Top
	}
	most := 0.0
	for i := range c.Labels {
		total := 0.0
		for _, s := range c.Series {
			total += s.at(i)
		}
		most = max(most, total)
	}
	switch {
	case most == 0:
		return 1
	case c.Whole && most < 2:
		return 2
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, n := range []float64{1, 2, 4} {
		if n*power >= most {
			return n * power
		}
	}
	return 10 * power
}

// num writes a coordinate.
func num(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

var figure = template.Must(template.New("chart").Parse(`<figure class="chart" id="{{.ID}}">
<figcaption id="{{.ID}}-title">{{.Title}}</figcaption>
{{- if .Bars}}
<svg viewBox="0 0 360 170" role="img" aria-labelledby="{{.ID}}-title {{.ID}}-about">
<desc id="{{.ID}}-about">{{.About}}</desc>
{{- range .Marks}}
{{- if .Line}}<line class="grid" x1="44" x2="356" y1="{{.Y}}" y2="{{.Y}}"></line>{{end -}}
<text x="{{.X}}" y="{{.Y}}"{{if .Line}} dy="3"{{end}} text-anchor="{{.Anchor}}">{{.Text}}</text>
{{- end}}
{{- range .Bars}}
<g><title>{{.Text}}</title>
{{- range .Parts -}}
<rect class="series-{{.Series}}" x="{{.X}}" y="{{.Y}}" width="{{.Wide}}" height="{{.High}}"></rect>
{{- end -}}
</g>
{{- end}}
</svg>
<ul class="legend">
{{- range $i, $s := .Series}}
<li><span class="swatch series-{{index $.Colours $i}}" aria-hidden="true"></span> {{$s.Name}}</li>
{{- end}}
</ul>
<details><summary>{{.Title}}: figures</summary>
<div class="scroll" role="region" tabindex="0" aria-labelledby="{{.ID}}-title"><table>
<thead><tr><th scope="col">Time</th>{{range .Series}}<th scope="col">{{.Name}}</th>{{end}}</tr></thead>
<tbody>
{{- range .Rows}}
<tr><th scope="row">{{.Label}}</th>{{range .Values}}<td>{{.}}</td>{{end}}</tr>
{{- end}}
</tbody></table></div></details>
{{- else}}
<p>Nothing in this time.</p>
{{- end}}
</figure>
`))
