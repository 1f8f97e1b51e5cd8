package syntax

func parseDockerfile(src source) verdict { return verdict{} }
