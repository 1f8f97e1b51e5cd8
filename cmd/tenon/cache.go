package main

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

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

// cacheFolder returns the absolute path of the folder for the cache on the disk. If it cannot be written, it warns, and
// returns none.
func cacheFolder(ctx context.Context, cfg config.Server, log *slog.Logger) string {
	if cfg.CacheDir == "" {
		return ""
	}
	dir, err := filepath.Abs(cfg.CacheDir)
	if err == nil {
		err = gitrepo.CheckCacheDir(dir)
	}
	if err != nil {
		log.WarnContext(ctx, "nothing is kept in the folder that TENON_CACHE_DIR names, as it cannot be written; "+
			"make it writable for the user that runs tenon, or name another folder, and restart", "folder", dir, "error", err)
		return ""
	}
	return dir
}
