package policy

// backportLabels is the setting for labels that ask for backports.
var backportLabels = setting{
	name: "backport_labels",
	about: "what the labels `backport BRANCH` of a merged pull request do: `allow` starts `/tenon backport` for " +
		"them, `ignore` nothing",
	value: typed[bool, bool]{
		field: func(p *Policy) *bool { return &p.BackportLabels },
		kind:  toggle("allow", "ignore"),
		rule:  choose[bool](),
	},
}
