package syntax

import (
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

func parseHCL(src source) verdict {
	// Tools that read the first version of HCL allow more, and only the text tells which version it is.
	firstVersion := path.Ext(src.path) == ".hcl" || path.Ext(src.path) == ".nomad"
	_, diagnostics := hclsyntax.ParseConfig(src.text, "", hcl.InitialPos)
	for _, d := range diagnostics {
		if d.Severity != hcl.DiagError || d.Subject == nil {
			continue
		}
		if firstVersion && (src.isNew || d.Summary == "Invalid argument name") {
			return verdict{}
		}
		// The rest of the detail gives advice.
		detail, _, _ := strings.Cut(d.Detail, ". ")
		return brokenAt(d.Subject.Start.Line, d.Summary+": "+detail)
	}
	return verdict{outcome: valid}
}
