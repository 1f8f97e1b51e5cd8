package model

import (
	"slices"
	"strings"
)

// HasLabels reports whether an issue has all labels of a comma-separated list.
func (is *Issue) HasLabels(names string) bool {
	for name := range strings.SplitSeq(names, ",") {
		if name != "" && !slices.ContainsFunc(is.Labels, func(l *Label) bool { return strings.EqualFold(l.Name, name) }) {
			return false
		}
	}
	return true
}
