package engine

import "github.com/tenon-bot/tenon/engine/match"

// Without returns options that turn rules of matching off.
func Without(opts Options, rules match.Rules) Options {
	opts.without = rules
	return opts
}
