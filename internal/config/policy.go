package config

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
)

// policyKey is the key of the server file under which a policy's keys stand.
const policyKey = "policy"

// policySetting is one row of the table of a policy's keys.
type policySetting struct {
	key string
	// free says that the key restricts nothing. Of any other, what cannot be read closes.
	free bool
	// set reads the value; the error says what is wrong with it. below are the keys of a mapping, which has none.
	set   func(r *layerReader, name string, node *yaml.Node) error
	below []policySetting
}

var policySettings = []policySetting{
	{key: "enabled", set: to(func(l *policy.Layer) *policy.Setting[bool] { return &l.Enabled }, choice("true", "false"))},
	{key: "verbs", set: list(func(l *policy.Layer) *policy.Setting[[]policy.Word] { return &l.Verbs }, checkVerb, false)},
	{key: "who", set: to(func(l *policy.Layer) *policy.Setting[port.Permission] { return &l.Who }, readPermission)},
	{key: "model", free: true, set: to(func(l *policy.Layer) *policy.Setting[string] { return &l.Model }, readModelName)},
	{key: "models", set: list(func(l *policy.Layer) *policy.Setting[[]policy.Word] { return &l.Models }, checkModelName, false)},
	{key: "format", free: true, set: to(func(l *policy.Layer) *policy.Setting[string] { return &l.Format }, readFormat)},
	{key: "label", free: true, set: to(func(l *policy.Layer) *policy.Setting[string] { return &l.Label }, readLabel)},
	{key: "base", free: true, set: to(func(l *policy.Layer) *policy.Setting[string] { return &l.Base }, readBranch)},
	{key: "partial", set: to(func(l *policy.Layer) *policy.Setting[bool] { return &l.Hold }, choice("hold", "commit"))},
	{key: "commits", free: true, set: to(func(l *policy.Layer) *policy.Setting[bool] { return &l.Push }, choice("push", "verified"))},
	{key: "line_endings", free: true, set: to(func(l *policy.Layer) *policy.Setting[bool] { return &l.LineFeeds }, choice("lf", "keep"))},
	{key: "protected", set: list(func(l *policy.Layer) *policy.Setting[[]policy.Word] { return &l.Protected }, policy.GlobProblem, true)},
	{key: "ignore", set: list(func(l *policy.Layer) *policy.Setting[[]policy.Word] { return &l.Ignore }, policy.GlobProblem, true)},
	{key: "instructions", free: true, set: to(func(l *policy.Layer) *policy.Setting[string] { return &l.Instructions }, readInstructions)},
	{key: "autofix", set: to(func(l *policy.Layer) *policy.Setting[int] { return &l.Autofix }, readRounds)},
	{key: "limits", below: []policySetting{
		{key: "files", set: to(func(l *policy.Layer) *policy.Setting[int] { return &l.Files }, number(1, policy.DefaultPolicy().Bounds.Files))},
		{key: "blocks", set: to(func(l *policy.Layer) *policy.Setting[int] { return &l.Blocks }, number(1, policy.DefaultPolicy().Bounds.Blocks))},
		{key: "tokens", set: to(func(l *policy.Layer) *policy.Setting[int64] { return &l.Tokens }, number(1, policy.DefaultPolicy().Bounds.Tokens))},
	}},
	{key: "budget", below: []policySetting{
		{key: "user", below: []policySetting{
			{key: "commands", set: to(func(l *policy.Layer) *policy.Setting[int64] { return &l.UserCommands }, number[int64](1, maxLimit))},
		}},
		{key: "repository", below: []policySetting{
			{key: "commands", set: to(func(l *policy.Layer) *policy.Setting[int64] { return &l.RepositoryCommands }, number[int64](1, maxLimit))},
			{key: "tokens", set: to(func(l *policy.Layer) *policy.Setting[int64] { return &l.RepositoryTokens }, number[int64](1, maxLimit))},
		}},
		{key: "organisation", below: []policySetting{
			{key: "tokens", set: to(func(l *policy.Layer) *policy.Setting[int64] { return &l.OwnerTokens }, number[int64](1, maxLimit))},
		}},
	}},
}

// readPolicy reads the server's own layer.
func (r *reader) readPolicy(path string, node *yaml.Node) policy.Layer {
	if node.Kind != yaml.MappingNode {
		r.problem(place(path, node), `policy must have settings below it, like "who: maintain"`)
		return policy.Layer{}
	}
	var l layerReader
	l.mapping(policySettings, policyKey+".", node)
	for _, p := range l.problems {
		r.problem(fmt.Sprintf("%s:%d", path, p.Line), p.Text)
	}
	return l.layer
}

// refuseTwice reports keys of the server file that have an older place too.
func (r *reader) refuseTwice(l policy.Layer) {
	for _, row := range []struct {
		key string
		set bool
	}{
		{"commits", l.Push.Set},
		{"budget_user_commands", l.UserCommands.Set},
		{"budget_repository_commands", l.RepositoryCommands.Set},
		{"budget_repository_tokens", l.RepositoryTokens.Set},
		{"budget_owner_tokens", l.OwnerTokens.Set},
	} {
		if v, ok := r.file[row.key]; ok && row.set {
			r.problem(v.name, "is said under policy too; keep one")
		}
	}
}

// checkPolicyModels wants the models of the policy to be there.
func (r *reader) checkPolicyModels(s Server) {
	words := slices.Clone(s.Policy.Models.Value)
	if m := s.Policy.Model; m.Set {
		words = append(words, policy.Word{Text: m.Value, Line: m.Line})
	}
	for _, w := range words {
		if !slices.ContainsFunc(s.Models, func(m Model) bool { return strings.EqualFold(m.Name, w.Text) }) {
			r.problem(fmt.Sprintf("%s:%d", r.src.File, w.Line), "policy names a model "+w.Text+", and there is none of this name")
		}
	}
}
