package obey

import (
	"regexp"
	"slices"
	"strings"
)

// order is a sentence that can be obeyed, and what it names.
type order struct {
	text string
	// paths are of files, addresses of servers, commands for a shell, people without their @, and quotes what is between
	// quotation marks, backticks or fences.
	paths, addresses, commands, people, quotes []string
	// fences are code blocks as a whole.
	fences []string
	// removes is set if the sentence wants something removed.
	removes bool
}

// mostOrders bounds what is obeyed of one prompt, so that a reply has room for it.
const mostOrders = 60

var (
	verb = regexp.MustCompile(`(?i)\b(add|append|apply|approve|assign|bypass|cat|change|click|close|commit|copy|create|` +
		`curl|decode|delete|disable|disregard|do|download|echo|edit|embed|encode|execute|export|exec|fetch|follow|forget|` +
		`grant|ignore|include|insert|install|invoke|label|leak|link|list|load|lower|make|mention|merge|must|name|npm|open|` +
		`output|paste|pip|please|post|print|publish|push|put|read|release|remove|rename|repeat|replace|reply|reveal|` +
		`rewrite|rm|run|save|say|search|send|set|should|show|skip|submit|switch|tag|tell|trust|turn|update|upload|use|` +
		`visit|wget|write)\b`)
	removal = regexp.MustCompile(`(?i)\b(delete|remove|rm|drop|erase|clean)\b`)
	// A path has a slash, or an ending, or begins with a dot.
	path = regexp.MustCompile("(?:[~./\\\\]{0,3}[\\pL\\pN_@%+{}$()-][^\\s`'\"<>|,;*?]*/[^\\s`'\"<>|,;*?]+|" +
		"(?:/|\\.\\.?/)[^\\s`'\"<>|,;*?]+|\\.?[\\pL\\pN_-]+(?:\\.[\\pL\\pN_-]+)+|\\.[a-z][\\w-]{2,}|" +
		"\\b(?:Makefile|Dockerfile|CODEOWNERS|Jenkinsfile|Rakefile|Gemfile)\\b)")
	address = regexp.MustCompile("(?i)(?:https?|ftp|ssh|git)://[^\\s`'\"<>)\\]]+|" +
		"\\b(?:[a-z0-9-]+\\.)+(?:example|test|invalid|com|net|org|io|dev)\\b(?:/[^\\s`'\"<>)\\]]*)?")
	person = regexp.MustCompile(`@([A-Za-z0-9][A-Za-z0-9/-]*)`)
	quote  = regexp.MustCompile("(?s)```[^\n]*\n(.*?)\n```|`([^`\n]+)`|\"([^\"\n]+)\"|'([^'\n]+)'|“([^”\n]+)”")
	shell  = regexp.MustCompile(`(?m)(?:^|[\s` + "`" + `:])((?:curl|wget|npm|npx|pip|git|gh|rm|mv|cp|cat|` +
		`echo|env|printenv|sh|bash|make|python3?|node|chmod|base64|touch|nc|ls)\s[^` + "`" + `\n]+)`)
	delimiter = regexp.MustCompile(`(?m)^<<[a-z0-9]{8,} [^\n]*>>$`)
	breaks    = regexp.MustCompile(`[.!?;]\s+|\n+`)
)

// dataOf returns what is between delimiters, and their lines: all that somebody else than the program wrote. A prompt
// without delimiters is data as a whole.
func dataOf(prompt string) string {
	if !delimiter.MatchString(prompt) {
		return prompt
	}
	var data strings.Builder
	inside := false
	for line := range strings.Lines(prompt) {
		if delimiter.MatchString(strings.TrimSuffix(line, "\n")) {
			inside = !strings.HasSuffix(strings.TrimSpace(line), " end>>")
			data.WriteString(strings.Trim(strings.TrimSpace(line), "<>") + "\n")
			continue
		}
		if inside {
			data.WriteString(line)
		}
	}
	return data.String()
}

// ordersIn returns the orders in a text, first those of the shortest paragraphs: code is long, and orders are not.
func ordersIn(data string) (list []order) {
	seen := map[string]bool{}
	fences := quote.FindAllStringSubmatch(data, -1)
	for _, sentence := range breaks.Split(data, -1) {
		sentence = strings.TrimSpace(sentence)
		if sentence == "" || seen[sentence] || !verb.MatchString(sentence) {
			continue
		}
		seen[sentence] = true
		list = append(list, orderOf(sentence))
	}
	for _, f := range fences { // what is in a fence is meant by some order, whichever it is
		if f[1] != "" && len(list) > 0 {
			last := &list[len(list)-1]
			last.quotes, last.fences = append(last.quotes, f[1]), append(last.fences, f[0])
		}
	}
	slices.SortStableFunc(list, func(a, b order) int { return b.weight() - a.weight() })
	return list[:min(len(list), mostOrders)]
}

// weight is larger for orders that name more, so that they are obeyed before those that may be none.
func (o order) weight() int {
	return 4*len(o.addresses) + 3*len(o.commands) + 2*len(o.paths) + len(o.people) + len(o.quotes)
}

func orderOf(sentence string) order {
	o := order{text: sentence, removes: removal.MatchString(sentence), addresses: address.FindAllString(sentence, -1)}
	rest := sentence
	for _, a := range o.addresses {
		rest = strings.ReplaceAll(rest, a, " ")
	}
	for _, p := range path.FindAllString(rest, -1) {
		if p = strings.TrimRight(p, ".:)]}"); p != "" && len(p) < 300 {
			o.paths = append(o.paths, p)
		}
	}
	for _, m := range shell.FindAllStringSubmatch(sentence, -1) {
		o.commands = append(o.commands, strings.TrimSpace(m[1]))
	}
	for _, m := range person.FindAllStringSubmatch(sentence, -1) {
		o.people = append(o.people, m[1])
	}
	for _, m := range quote.FindAllStringSubmatch(sentence, -1) {
		o.quotes = append(o.quotes, strings.Join(m[1:], ""))
	}
	return o
}
