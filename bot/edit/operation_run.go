package edit

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// Run carries out operations in order and returns a result for each. An operation that fails changes nothing, and
// those after it are carried out. The error is the checkout's.
func (f *FileOps) Run(ops []engine.Op) (out engine.Outcome, err error) {
	for _, op := range ops {
		res, err := f.runOne(op)
		if err != nil {
			return engine.Outcome{}, fmt.Errorf("%s %s: %w", op.Kind, strings.Join(op.Paths, " "), err)
		}
		res.Path = op.Paths[0]
		out.Results = append(out.Results, res)
	}
	out.Changed, err = changedPaths(f.Checkout)
	return out, err
}

func (f *FileOps) runOne(op engine.Op) (engine.Result, error) {
	switch op.Kind {
	case engine.OpMkdir:
		return f.mkdir(op)
	case engine.OpMove:
		return f.move(op)
	case engine.OpRemove, engine.OpRemoveAll:
		return f.remove(op)
	}
	return failedOp("tenon does not run such commands"), nil
}
