package engine

import "strings"

// fenceTags are the names of the elements that models write instead of a fence, on a line of their own:
// <source>python, <code lang="go">, <pre><code>. Prompts of some tools ask for them where the files have fences.
var fenceTags = []string{"source", "code", "pre", "codeblock", "sourcecode"}

// tagFenceOf reads a trimmed line that consists of such tags, the outermost first, and of at most a language after
// them. Any other text on the line means that it is markup.
func tagFenceOf(s string) (fence, bool) {
	f := fence{}
	for strings.HasPrefix(s, "<") {
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return fence{}, false
		}
		inner, closing := strings.CutPrefix(s[1:end], "/")
		name, attributes, _ := strings.Cut(inner, " ")
		tag := fenceTag(name)
		switch {
		case tag == "" || f.tag != "" && closing != f.closing || closing && attributes != "":
			return fence{}, false
		case f.tag == "" || closing:
			f.tag, f.closing = tag, closing
		}
		f.addAttributes(attributes)
		s = s[end+1:]
	}
	if f.tag == "" || s != "" && (f.closing || !isLanguage(s)) {
		return fence{}, false
	}
	if s != "" {
		f.info = trimSpace(s + " " + f.info)
	}
	return f, true
}

func fenceTag(name string) string {
	for _, tag := range fenceTags {
		if strings.EqualFold(name, tag) {
			return tag
		}
	}
	return ""
}

// addAttributes adds the attributes of a tag to the info string: a language as its first word, as after a fence.
func (f *fence) addAttributes(attributes string) {
	for word := range strings.FieldsSeq(attributes) {
		key, value, _ := strings.Cut(word, "=")
		value = strings.Trim(value, `"'`)
		switch strings.ToLower(key) {
		case "lang", "language":
			f.info = trimSpace(value + " " + f.info)
		case "class":
			if language, ok := strings.CutPrefix(value, "language-"); ok {
				f.info = trimSpace(language + " " + f.info)
			}
		default:
			f.info = trimSpace(f.info + " " + word)
		}
	}
}

// maxLanguage bounds the length of the name of a language.
const maxLanguage = 20

// isLanguage reports whether the text after a tag may be the name of a language, such as c++ or objective-c.
func isLanguage(s string) bool {
	if len(s) > maxLanguage {
		return false
	}
	for i := range len(s) {
		if !isAlnum(s[i]) && strings.IndexByte("+-#_.", s[i]) < 0 {
			return false
		}
	}
	return isLetter(s[0])
}
