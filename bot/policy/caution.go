package policy

// cautionRow is the setting for edits that deserve a look.
var cautionRow = setting{
	name: "caution",
	about: "what becomes of edits that deserve a look, such as of files that run in CI, new dependencies or deleted " +
		"tests: `show` [a caution](commands.md#cautions) in the answer and commit them, or `hold` them, so that the " +
		"command becomes a preview",
	closes: true,
	value: typed[bool, bool]{
		field: func(p *Policy) *bool { return &p.HoldCautions },
		kind:  toggle("hold", "show"),
		rule:  latch("hold", "%s leaves edits with a caution to people"),
	},
}
