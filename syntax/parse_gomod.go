package syntax

import (
	"errors"

	"golang.org/x/mod/modfile"
)

func parseGoModule(src source) verdict {
	_, err := modfile.Parse("", src.text, anyVersion)
	return ofModuleErrors(src, err)
}

func parseGoWorkspace(src source) verdict {
	_, err := modfile.ParseWork("", src.text, anyVersion)
	return ofModuleErrors(src, err)
}

// anyVersion leaves a version as it is: the go command resolves "latest" or the name of a branch when it reads them.
func anyVersion(_, version string) (string, error) { return version, nil }

func ofModuleErrors(src source, err error) verdict {
	var list modfile.ErrorList
	switch {
	case err == nil:
		return verdict{outcome: valid}
	case errors.As(err, &list) && len(list) > 0:
		return brokenAt(min(list[0].Pos.Line, src.lastLine()), list[0].Err.Error())
	}
	return verdict{}
}
