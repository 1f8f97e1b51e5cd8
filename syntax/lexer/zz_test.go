package lexer

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestZZ(t *testing.T) {
	pieces := []string{"/*", "\"", "'", "`", "\"\"\"", "'''", "(", "{", "[", "<", "#", "$", "${", "#{", "\\", "/", "%w(", "<<A\n", "<<<A\n", "R\"(", "@\"", "--[[", "{-", "r#\"", "?", "a", "0", "a.", "a(", "=", "def ", "class ", "f\"{", "<?php ", "?>", "*/", "\n", "\n#", "#if 0\n", "//", " ", "\t", "~r/", "%(", "q{", "s/", "y/", "::", "<a", "@", "-", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}
	for _, l := range []Language{"Python", "Ruby", "PHP", "Java", "Kotlin", "C", "C++", "C#", "Rust", "Swift", "Scala", "Lua", "Perl", "Elixir", "Haskell", "SQL", "SCSS", "TypeScript", "Go", "Groovy"} {
		worst, w := time.Duration(0), ""
		for _, p := range pieces {
			s := strings.Repeat(p, 20000/len(p))
			b := time.Now()
			r := Lex(l, s)
			d := time.Since(b)
			if d > worst {
				worst = d
				w = fmt.Sprintf("%q %v", p, r.Complete)
			}
		}
		fmt.Println(l, worst.Round(time.Millisecond), w)
	}
}
