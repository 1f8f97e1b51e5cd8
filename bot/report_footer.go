package bot

import (
	"fmt"
	"strings"
	"time"
)

// footer says what the run took, and what can be done next.
func (r summary) footer() string {
	return joinSections([]string{r.hints(), "<sub>" + strings.Join(costParts(r.Costs), " · ") + "</sub>"})
}

func costParts(c costs) []string {
	var parts []string
	if c.Calls > 0 {
		parts = append(parts, codeSpan(clip(c.Model, 80)), fmt.Sprintf("%d %s", c.Calls, plural(c.Calls, "call")))
	}
	if u := c.Usage; u.In+u.Out > 0 {
		parts = append(parts, fmt.Sprintf("%s tokens in, %s out", thousands(u.In), thousands(u.Out)))
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
func (r summary) hints() string {
	var out []string
	if count(r.Results).failed > 0 && r.offers("retry") {
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

// thousands writes a number of things with commas.
func thousands(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
