package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/engine"
)

// reasons are the codes of the engine, as its source lists them.
func reasons(t *testing.T) []engine.Reason {
	t.Helper()
	names, err := filepath.Glob("../../engine/*.go")
	require.NoError(t, err)
	var out []engine.Reason
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			v, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			if name, ok := v.Type.(*ast.Ident); ok && name.Name == "Reason" && len(v.Values) > 0 {
				code, err := strconv.Unquote(v.Values[0].(*ast.BasicLit).Value)
				require.NoError(t, err)
				out = append(out, engine.Reason(code))
			}
			return true
		})
	}
	return out
}

func TestEachReasonOfTheEngineHasItsAdvice(t *testing.T) {
	t.Parallel()
	all := reasons(t)
	require.Len(t, all, 19)
	all = append(all, edit.ReasonOverlap, edit.ReasonHeld)
	for _, reason := range all {
		require.NotEmpty(t, remedies[reason], reason)
		require.True(t, strings.HasSuffix(remedies[reason], "."), reason)
		require.Equal(t, remedies[reason], Summary{}.remedy(reason))
	}
	require.Len(t, remedies, len(all))
	require.Equal(t, "Give the command again.", Summary{}.remedy("a reason of tomorrow"))
}

// Whoever pasted the edits asked no model, which could be asked again.
func TestTheAdviceForPastedEditsIsToPasteThemAgain(t *testing.T) {
	t.Parallel()
	pasted := Summary{Source: "Edit 1 of the preview."}
	for reason, text := range pastedRemedies {
		require.Contains(t, remedies, reason)
		require.Equal(t, text, pasted.remedy(reason))
		require.NotEqual(t, remedies[reason], text)
		require.True(t, strings.HasSuffix(text, "."), reason)
	}
	require.Equal(t, remedies[engine.TooLarge], pasted.remedy(engine.TooLarge))
	require.Equal(t, remedies[edit.ReasonOverlap], pasted.remedy(edit.ReasonOverlap))
}
