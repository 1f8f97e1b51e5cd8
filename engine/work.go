package engine

import (
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// work is the budget of one call of Apply. A search that finds it used up finds nothing, so that the one that uses it
// up is the last. Then nothing that a search says can be trusted, and modify fails the block. A nil work has no end.
type work struct {
	*meter.Work
	// lexing is what lexers may still do, whose worst case no count of lines bounds.
	lexing lexer.Budget
	// scratch is the memory of scores.
	scratch []int32
}

// newWork returns the work of a call of Apply, or of part of it.
func newWork(of *meter.Work) *work { return &work{Work: of, lexing: maxLexing} }

// maxLexing bounds the lexing of one call of Apply: two pieces for each of the blocks that may apply by default, and as
// many bytes as take about half a second if they are real code.
var maxLexing = lexer.NewBudget(2*defaultBlocks, 128<<10, lexer.BudgetTime)

// lex splits a piece of a file by the rules of its language, if it is short enough and the budget allows it.
func (w *work) lex(language lexer.Language, text string) lexer.Result {
	if w == nil {
		return lexer.Lex(nil, language, text)
	}
	return lexer.Within(&w.lexing, w.Work, language, text)
}

func (w *work) spend(units int) {
	if w != nil {
		w.Spend(units)
	}
}

func (w *work) spendBytes(n int) {
	if w != nil {
		w.SpendBytes(n)
	}
}

func (w *work) spendEachByte(n int) {
	if w != nil {
		w.SpendEachByte(n)
	}
}

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
func (w *work) isUsedUp() bool { return w != nil && w.UsedUp() }
