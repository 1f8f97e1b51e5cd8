package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// footer says what the run took, and what can be done next.
func (r Summary) footer() string {
	return markdown.JoinSections([]string{r.hints(), "<sub>" + strings.Join(costParts(r.Costs), " · ") + "</sub>"})
}

func costParts(c record.Costs) []string {
	var parts []string
	if c.Calls > 0 {
		parts = append(parts, markdown.Code(markdown.Clip(c.Model, 80)), fmt.Sprintf("%d %s", c.Calls, markdown.Plural(c.Calls, "call")))
	}
	if u := c.Usage; u.In+u.Out > 0 {
		parts = append(parts, fmt.Sprintf("%s tokens in, %s out", markdown.Thousands(u.In), markdown.Thousands(u.Out)))
	}
	if c.Priced {
		parts = append(parts, fmt.Sprintf("$%.4f", c.Dollars))
	}
	if c.Warning != "" {
		parts = append(parts, c.Warning)
	}
	return append(parts, duration(c.Took), "run "+c.Run)
}

// hints are the commands that make sense after this answer.
func (r Summary) hints() string {
	var out []string
	if record.Count(r.Results).Failed > 0 && r.offers("retry") {
		out = append(out, "`/tenon retry` asks again for what failed.")
	}
	if r.SHA != "" && r.offers("undo") {
		out = append(out, "`/tenon undo` takes the commit back.")
	}
	return strings.Join(out, " ")
}

// duration words a time with the precision that a person wants.
func duration(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
