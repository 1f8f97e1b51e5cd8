package web

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/web/chart"
)

// charts draws the figures.
func (f *figures) charts() (all []template.HTML, err error) {
	per := "by day"
	if f.step > 1 {
		per = "by week"
	}
	rates := make([]float64, f.times)
	for i, n := range f.edited {
		if n > 0 {
			rates[i] = f.repaired[i] / n
		}
	}
	repairs := chart.Chart{ID: "repairs", Title: "Repair rate " + per, Top: 1, Format: percent,
		About: fmt.Sprintf("In %s of the runs with edits, the model was asked to correct some.", f.RepairRate())}
	if f.Repaired > 0 {
		repairs.Series = []chart.Series{{Name: "runs with a repair", Values: rates}}
	}
	outcomes := series(f.outcomes)
	for i, s := range outcomes {
		outcomes[i].Colour = outcomeColours[s.Name]
	}
	for _, c := range []chart.Chart{
		{ID: "outcomes", Title: "Runs " + per, Series: outcomes, Format: compact, Whole: true,
			About: fmt.Sprintf("%s, of which %s committed.", count(f.Runs, "run"), humanize.Comma(int64(f.Committed)))},
		repairs,
		{ID: "edits", Title: "Edits not made, by reason, " + per, Series: series(f.edits), Format: compact,
			Whole: true,
			About: fmt.Sprintf("%s failed and %s skipped.", count(f.Failed, "edit"), humanize.Comma(int64(f.Skipped)))},
		{ID: "refused", Title: "Commands not carried out, by reason, " + per, Series: series(f.refused),
			Format: compact, Whole: true,
			About: "Commands that were refused, stopped or given up."},
		{ID: "tokens", Title: "Tokens by model, " + per, Series: series(f.took), Format: compact,
			About: fmt.Sprintf("%s tokens in and %s out.", compact(float64(f.In)), compact(float64(f.Out)))},
		{ID: "cost", Title: "Cost by model, " + per, Series: series(f.cost), Format: dollars,
			About: "In all " + usd(f.Nanos) + ", by the prices at the time."},
	} {
		c.Labels = f.labels()
		html, err := c.HTML()
		if err != nil {
			return nil, err
		}
		all = append(all, html)
	}
	return all, nil
}

// outcomeColours are the colours of outcomes: green is what was committed.
var outcomeColours = map[string]int{string(port.EndCommitted): 2, string(port.EndPreviewed): 1,
	string(port.EndAnswered): 4, string(port.EndUnchanged): 6, string(port.EndRefused): 5, string(port.EndFailed): 3,
	string(port.EndCancelled): 7, string(port.EndDropped): 7}

// compact writes a number in few characters: "950", "1.2k", "3.4M".
func compact(v float64) string {
	if v < 1000 {
		return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
	}
	value, prefix := humanize.ComputeSI(v)
	return strconv.FormatFloat(math.Round(value*10)/10, 'f', -1, 64) + prefix
}

// dollars writes billionths of a dollar in few characters.
func dollars(nanos float64) string {
	switch v := nanos / 1e9; {
	case v == 0:
		return "$0"
	case v < 0.01:
		return "$" + strconv.FormatFloat(v, 'g', 2, 64)
	case v < 1000:
		return "$" + strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return "$" + compact(v)
	}
}
