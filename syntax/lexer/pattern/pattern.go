// Package pattern matches the regular expressions of lexers, and counts the steps that it takes.
//
// The expressions are those of regexp2, whose parser is used: they look around, refer back and backtrack. Matching one
// can take time that is exponential in the length of the text, so that a [Matcher] has a number of steps that it may
// take, and gives up after them. A step is an instruction, or a character that a loop looks at; neither the stack nor
// the memory grows with the text beyond a bound.
package pattern

import (
	"fmt"
	"slices"

	"github.com/dlclark/regexp2/v2/syntax"
)

// Pattern is a compiled regular expression. It is safe for concurrent use.
type Pattern struct {
	program []instruction
	first   first
	// groups and registers are how many there are; the first two registers of each group are its start and end.
	groups, registers int
}

// Compile compiles an expression. It returns an error if the expression is wrong, or has something that no lexer needs:
// conditions, and groups that balance others.
func Compile(expression string) (*Pattern, error) {
	tree, err := syntax.Parse(expression, syntax.ParseOptions{})
	if err != nil {
		return nil, fmt.Errorf("parsing a pattern: %w", err)
	}
	c := compiler{numbers: tree.Capnumlist}
	c.groups = tree.Captop
	if len(tree.Capnumlist) > 0 {
		c.groups = len(tree.Capnumlist)
	}
	c.registers = 2 * c.groups
	if err := c.node(tree.Root); err != nil {
		return nil, fmt.Errorf("compiling %q: %w", expression, err)
	}
	c.emit(instruction{op: opMatch})
	c.first = firstOf(tree.Root)
	return &c.Pattern, nil
}

// Groups returns how many groups there are, with the whole match, which is group 0.
func (p *Pattern) Groups() int { return p.groups }

type compiler struct {
	Pattern
	// numbers are those of the groups, in order, if some are left out.
	numbers []int
}

// emit appends an instruction and returns its index.
func (c *compiler) emit(i instruction) int {
	c.program = append(c.program, i)
	return len(c.program) - 1
}

// register returns the first of n new registers.
func (c *compiler) register(n int) int {
	c.registers += n
	return c.registers - n
}

// group returns the index of a group by its number.
func (c *compiler) group(number int) int {
	if i, ok := slices.BinarySearch(c.numbers, number); ok {
		return i
	}
	return number
}

func (c *compiler) nodes(list []*syntax.RegexNode) error {
	for _, n := range list {
		if err := c.node(n); err != nil {
			return err
		}
	}
	return nil
}

// around emits an instruction that begins something, the children of a node, and one that ends it, and returns the
// index of the first.
func (c *compiler) around(n *syntax.RegexNode, begin, end instruction) (int, error) {
	at := c.emit(begin)
	err := c.nodes(n.Children)
	c.emit(end)
	return at, err
}

func (c *compiler) node(n *syntax.RegexNode) error {
	left := n.Options&syntax.RightToLeft != 0
	switch n.T {
	case syntax.NtEmpty, syntax.NtUpdateBumpalong:
		return nil
	case syntax.NtConcatenate, syntax.NtGroup:
		return c.nodes(n.Children)
	case syntax.NtOne, syntax.NtNotone, syntax.NtSet:
		c.emit(instruction{op: opOne, left: left, class: newClass(n)})
	case syntax.NtOneloop, syntax.NtNotoneloop, syntax.NtSetloop:
		c.emit(instruction{op: opGreedy, left: left, class: newClass(n), min: n.M, max: n.N})
	case syntax.NtOneloopatomic, syntax.NtNotoneloopatomic, syntax.NtSetloopatomic:
		c.emit(instruction{op: opPossessive, left: left, class: newClass(n), min: n.M, max: n.N})
	case syntax.NtOnelazy, syntax.NtNotonelazy, syntax.NtSetlazy:
		c.emit(instruction{op: opLazy, left: left, class: newClass(n), min: n.M, max: n.N})
	case syntax.NtMulti:
		c.emit(instruction{op: opText, left: left, text: n.Str})
	case syntax.NtRef:
		fold := n.Options&syntax.IgnoreCase != 0
		c.emit(instruction{op: opReference, left: left, fold: fold, register: 2 * c.group(n.M)})
	case syntax.NtBol, syntax.NtEol, syntax.NtBoundary, syntax.NtNonboundary, syntax.NtBeginning, syntax.NtStart,
		syntax.NtEndZ, syntax.NtEnd:
		c.emit(instruction{op: opAssert, assertion: n.T})
	case syntax.NtNothing:
		c.emit(instruction{op: opFail})
	case syntax.NtAlternate:
		return c.alternate(n)
	case syntax.NtLoop, syntax.NtLazyloop:
		return c.loop(n)
	case syntax.NtCapture:
		if n.N != -1 {
			return fmt.Errorf("a group balances another")
		}
		r := c.register(1)
		_, err := c.around(n, instruction{op: opOpen, register: r},
			instruction{op: opClose, register: r, group: 2 * c.group(n.M)})
		return err
	case syntax.NtAtomic:
		r := c.register(1)
		_, err := c.around(n, instruction{op: opAtomic, register: r}, instruction{op: opCommit, register: r})
		return err
	case syntax.NtPosLook:
		r := c.register(2)
		_, err := c.around(n, instruction{op: opLook, register: r}, instruction{op: opSeen, register: r})
		return err
	case syntax.NtNegLook:
		r := c.register(1)
		at, err := c.around(n, instruction{op: opUnless, register: r}, instruction{op: opRefuse, register: r})
		c.program[at].target = len(c.program)
		return err
	default:
		return fmt.Errorf("a node of type %d is not supported", n.T)
	}
	return nil
}

func (c *compiler) alternate(n *syntax.RegexNode) error {
	at := c.emit(instruction{op: opAlternate})
	branches := make([]branch, len(n.Children))
	var jumps []int
	for i, child := range n.Children {
		branches[i] = branch{len(c.program), firstOf(child)}
		if err := c.node(child); err != nil {
			return err
		}
		jumps = append(jumps, c.emit(instruction{op: opJump}))
	}
	for _, jump := range jumps {
		c.program[jump].target = len(c.program)
	}
	c.program[at].branches = branches
	return nil
}

// loop emits a loop over more than single characters. Its registers are where the present pass began, or -1, and how
// many passes there were beyond the least that there must be.
func (c *compiler) loop(n *syntax.RegexNode) error {
	op := opAgain
	if n.T == syntax.NtLazyloop {
		op = opAgainLazily
	}
	r, most := c.register(2), n.N
	if most != unlimited {
		most -= n.M
	}
	at, err := c.around(n, instruction{op: opRepeat, register: r, min: n.M},
		instruction{op: op, register: r, max: most, target: len(c.program) + 1})
	c.program[at].target = len(c.program) - 1
	return err
}
