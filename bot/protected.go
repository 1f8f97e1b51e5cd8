package bot

import "strings"

// protectedPath says that a file decides what runs, who reviews or how git behaves here, so that no reply may change it.
// Case does not help: some file systems ignore it.
func protectedPath(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case ".gitmodules", ".gitattributes", "codeowners", "docs/codeowners", ".github/codeowners", ".github/tenon.yml", ".github/tenon.yaml":
		return true
	}
	return strings.HasPrefix(name, ".github/workflows/") || strings.HasPrefix(name, ".github/actions/") || strings.HasSuffix(name, "/.gitattributes")
}
