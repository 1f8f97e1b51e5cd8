package match

import "github.com/tenon-bot/tenon/engine/text"

// isOtherName reports whether a line of the block has a word that the line of the file has not, but another line of the
// file has: then it is another name, and not the same one written otherwise.
func isOtherName(f File, block, file string) bool {
	if block == file || f.Off.has(OtherNames) {
		return false
	}
	f.Work.Spend((len(block) + len(file)) / text.BytesPerWord)
	if f.Work.UsedUp() {
		return false
	}
	here, other := wordsOf(file), false
	text.EachWord(block, func(w string) { other = other || !here[w] && f.HasWord(w) })
	return other
}

// hasOtherName reports whether a line to find, paired with a line of the file, has another name.
func hasOtherName(f File, find []string, at []int) bool {
	for i, n := range at {
		if n >= 0 && isOtherName(f, find[i], f.Lines()[n]) {
			return true
		}
	}
	return false
}

// dropOtherNames removes the pairs of lines that have another name.
func dropOtherNames(f File, find []string, at []int) {
	for i, n := range at {
		if n >= 0 && isOtherName(f, find[i], f.Lines()[n]) {
			at[i] = -1
		}
	}
}

// wordsOf returns the words of a line.
func wordsOf(s string) map[string]bool {
	words := map[string]bool{}
	text.EachWord(s, func(w string) { words[w] = true })
	return words
}
