package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxModelName bounds the name of a model as its provider gives it, in characters.
const maxModelName = 80

// costLine says what the run cost.
func costLine(c record.Costs) string {
	var parts []string
	if c.Calls > 0 {
		parts = append(parts, markdown.Code(markdown.Clip(c.Model, maxModelName)),
			fmt.Sprintf("%d %s", c.Calls, english.PluralWord(c.Calls, "call", "")))
	}
	if u := c.Usage; u.In+u.Out > 0 {
		in, out := humanize.Comma(int64(u.In)), humanize.Comma(int64(u.Out))
		parts = append(parts, fmt.Sprintf("%s tokens in, %s out", in, out))
	}
	if c.Priced {
		parts = append(parts, fmt.Sprintf("$%.4f", c.Dollars))
	}
	if c.Warning != "" {
		parts = append(parts, c.Warning)
	}
	parts = append(parts, duration(c.Took))
	return "<sub>" + strings.Join(parts, " · ") + "</sub>"
}

// duration writes a time as precisely as people want to know it.
func duration(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
