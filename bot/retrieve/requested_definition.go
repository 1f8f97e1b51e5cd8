package retrieve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// choose decides which lines an ask means, or returns why none are.
func (v *view) choose(a Ask) (why string) {
	n := len(v.lines)
	switch {
	case n == 0:
		return "it is empty"
	case a.Lines.From > n:
		return fmt.Sprintf("it has only %d lines", n)
	case a.Lines.From > 0 && a.Lines.From == a.Lines.To:
		v.wanted = markdown.Ranges{{max(0, a.Lines.From-1-aroundLine), min(n, a.Lines.To+aroundLine)}}
	case a.Lines.From > 0:
		v.wanted = markdown.Ranges{{a.Lines.From - 1, min(n, a.Lines.To)}}
	case a.Name != "":
		if v.wanted = v.definitionsOf(a.Name); len(v.wanted) == 0 {
			return fmt.Sprintf("it neither defines nor uses %s", a.Name)
		}
	default:
		v.wanted, v.best = markdown.Ranges{{0, n}}, true
	}
	return ""
}

// definitionsOf returns the lines of all definitions of a name, or else those around its uses.
func (v *view) definitionsOf(name string) (out markdown.Ranges) {
	defs := v.outline()
	last := lastName(name)
	if last == "" {
		return nil
	}
	var of []int
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for i, d := range defs {
			if same(bareName(d.Name), last) {
				of = append(of, i)
			}
		}
		if len(of) > 0 {
			break
		}
	}
	if owner := ownerName(name); owner != "" && len(of) > 1 {
		owned := slices.DeleteFunc(slices.Clone(of), func(i int) bool { return !v.ownedBy(defs, i, owner) })
		if len(owned) > 0 {
			of = owned
		}
	}
	for _, i := range of {
		out = append(out, v.extent(defs, i))
	}
	if len(out) == 0 {
		out = v.usesOf(last)
	}
	return markdown.MergeRanges(out)
}

var nameSeparator = regexp.MustCompile(`\.|::|#|->`)

// lastName returns the last part of a name with its owners: start of Server.start().
func lastName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	parts := nameSeparator.Split(name, -1)
	return bareName(parts[len(parts)-1])
}

// ownerName returns the part before the last one; empty if there is none.
func ownerName(name string) string {
	name, _, _ = strings.Cut(name, "(")
	if parts := nameSeparator.Split(name, -1); len(parts) > 1 {
		return parts[len(parts)-2]
	}
	return ""
}

func bareName(name string) string { return strings.TrimLeft(strings.TrimRight(name, "!?="), "@~$") }

// ownedBy reports whether a definition is within that of another name, or names it on its line, as a method of Go does.
func (v *view) ownedBy(defs []lexical.Definition, at int, owner string) bool {
	if hasWord(defs[at].Text, owner) {
		return true
	}
	depth := indent(v.lines[defs[at].Line-1])
	for _, d := range slices.Backward(defs[:at]) {
		if n := indent(v.lines[d.Line-1]); n < depth {
			if depth = n; bareName(d.Name) == owner {
				return true
			}
		}
	}
	return false
}

// extent returns the lines of a definition: from the comments above it to before the next one that is indented as
// little.
func (v *view) extent(defs []lexical.Definition, at int) [2]int {
	line := defs[at].Line - 1
	end := len(v.lines)
	for _, d := range defs[at+1:] {
		if d.Line-1 > line && indent(v.lines[d.Line-1]) <= indent(v.lines[line]) {
			end = heading(v.lines, d.Line-1)
			break
		}
	}
	end = max(min(end, line+maxAskedLines), line+1)
	for end > line+1 && strings.TrimSpace(v.lines[end-1]) == "" {
		end--
	}
	return [2]int{heading(v.lines, line), end}
}

// usesOf returns the lines around the first uses of a name.
func (v *view) usesOf(name string) (out markdown.Ranges) {
	for i, line := range v.lines {
		if len(out) < maxUses && len(line) <= maxRefLine && hasWord(line, name) {
			out = append(out, [2]int{max(0, i-aroundUse), min(len(v.lines), i+1+aroundUse)})
		}
	}
	return out
}
