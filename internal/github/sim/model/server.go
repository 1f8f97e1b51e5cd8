package model

// GitPrograms are the paths of git and of git http-backend, which git would start as one more process.
type GitPrograms struct{ Git, Backend string }

func OrElse[T comparable](v, instead T) T {
	var zero T
	if v == zero {
		return instead
	}
	return v
}
