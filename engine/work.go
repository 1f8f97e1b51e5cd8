package engine

import "github.com/tenon-bot/tenon/syntax/lexer"

// work is the budget of one call of Apply. Its unit is the comparison of two lines, or something else that takes about
// as long. Whatever repeats something for each line of a file or of a block spends what that costs before or after
// each pass; a search that finds the budget used up finds nothing, so that the one that uses it up is the last. Then
// nothing that a search says can be trusted, and modify fails the block. A nil budget has no end.
type work struct {
	left int
	// lexing is what lexers may still do, whose worst case no count of lines bounds.
	lexing lexer.Budget
	// scratch is the memory of scores.
	scratch []int32
}

// newWork returns a budget of so many units.
func newWork(units int) *work { return &work{left: units, lexing: maxLexing} }

// maxLexing bounds the lexing of one call of Apply: two pieces for each of the blocks that may apply by default, and as
// many bytes as take about half a second if they are real code.
var maxLexing = lexer.NewBudget(2*defaultBlocks, 128<<10)

// unitsPerLexed is what it costs to lex one byte of real code, which takes 1 to 4 µs.
const unitsPerLexed = 64

// lex splits a piece of a file by the rules of its language, if it is short enough and the budget allows it.
func (w *work) lex(language lexer.Language, text string) lexer.Result {
	if w == nil {
		return lexer.Lex(language, text)
	}
	calls := w.lexing.Calls
	result := lexer.Within(&w.lexing, language, text)
	if w.lexing.Calls < calls {
		w.spend(unitsPerLexed * len(text))
	}
	return result
}

// defaultWork is the default budget. A block that is not in a file of 10,000 lines takes about 0.2 million units, so
// that all blocks that may apply can search files of 5,000 lines in vain, or some of them the largest that are edited.
const defaultWork = 30_000_000

// spend takes n units from the budget.
func (w *work) spend(n int) {
	if w != nil {
		w.left -= n
	}
}

// spendBytes takes the units of one fast pass over n bytes, such as a search for one byte.
func (w *work) spendBytes(n int) { w.spend(n/bytesPerUnit + 1) }

// bytesPerUnit is how many bytes a fast pass looks at in the time of one unit.
const bytesPerUnit = 64

// scores returns n zeros, in memory that the next call uses again.
func (w *work) scores(n int) []int32 {
	if w == nil {
		return make([]int32, n)
	}
	if cap(w.scratch) < n {
		w.scratch = make([]int32, n)
	}
	scores := w.scratch[:n]
	clear(scores)
	return scores
}

// isUsedUp reports whether nothing is left of the budget.
func (w *work) isUsedUp() bool { return w != nil && w.left < 0 }
