package main

import "github.com/tenon-bot/tenon/internal/config"

// cacheBytes is how the memory for what is known of repositories is divided.
type cacheBytes struct {
	git       int64 // commits with their trees, and contents of files
	documents int64 // names and words
}

// documentBytes is the memory for names and words where nothing else is set.
const documentBytes = 64 << 20

func cacheOf(cfg config.Server) cacheBytes {
	all := int64(cfg.CacheMB) << 20
	return cacheBytes{git: all / 4 * 3, documents: all / 4}
}
