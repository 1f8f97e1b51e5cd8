// Package wording finds phrases in texts that a native reader stops at. Its test looks for them in everything of tenon
// that people read.
package wording

import (
	"fmt"
	"regexp"
	"strings"
)

// phrase is one that no text has.
type phrase struct {
	// part is in all texts that the pattern matches, in lower case: most texts need not be searched by the pattern.
	part    string
	pattern *regexp.Regexp
	// instead is what to write.
	instead string
}

// words makes a phrase of a pattern, which matches whole words in either case. A blank in it matches a line break too.
func words(part, pattern, instead string) phrase {
	pattern = strings.ReplaceAll(pattern, " ", `\s+`)
	return phrase{part, regexp.MustCompile(`(?i)(?:\b|^)(?:` + pattern + `)\b`), instead}
}

// phrases are sorted by nothing: a new one goes to the end.
var phrases = []phrase{
	words("work", `in work`, "running"),
	words("st",
		`(?:stand|stands|stood)(?: (?:here|there|in|at|on|between|before|behind|above|below|beside|nowhere|for code))`,
		"is, appears"),
	words("stands", `where the limit stands`, "where the limit is set"),
	words("hold", `(?:settings?|rules?|which|that|they|it|file|name|reply|comment|block|path) holds?`,
		"apply, contains, has"),
	words("hold", `holds? (?:no|none|nothing|secrets|edits?|edit blocks|here|back|all back)`, "has, contains"),
	words("back", `(?:give|gives|given|gave|giving) back`, "returns"),
	words("back", `(?:take|takes|taken|took|taking) (?:it |them |that |this |the commit |the edits? )?back`, "reverts"),
	words("pen", `slips? of the pen`, "a typo"),
	words("anew", `anew`, "again, resets"),
	words("mend", `mend|mends|mended`, "fix"),
	words("tried", `(?:was|were|is|are) not tried|, not tried`, "skipped"),
	words("box", `box at the side`, `the "Allow edits by maintainers" checkbox`),
	words("quiet", `(?:is|are) quiet`, "nobody pushes to it"),
	words("restless", `restless`, "keeps changing"),
	words("half", `a half of`, "half of"),
	words("veil", `veil`, "hidden text"),
	words("no",
		`\w*[^e\s] is no (?:list|command|name|path|text|folder|number|place|word|setting|pattern|format|file of|run\.)`,
		"is not a"),
	words("say", `more to say`, "nothing else"),
	words("there", `(?:is|are) (?:there already|not there any ?more)`, "exists, no longer exists"),
	words("switch", `switch(?:es|ed)? (?:tenon |commands )?off|switched on`, "disable, enable"),
	words("second", `for the second time`, "twice"),
	words("now", `by now`, "now"),
	words("same", `all the same`, "anyway"),
	words("beforehand", `beforehand`, "in advance"),
	words("of", `(?:came|come|comes|became|become) of`, "happened to, the result of"),
	words("parted", `parted by`, "separated by"),
	words("itself", `by itself, (?:as|since) it`, "automatically"),
	words("nowhere", `seen nowhere|shown nowhere|stands nowhere`, "not shown anywhere"),
	words("others", `others than`, "not those that"),
	words("works", `works it off|works them off`, "handles"),
	words("whoever", `whoever has something changed`, "whoever gives the command"),
	words("done", `no more is done`, "nothing else is done"),
	words("again", `had again`, "requested again"),
	words("stand", `stand-in`, "fake"),
}

// Found is a phrase in a text.
type Found struct {
	// Line is the line in which the phrase begins, from 1.
	Line int
	// Phrase is the phrase as the text has it.
	Phrase string
	// Instead is what to write.
	Instead string
}

// String says what to change.
func (f Found) String() string {
	return fmt.Sprintf("line %d: %q; write something like: %s", f.Line, f.Phrase, f.Instead)
}

// Find returns the phrases of a text that readers stop at.
func Find(text string) (found []Found) {
	lower := strings.ToLower(text)
	for _, p := range phrases {
		if !strings.Contains(lower, p.part) {
			continue
		}
		for _, at := range p.pattern.FindAllStringIndex(text, -1) {
			found = append(found, Found{
				Line:   strings.Count(text[:at[0]], "\n") + 1,
				Phrase: text[at[0]:at[1]], Instead: p.instead,
			})
		}
	}
	return found
}
