// Package conflicts measures on the merges of repositories how well tenon merges texts and settles conflicts: whether
// it has git's text outside of conflicts, and whether what people committed can be expressed as choices.
package conflicts
