package git

// visit is a commit on a walk through the history.
type visit struct {
	commit   Commit
	excluded bool // its history is left out
	sides    side // from where it was reached in a search for common commits
}

func (v *visit) when() int64 { return v.commit.Committer.When.Unix() }

// queue are the commits that are visited next, those with the newest time of their committer first, and of the same
// time those that were pushed first.
type queue []*visit

func (q *queue) push(v *visit) {
	list := append(*q, v)
	for at := len(list) - 1; at > 0 && list[at-1].when() < v.when(); at-- {
		list[at-1], list[at] = v, list[at-1]
	}
	*q = list
}

// pop returns the next commit, or nil if there is none.
func (q *queue) pop() *visit {
	if len(*q) == 0 {
		return nil
	}
	v := (*q)[0]
	*q = (*q)[1:]
	return v
}
