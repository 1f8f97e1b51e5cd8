package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
)

// modelsKey is the one key of the server file that no variable has: a mapping of names to models.
const modelsKey = "models"

// noteKeyNames remembers which variables have the keys of models: they may be called as they like.
func (r *reader) noteKeyNames(models *yaml.Node) {
	for _, model := range policy.Pairs(models) {
		for key, name := range policy.Pairs(model) {
			if key.Value == "api_key_env" {
				r.keyNames[name.Value] = true
			}
		}
	}
}

// readModels reads the models of the server file, in its order.
func (r *reader) readModels() {
	path, node := r.path, r.modelsNode
	if node == nil {
		return
	}
	if node.Kind != yaml.MappingNode {
		r.problem(place(path, node),
			`models must have a name with settings below it for each model, like "fast:" and "id: gpt-5-mini" indented below`)
		return
	}
	var list []Model
	for key, value := range policy.Pairs(node) {
		switch {
		case !policy.ValidModelName(key.Value):
			r.problem(place(path, key), "a model's name has letters, digits and . _ / : - only")
		case slices.ContainsFunc(list, func(m Model) bool { return m.Name == key.Value }):
			r.problem(place(path, key), "there is a model "+key.Value+" already; keep one")
		default:
			list = append(list, r.readModel(path, key, value))
		}
	}
	r.models = list
}

func (r *reader) readModel(path string, name, node *yaml.Node) Model {
	m := Model{Name: name.Value, ID: name.Value}
	if node.Kind != yaml.MappingNode && node.Tag != "!!null" {
		r.problem(place(path, name), "the model "+m.Name+" must have settings below it, like id: gpt-5-mini")
	}
	seen := map[string]bool{}
	for key, value := range policy.Pairs(node) {
		i := slices.IndexFunc(modelSettings, func(row modelSetting) bool { return row.key == key.Value })
		switch {
		case i < 0:
			r.problem(place(path, key), fmt.Sprintf("a model has no setting %q; the settings are %s", clip(key.Value),
				modelKeys()))
		case seen[key.Value]:
			r.problem(place(path, key), key.Value+" is set twice; keep one")
		default:
			if err := modelSettings[i].set(r, &m, value); err != nil {
				r.problem(place(path, key), key.Value+" "+err.Error())
			}
		}
		seen[key.Value] = true
	}
	if (m.Provider == "" || m.Provider == "openai") && m.BaseURL == "" && !seen["base_url"] && !seen["api_key_env"] &&
		!seen["api_key_file"] && len(m.Headers) == 0 {
		r.problem(place(path, name), "the model "+m.Name+" has no key; set its api_key_env or api_key_file, or its "+
			"base_url for a server that needs none")
	}
	return m
}

func place(path string, node *yaml.Node) string { return fmt.Sprintf("%s:%d", path, node.Line) }

func modelKeys() string {
	var keys []string
	for _, row := range modelSettings {
		keys = append(keys, row.key)
	}
	return strings.Join(keys, ", ")
}

func (r *reader) chooseDefault(s *Server) {
	s.Models = r.chooseModels(s.Model)
	s.Model = Model{}
	if len(s.Models) > 0 {
		s.Model = s.Models[0]
	}
}

// chooseModels returns all models, the default one first: the one that TENON_MODEL names, which may be one of the
// file's or another one; else the file's first.
func (r *reader) chooseModels(own Model) []Model {
	list := r.models
	_, set := r.lookup("model")
	i := slices.IndexFunc(list, func(m Model) bool { return m.Name == own.Name })
	switch {
	case set && i < 0:
		r.needAddress()
		own.ID = own.Name
		list = append([]Model{own}, list...)
	case set:
		r.refuseAddress(own.Name + " is one of the models of the server file; its address and key are set there")
		m := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, m)
	default:
		r.refuseAddress("TENON_MODEL is not; name the model as its provider does")
	}
	for _, m := range list {
		r.checkFallback(m, list)
	}
	return list
}

// checkFallback requires a fallback that exists and that may be used wherever the model may: a provider's failure must
// not give people a model that they could not ask for.
func (r *reader) checkFallback(m Model, list []Model) {
	if m.Fallback == "" {
		return
	}
	i := slices.IndexFunc(list, func(other Model) bool { return other.Name == m.Fallback })
	switch {
	case i < 0:
		r.problem(modelsKey, "the model "+m.Name+" falls back to "+clip(m.Fallback)+", and there is no model of this name")
	case len(list[i].Repositories) > 0 && !slices.Equal(list[i].Repositories, m.Repositories):
		r.problem(modelsKey, "the model "+m.Name+" falls back to "+m.Fallback+", which has other repositories; give both "+
			"the same, or let "+m.Fallback+" be used everywhere")
	}
}

// needAddress asks for what a model needs that is named by TENON_MODEL alone.
func (r *reader) needAddress() {
	_, hasKey := r.lookup("model_api_key")
	_, hasBase := r.lookup("model_base_url")
	if !hasKey && !hasBase {
		r.add(Problem{Name: variable("model_api_key"), Kind: Missing, Text: "is not set; give it the key of the model's " +
			"provider, or set TENON_MODEL_BASE_URL to a server that needs none"})
	}
}

// refuseAddress reports an address or a key that is nobody's.
func (r *reader) refuseAddress(why string) {
	for _, key := range []string{"model_api_key", "model_base_url"} {
		if v, ok := r.lookup(key); ok {
			r.problem(v.name, "is set, but "+why)
		}
	}
}

// clip keeps what somebody else wrote short enough for a message.
func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}
