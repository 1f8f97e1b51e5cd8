package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// reasons are the codes of the engine, as its source lists them.
func reasons(t *testing.T) []engine.Reason {
	t.Helper()
	names, err := filepath.Glob("../../engine/block/*.go")
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

func TestEachReasonOfTheEngineIsToldInASentenceWithWhatHelps(t *testing.T) {
	t.Parallel()
	all := reasons(t)
	require.Len(t, all, 23)
	all = append(all, edit.ReasonOverlap, edit.ReasonHeld, edit.ReasonMergeConflict)
	for _, reason := range all {
		f := faults[reason]
		require.NotEmpty(t, f.few, reason)
		require.LessOrEqual(t, len(f.few), maxWhy, reason)
		row := record.Result{Path: "a.go", Status: record.StatusFailed, Reason: string(reason), Detail: "x"}
		for _, r := range []Summary{{}, {Offers: anyCommand}, {Source: "Edit 1 of the preview."}, {deed: reverting}} {
			require.NotEmpty(t, r.remedy(row), reason)
			require.Regexp(t, "^[^.]+\\.$", r.faultAndRemedy(row))
		}
	}
	require.Len(t, faults, len(all))
	unknown := record.Result{Path: "a.go", Status: record.StatusFailed, Reason: "a reason of tomorrow"}
	require.Equal(t, []string{"`a.go`: it could not be made; give the command again and name the file."},
		Summary{Results: []record.Result{unknown}}.failedEdits())
}

// Whoever pasted the edits asked no model, which could be asked again.
func TestTheAdviceForPastedEditsIsToPasteThemAgain(t *testing.T) {
	t.Parallel()
	pasted := Summary{Source: "Edit 1 of the preview.", Offers: anyCommand}
	for reason, f := range faults {
		row := record.Result{Status: record.StatusFailed, Reason: string(reason)}
		require.NotContains(t, pasted.remedy(row), "/tenon retry", reason)
		if f.pasted != "" {
			require.Equal(t, f.pasted, pasted.remedy(row))
			require.NotEqual(t, f.pasted, Summary{}.remedy(row))
		}
	}
	require.NotContains(t, pasted.closing(), "/tenon retry")
}
