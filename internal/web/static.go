package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"time"
)

//go:embed static
var staticFiles embed.FS

// staticTypes are the files that pages load, with their types.
var staticTypes = map[string]string{
	"style.css": "text/css; charset=utf-8",
	"app.js":    "text/javascript; charset=utf-8",
	"icon.svg":  "image/svg+xml",
}

// asset is a file that pages load.
type asset struct {
	content    []byte
	hash, kind string
}

var assets = func() map[string]asset {
	all := map[string]asset{}
	for name, kind := range staticTypes {
		content, err := staticFiles.ReadFile("static/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		sum := sha256.Sum256(content)
		all[name] = asset{content, hex.EncodeToString(sum[:8]), kind}
	}
	return all
}()

// staticPath returns the path of a file, which changes with its content.
func staticPath(name string) string { return "/static/" + assets[name].hash + "/" + name }

// serveStatic serves a file to everybody, to be kept for ever. That of another version of tenon is not found, so that
// nobody keeps the wrong one.
func serveStatic(w http.ResponseWriter, r *http.Request) {
	a, ok := assets[r.PathValue("name")]
	if !ok || r.PathValue("hash") != a.hash {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Header().Set("Content-Type", a.kind)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.content))
}
