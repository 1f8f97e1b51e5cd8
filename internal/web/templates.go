package web

import (
	"embed"
	"html/template"
	"io/fs"
	"path"
)

//go:embed pages
var pageFiles embed.FS

// templates are those of the pages by the names of their files. Each is the layout, which shows the template "main" of
// the page; the templates of the files in the folder parts are for every page.
var templates = func() map[string]*template.Template {
	base := template.Must(template.New("layout.html").Funcs(functions).ParseFS(pageFiles, "pages/layout.html",
		"pages/parts/*.html"))
	names, err := fs.Glob(pageFiles, "pages/*.html")
	if err != nil {
		panic(err) // the pattern is fixed
	}
	all := map[string]*template.Template{}
	for _, name := range names {
		if base := template.Must(base.Clone()); path.Base(name) != "layout.html" {
			all[path.Base(name)] = template.Must(base.ParseFS(pageFiles, name))
		}
	}
	return all
}()
