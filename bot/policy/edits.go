package policy

import "slices"

// TreatsEditsAs reports whether two policies take and refuse the same edits.
func (p Policy) TreatsEditsAs(other Policy) bool {
	return slices.Equal(p.Protected, other.Protected) && slices.Equal(p.Ignore, other.Ignore) &&
		slices.Equal(p.SecretFiles, other.SecretFiles) &&
		p.Hold == other.Hold && p.WarnOnly == other.WarnOnly && p.RefuseUnchecked == other.RefuseUnchecked &&
		p.MarkUnusual == other.MarkUnusual && p.HoldCautions == other.HoldCautions && p.NewLines == other.NewLines &&
		p.LineFeeds == other.LineFeeds && p.Bounds == other.Bounds
}
