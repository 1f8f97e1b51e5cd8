package syntax

import (
	"bytes"
	"errors"

	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
)

func parseProto(src source) verdict {
	_, err := parser.Parse("", bytes.NewReader(src.text), reporter.NewHandler(nil))
	var positioned reporter.ErrorWithPos
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &positioned):
		return brokenAt(positioned.GetPosition().Line, positioned.Unwrap().Error())
	}
	return verdict{}
}
