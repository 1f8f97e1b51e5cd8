package markdowntest

import "strings"

// Costly returns texts that nobody writes, by what they are made of, each of about n bytes: a parser that looks at some
// of a text again and again takes time or memory for them by the square of n.
func Costly() map[string]func(n int) string {
	all := map[string]func(n int) string{
		"lists over four lines and line ends": func(n int) string { return deepLists(100) + strings.Repeat("\n", n) + "@" },
		"lists as deep as lines are long":     func(n int) string { return deepLists(400) + strings.Repeat("\n", n) + "@" },
		"lists in stairs, and line ends":      func(n int) string { return stairs(n/2) + strings.Repeat("\n", n/2) + "@" },
		"quotes, and lines of nothing else":   func(n int) string { return fill(strings.Repeat(">", 90)+"\n", n) },
		"quotes that begin again":             func(n int) string { return fill(strings.Repeat(">", 90)+"a\n\n", n) },
		"lists in stairs":                     stairs,
		"backticks of growing length": func(n int) string {
			var b strings.Builder
			for i := 1; b.Len() < n; i++ {
				b.WriteString(strings.Repeat("`", i) + "a")
			}
			return b.String()
		},
		"a table of many columns": func(n int) string {
			return fill("|a", n/3) + "\n" + fill("|-", n/3) + "\n" + fill("|\n", n/3)
		},
		"emphasis that begins and never ends": func(n int) string { return fill("a**b", n/2) + fill("c* ", n/2) },
		"brackets that never end":             func(n int) string { return "x" + fill("<![CDATA[", n) },
		"brackets around brackets": func(n int) string {
			return fill(strings.Repeat("[", 490)+strings.Repeat("]", 490), n)
		},
		"a word of brackets": func(n int) string { return "x" + fill(")", n) },
	}
	for _, p := range pieces {
		all[p] = func(n int) string { return fill(p, n) }
	}
	return all
}

// pieces are repeated by Costly.
var pieces = []string{
	"[](", "[](\n", "[]( <", "![", "![](", "[", "]", "[a](", "[x] ", "[*b](c) ", "[b](c) ", "[a][b", `[a](b "`,
	"[a](<", "[a]: b\n", "[a]: b 'c\n", "[a\n", "[^", "[^a]: b\n", "<", "<a ", `<a b=' c="`, "<http:", "<a@",
	"x <!--", "x <?", "x <!A", "<!--\n", "x\n<!--\n", "<div>\n\n", "*a **a ", "*a_", "a_ ", "_ a", "*", "*x",
	"~a ~~b", "a*b_c", "\\``", "` ``", "a`b`", "```\n", "``` x\na\n```\n", "&", "&amp;", "&#1", "|", "a\n=\n",
	"a\n-\n", "a\n", ">", "> ", "- ", "-\n", "1. ", "\t", "-\t", "- a\n\tb\n", "\\", ")", "(", "a\r", "\x00",
	"http://a.b/", "www.", "@", "# a\n", "$$", ":a:", "\u202e",
}

func fill(piece string, n int) string { return strings.Repeat(piece, n/len(piece)+1)[:n] }

// deepLists returns lists that are depth levels deep after four lines.
func deepLists(depth int) string {
	var b strings.Builder
	for i := range 4 {
		b.WriteString(strings.Repeat("  ", i*depth/4) + strings.Repeat("- ", depth/4) + "x\n")
	}
	return b.String()
}

// stairs returns a list in a list in a list.
func stairs(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}
