package bot

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

// Sizes of what a prompt quotes, in bytes.
const (
	// quoteBytes is about what the delimiters around a quotation take, with an author or a path.
	quoteBytes = 140
	// minQuote is the least of a longer text that is worth quoting.
	minQuote = 200
)

// quoted returns about how many bytes texts take in a prompt.
func quoted(texts []string) (n int) {
	for _, t := range texts {
		n += len(t) + quoteBytes
	}
	return n
}

// quoteShare returns the greatest length, in bytes, that texts can be cut to so that their quotations take at most so
// many bytes together; ok is false if too little is left of those that have to be cut.
func quoteShare(texts []string, room int) (share int, ok bool) {
	var lengths []int
	for _, t := range texts {
		lengths = append(lengths, len(t))
	}
	share = retrieve.FairShare(lengths, room-quoteBytes*len(texts))
	return share, share >= minQuote
}

// clip cuts a text to at most n bytes, with a mark where something was cut.
func clip(text string, n int) string {
	const mark = len("…")
	if len(text) <= n {
		return text
	}
	return markdown.ClipBytes(text, max(0, n-mark))
}

// clipRemarks cuts the remarks of a thread to so many bytes. If too little would be left of each, the oldest go, but
// the first of all, which the thread is about, goes last.
func clipRemarks(list []prompts.Remark, room int) []prompts.Remark {
	list = slices.Clone(list)
	for len(list) > 0 {
		if share, ok := quoteShare(remarkTexts(list), room); ok {
			return cutRemarks(list, share)
		}
		oldest := min(1, len(list)-1)
		list = slices.Delete(list, oldest, oldest+1)
	}
	return nil
}

// cutRemarks cuts each remark to at most n bytes.
func cutRemarks(list []prompts.Remark, n int) []prompts.Remark {
	list = slices.Clone(list)
	for i := range list {
		list[i].Text = clip(list[i].Text, n)
	}
	return list
}

func remarkTexts(list []prompts.Remark) (texts []string) {
	for _, r := range list {
		texts = append(texts, r.Text)
	}
	return texts
}
