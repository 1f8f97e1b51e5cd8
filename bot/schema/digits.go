package schema

import (
	"fmt"
	"strconv"
	"strings"
)

// Digits is a regular expression for the whole numbers from least, which is not negative, to most, without zeros before
// them. Underscores may separate digits.
func Digits(least, most int64, underscores bool) string {
	d := digits{}
	if underscores {
		d.separator = "_?"
	}
	return "(?:" + strings.Join(d.numbers(strconv.FormatInt(least, 10), strconv.FormatInt(most, 10)), "|") + ")"
}

// digits writes regular expressions for numbers, with a separator before all digits but the first.
type digits struct{ separator string }

// numbers returns expressions that together match the numbers from least to most.
func (d digits) numbers(least, most string) []string {
	shorter, longer := len(least), len(most)
	switch {
	case shorter == longer:
		return d.between(least, most)
	case strings.Trim(least[1:], "0") == "" && least[0] == '1':
		all := fmt.Sprintf("[1-9]%s", d.any(shorter-1, longer-2))
		return append([]string{all}, d.between("1"+strings.Repeat("0", longer-1), most)...)
	}
	return append(d.between(least, strings.Repeat("9", shorter)), d.numbers("1"+strings.Repeat("0", shorter), most)...)
}

// between is numbers for two with equally many digits.
func (d digits) between(least, most string) []string {
	rest := len(least) - 1
	if rest == 0 {
		return []string{class(least[0], most[0])}
	}
	if least[0] == most[0] {
		return d.behind(least[:1], d.between(least[1:], most[1:]))
	}
	var first, last []string
	low, high := least[0], most[0]
	if strings.Trim(least[1:], "0") != "" {
		first = d.behind(least[:1], d.between(least[1:], strings.Repeat("9", rest)))
		low++
	}
	if strings.Trim(most[1:], "9") != "" {
		last = d.behind(most[:1], d.between(strings.Repeat("0", rest), most[1:]))
		high--
	}
	if low <= high {
		first = append(first, class(low, high)+d.any(rest, rest))
	}
	return append(first, last...)
}

// behind puts a digit before each of some expressions.
func (d digits) behind(digit string, all []string) []string {
	var longer []string
	for _, one := range all {
		longer = append(longer, digit+d.separator+one)
	}
	return longer
}

// any matches from least to most digits that are not the first ones.
func (d digits) any(least, most int) string {
	one := "(?:" + d.separator + "[0-9])"
	switch {
	case most == 0:
		return ""
	case least == most:
		return fmt.Sprintf("%s{%d}", one, most)
	}
	return fmt.Sprintf("%s{%d,%d}", one, least, most)
}

func class(low, high byte) string {
	if low == high {
		return string(low)
	}
	return "[" + string(low) + "-" + string(high) + "]"
}
