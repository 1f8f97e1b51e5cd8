package secret

import (
	"math"
	"regexp"
	"strings"
)

// Bounds of an assignment: how far behind a keyword the operator is, how far behind that the value, and how short a
// value is that is no secret.
const (
	maxName  = 48
	maxOpen  = 9
	minValue = 8
)

// commonPairs are the pairs of letters that make up three quarters of the names and words in sources. Of random
// letters, they make up a fifth.
const commonPairs = `ab ac ad ag ai al am an ap ar as at ba be bl ca ce ch ck cl co ct da de di do ea ec ed ee ef el
	em en ep
	er es et ev ex fa fe ff fi fo ge ha he hi ho ia ic id ie if ig il im in io ir is it iv ke la ld le li ll
	lo lt lu ly ma me mi mo mp na nc nd ne ng ni no ns nt oc od ol om on oo op or os ot ou ow pa pe pl po pp
	pr pt qu ra re ri rm ro rr rs rt ru ry sa sc se sh si so sp ss st su ta tc te th ti to tr ts tt tu ty ue
	ul um un ur us ut va ve vi wi`

// pairs has a true for each of commonPairs.
var pairs = func() (table [26 * 26]bool) {
	for _, pair := range strings.Fields(commonPairs) {
		table[int(pair[0]-'a')*26+int(pair[1]-'a')] = true
	}
	return table
}()

// chars says what a text is made of.
type chars struct {
	lower, upper, digits, symbols int
	// hex reports whether all are hexadecimal digits, in one case.
	hex bool
	// chance is how much likelier the text is if its characters are random than if they are words, as a logarithm: above
	// 0, it is random.
	chance float64
	bits   float64
}

// classes returns how many of the four classes of characters there are.
func (c chars) classes() (n int) {
	for _, count := range []int{c.lower, c.upper, c.digits, c.symbols} {
		if count > 0 {
			n++
		}
	}
	return n
}

// What one character after another says about chance. Of random letters, few pairs are common in words; and letters and
// digits take turns, as do small letters and capitals, the more kinds of them there are.
const (
	rarePair    = 1.25
	commonPair  = -1.25
	turnOfThree = 1.3
	sameOfThree = -0.45
	turnOfTwo   = 1.0
	sameOfTwo   = -0.35
)

func charsOf(text string) (c chars) {
	c.bits = entropy(text)
	hexLower, hexUpper := true, true
	same, turns := 0, 0
	var before byte
	for i := range len(text) {
		b := text[i]
		switch kind := kindOfByte(b); kind {
		case 'a':
			c.lower++
		case 'A':
			c.upper++
		case '0':
			c.digits++
		default:
			c.symbols++
		}
		hexLower = hexLower && ('0' <= b && b <= '9' || 'a' <= b && b <= 'f')
		hexUpper = hexUpper && ('0' <= b && b <= '9' || 'A' <= b && b <= 'F')
		if x, y := kindOfByte(before), kindOfByte(b); i > 0 && x != 0 && y != 0 {
			switch {
			case x != y && (x != 'A' || y != 'a'):
				turns++
			case x == '0':
				same++
			default:
				same++
				c.chance += rarePair
				if pairs[(int(before|0x20)-'a')*26+int(b|0x20)-'a'] {
					c.chance += commonPair - rarePair
				}
			}
		}
		before = b
	}
	switch kinds := min(1, c.lower) + min(1, c.upper) + min(1, c.digits); kinds {
	case 3:
		c.chance += turnOfThree*float64(turns) + sameOfThree*float64(same)
	case 2:
		c.chance += turnOfTwo*float64(turns) + sameOfTwo*float64(same)
	}
	c.hex = (hexLower || hexUpper) && c.digits > 0
	return c
}

// kindOfByte returns 'a', 'A' or '0' for a letter or digit, and 0 for any other byte.
func kindOfByte(b byte) byte {
	switch {
	case 'a' <= b && b <= 'z':
		return 'a'
	case 'A' <= b && b <= 'Z':
		return 'A'
	case '0' <= b && b <= '9':
		return '0'
	}
	return 0
}

var (
	uuid = regexp.MustCompile(`(?i)^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	// placeholder matches what stands for a secret, or refers to one.
	placeholder = regexp.MustCompile(`(?i)example|change.?me|place.?holder|redacted|your|x{4}|\*{3}|\.{3}|to-?do|` +
		`dummy|fake|` +
		`sample|foo.?bar|insert|abcdef|qwerty|123456789|^\$|^\\?\$?\{|^<|^%[({]|^#\{|\$\{|\{\{|^arn:|^(?:https?|file|` +
		`git|ssh)://|` +
		`^ENC\[|^op://|^vault:|^data:|^sha(?:1|256|384|512)-|^ssh-|^projects/|^[a-z]:\\|^/[a-z]{2,}/|^\./|^~/|\[\^|` +
		`\\[dwsbx]|[a-z]-z|\(\?`)
	// dateLike matches a number, a date, a version or an address.
	dateLike = regexp.MustCompile(`^[\d.,:/TZ+\- ]+$`)
)

// minBits is the least entropy of what is random, in bits per byte. likely is the chance from which on it is taken for
// a secret where a name says so.
const (
	minBits = 3.0
	likely  = -2.0
)

// random reports whether a text is as random as a key or a token that a program made. Of hexadecimal digits and UUIDs,
// which are often no secrets, it is told whether to count them.
func random(text string, identifiers bool) bool { return randomAs(text, identifiers, 0) }

// randomAs is random with the least chance.
func randomAs(text string, identifiers bool, chance float64) bool {
	const least = 12
	c := charsOf(text)
	if len(text) < least || c.bits < 2.5 || c.lower+c.upper == 0 {
		return false
	}
	if c.hex || uuid.MatchString(text) {
		return identifiers && len(text) >= 2*minValue && !placeholder.MatchString(text)
	}
	return c.chance > chance && c.bits > minBits && c.symbols*3 < len(text) &&
		(c.digits > 0 || c.lower > 1 && c.upper > 1 && len(text) >= 2*minValue) && !placeholder.MatchString(text)
}

// chosen reports whether a text is like a password that somebody took some care to choose.
func chosen(text string) bool {
	c := charsOf(text)
	if len(text) < minValue || c.digits == 0 || c.lower+c.upper == 0 || c.bits < 2.75 {
		return false
	}
	return (c.classes() == 4 && c.bits > minBits || c.classes() == 3 && c.chance > likely ||
		c.classes() == 2 && c.chance > 0) && !placeholder.MatchString(text) && !dateLike.MatchString(text)
}

// entropy returns the Shannon entropy of a text in bits per byte.
func entropy(text string) (bits float64) {
	var count [256]int
	for i := range len(text) {
		count[text[i]]++
	}
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}
