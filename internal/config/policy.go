package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
)

// policyKey is the key of the server file below which the settings of the server's policy are.
const policyKey = "policy"

// readPolicy reads the server's own layer.
func (r *reader) readPolicy() policy.Layer {
	path, node := r.path, r.policyNode
	if node == nil {
		return policy.Layer{}
	}
	if node.Kind != yaml.MappingNode {
		r.problem(place(path, node), `policy must have settings below it, like "who: maintain"`)
		return policy.Layer{}
	}
	l, problems := policy.ParseMapping(policyKey+".", node)
	for _, p := range problems {
		r.problem(fmt.Sprintf("%s:%d", path, p.Line), p.Text)
	}
	return l
}

// refuseTwice reports settings of the server file that are below policy too.
func (r *reader) refuseTwice(l policy.Layer) {
	for _, row := range settings() {
		if v, ok := r.file[row.key]; ok && row.policy != "" && l.Has(row.policy) {
			r.problem(v.name, "is also set under policy; keep one")
		}
	}
}

// checkPolicyModels reports models that the policy names and the server does not have.
func (r *reader) checkPolicyModels(s Server) {
	for _, name := range s.Policy.ModelNames() {
		if !slices.ContainsFunc(s.Models, func(m Model) bool { return strings.EqualFold(m.Name, name.Text) }) {
			r.problem(fmt.Sprintf("%s:%d", r.path, name.Line),
				"policy names a model "+name.Text+", but there is no such model")
		}
	}
}
