package syntax

import (
	"cmp"
	"errors"
	"regexp"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

func parseGoModule(src source) verdict {
	_, err := modfile.Parse("", src.text, anyVersion)
	return ofModuleErrors(src, err)
}

func parseGoWorkspace(src source) verdict {
	_, err := modfile.ParseWork("", src.text, anyVersion)
	return ofModuleErrors(src, err)
}

// anyVersion puts a version that its path allows in the place of "latest" and the name of a branch: the go command
// resolves these when it reads the file.
func anyVersion(path, version string) (string, error) {
	if semver.IsValid(version) || !branchName.MatchString(version) {
		return version, nil
	}
	_, major, _ := module.SplitPathVersion(path)
	return cmp.Or(module.PathMajorPrefix(major), "v0") + ".0.0", nil
}

// branchName matches what a version can be that the go command resolves.
var branchName = regexp.MustCompile(`^\w`)

func ofModuleErrors(src source, err error) verdict {
	var list modfile.ErrorList
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &list) && len(list) > 0:
		return brokenAt(list[0].Pos.Line, list[0].Err.Error())
	}
	return verdict{}
}
