package git

import "slices"

// side says from where a commit was reached in a search for common commits.
type side uint8

const (
	fromFirst side = 1 << iota
	fromSecond
	fromCommon // it is behind a common commit
	fromBoth   = fromFirst | fromSecond
)

// IsAncestor reports whether a commit is in the history of another one, or that one itself.
func (o *Objects) IsAncestor(id, descendant string) bool {
	base, err := o.MergeBase(id, descendant)
	return err == nil && base == id
}

// MergeBase returns the newest commit that is in the history of both and not in that of another such commit, or "" if
// they have no history in common.
func (o *Objects) MergeBase(a, b string) (string, error) {
	list, err := o.common(a, b)
	if err != nil || len(list) == 0 {
		return "", err
	}
	best := list[0].SHA
	for _, c := range list[1:] { // times of commits can be wrong, and one of these be behind another
		between, err := o.common(best, c.SHA)
		if err != nil {
			return "", err
		}
		if len(between) > 0 && between[0].SHA == best {
			best = c.SHA
		}
	}
	return best, nil
}

// common returns commits of both histories, newest first: as far as the times of commits are right, those that are not
// behind others. As in git, little more is visited than what one history has that the other has not.
func (o *Objects) common(a, b string) (list []Commit, err error) {
	seen, next := map[string]*visit{}, queue{}
	reach := func(id string, from side) error {
		v := seen[id]
		if v == nil {
			c, err := o.Commit(id)
			if err != nil {
				return err
			}
			v = &visit{commit: c}
			seen[id] = v
		}
		if v.sides&from != from {
			v.sides |= from
			next.push(v)
		}
		return nil
	}
	if err := reach(a, fromFirst); err != nil {
		return nil, err
	}
	if err := reach(b, fromSecond); err != nil {
		return nil, err
	}
	var found []*visit
	for slices.ContainsFunc(next, func(v *visit) bool { return v.sides&fromCommon == 0 }) {
		v := next.pop()
		from := v.sides
		if from == fromBoth {
			found = append(found, v)
			from |= fromCommon
		}
		for _, p := range v.commit.Parents {
			if err := reach(p, from); err != nil {
				return nil, err
			}
		}
	}
	for i, v := range found {
		if v.sides == fromBoth && !slices.Contains(found[:i], v) {
			list = append(list, v.commit)
		}
	}
	return list, nil
}
