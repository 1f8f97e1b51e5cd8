package config

// SetsGarbagePercent reports whether Go's standard variable GOGC is set, which says when garbage is collected.
func SetsGarbagePercent(src Source) bool { return src.withDefaults().Getenv("GOGC") != "" }
