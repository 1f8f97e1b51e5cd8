// Package tenon has those files of the repository that the program contains as they are: app.yml.
package tenon

import _ "embed"

//go:embed app.yml
var appYML string

// AppYML returns app.yml, which says how the GitHub App is registered. Package internal/appmanifest reads it.
func AppYML() string { return appYML }
