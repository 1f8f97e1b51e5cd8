package web

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/unusual"
)

// functions are what templates can call.
var functions = template.FuncMap{
	"static": staticPath, "plain": plain, "short": short, "time": exactTime, "took": took, "count": count,
	"plural": plural, "usd": usd, "comma": humanize.Comma, "dict": dict, "plainAll": plainAll, "line": line,
	"comma64": func(n int) string { return humanize.Comma(int64(n)) }, "add": func(a, b int) int { return a + b },
	"summary": summary, "first": first, "doing": doing, "files": filesOf, "actName": actName, "sha": shaOf,
}

// maxPlain bounds a text of some lines, maxLine a line, maxShort one that is part of a line, in bytes.
const (
	maxPlain = 64 << 10
	maxLine  = 2000
)

// plain returns a text with every character that is not seen as what it is spelled out, such as those that turn the
// direction of writing, and at most maxPlain bytes of it.
func plain(text string) string { return plainAll(cut(text, maxPlain)) }

// plainAll is plain without a bound.
func plainAll(text string) string {
	lines := strings.Split(strings.ToValidUTF8(text, "�"), "\n")
	for i, line := range lines {
		lines[i] = unusual.Spelled(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// line is plain for a line whose blanks mean something.
func line(text string) string {
	return unusual.Spelled(strings.ReplaceAll(cut(text, maxLine), "\n", "⏎"))
}

// exactTime returns a time as <time> has it.
func exactTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// took returns a duration as people say it: "850 ms", "12.3 s", "4 min 10 s", "2 h 5 min".
func took(d time.Duration) string {
	d = max(0, d)
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// count returns a number with its noun: "1 block", "2 blocks".
func count(n int, noun string) string { return humanize.Comma(int64(n)) + " " + plural(n, noun) }

// plural returns a noun as it is after a number.
func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// usd returns an amount of billionths of a dollar.
func usd(nanos int64) string { return fmt.Sprintf("$%.4f", float64(nanos)/1e9) }

// dict returns a map of pairs of a name and a value, for templates that need several values.
func dict(pairs ...any) (map[string]any, error) {
	m := map[string]any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name, ok := pairs[i].(string)
		if !ok {
			return nil, fmt.Errorf("%v is not a name", pairs[i])
		}
		m[name] = pairs[i+1]
	}
	return m, nil
}
