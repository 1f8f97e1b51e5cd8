package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func parseHCL(src source) verdict {
	_, diagnostics := hclsyntax.ParseConfig(src.text, "", hcl.InitialPos)
	for _, d := range diagnostics {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			return brokenAt(min(d.Subject.Start.Line, src.lastLine()), d.Summary+": "+d.Detail)
		}
	}
	return verdict{outcome: valid}
}
