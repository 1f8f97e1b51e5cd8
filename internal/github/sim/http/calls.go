package simhttp

// parts are what the operations do with a request.
type parts struct {
	named
	allowed
	spending
	commitCalls
	refCalls
	treeCalls
	nodes
	mutations
}

func partsOf(c *call) parts {
	return parts{named{c}, allowed{c}, spending{c}, commitCalls{c}, refCalls{c}, treeCalls{c}, nodes{c}, mutations{c}}
}

// named
type named struct{ *call }

// allowed
type allowed struct{ *call }

// spending
type spending struct{ *call }

// commitCalls
type commitCalls struct{ *call }

// refCalls
type refCalls struct{ *call }

// treeCalls
type treeCalls struct{ *call }

// nodes
type nodes struct{ *call }

// mutations
type mutations struct{ *call }
