package chain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const digest = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// Nobody who gets into the container finds a program there but tenon.
func TestTheImageHasTenonAndWhatIsListed(t *testing.T) {
	t.Parallel()
	image, problems := Dockerfile(read(t, root+"/Dockerfile"))
	require.Empty(t, problems)
	require.Equal(t, []string{
		"--from=base /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/",
		"--from=base --chown=65532:65532 --chmod=700 /out/data /data", // empty
		"--from=base --chown=65532:65532 --chmod=700 /out/tmp /tmp",   // empty
		"--from=program /out/licenses /licenses",
		"--from=base /usr/share/doc/ca-certificates/copyright /licenses/ca-certificates/copyright",
		"--from=program /out/tenon /tenon",
	}, image.Copies)
	require.Equal(t, "65532:65532", image.User)
}

const goodDockerfile = `# what it makes
FROM golang:1.26@sha256:` + digest + ` AS base
RUN mkdir /out && \
    go build -o /out .
FROM base AS build
FROM ${BINARY} AS program
FROM scratch
COPY --from=program /out/tenon /tenon
USER 65532:65532
HEALTHCHECK --interval=30s CMD ["/tenon", "health"]
ENTRYPOINT ["/tenon"]
CMD ["serve"]
`

func TestEachPlantedViolationOfADockerfileIsFound(t *testing.T) {
	t.Parallel()
	image, problems := Dockerfile([]byte(goodDockerfile))
	require.Empty(t, problems)
	require.Equal(t, []string{"--from=program /out/tenon /tenon"}, image.Copies)
	for name, p := range map[string]struct{ old, now, says string }{
		"a base by its tag":       {"@sha256:" + digest, "", "line 2: the image golang:1.26 wants a digest"},
		"a base with a shell":     {"FROM scratch", "FROM base", "the image begins with base"},
		"another base":            {"FROM scratch", "FROM alpine@sha256:" + digest, "the image begins with alpine"},
		"a command of the shell":  {"USER", "RUN rm /tenon\nUSER", "line 9: the last stage has no RUN"},
		"a file from the network": {"USER", "ADD https://example.com/sh /bin/sh\nUSER", "the last stage has no ADD"},
		"a file of the folder":    {"--from=program /out/tenon", "sh", "copies from earlier ones only"},
		"root, by its number":     {"USER 65532:65532", "USER 0:0", `the user "0:0"`},
		"root, unasked":           {"USER 65532:65532\n", "", `the user ""`},
		"a user by name":          {"USER 65532:65532", "USER tenon", `the user "tenon"`},
		"a start by the shell":    {`ENTRYPOINT ["/tenon"]`, "ENTRYPOINT /tenon", "ENTRYPOINT wants a shell"},
		"a check by the shell":    {`CMD ["/tenon", "health"]`, "CMD /tenon health", "HEALTHCHECK wants a shell"},
		"arguments by the shell":  {`CMD ["serve"]`, "CMD serve", "CMD wants a shell"},
		"a shell of its own":      {"USER", "SHELL [\"/tenon\"]\nUSER", "the last stage has no SHELL"},
		"another reader":          {"# what it makes", "# syntax=docker/dockerfile:1", "line 1: the image docker"},
		"a document in the file":  {"RUN mkdir /out && \\\n", "RUN <<EOF\n", "here-documents are not read"},
	} {
		require.Contains(t, goodDockerfile, p.old, name)
		_, problems := Dockerfile([]byte(strings.Replace(goodDockerfile, p.old, p.now, 1)))
		require.Len(t, problems, 1, "%s: %v", name, problems)
		require.Contains(t, problems[0].String(), p.says, name)
	}
}

func TestWhatAnImageHasIsWhatItsLastStageCopies(t *testing.T) {
	t.Parallel()
	image, _ := Dockerfile([]byte(strings.Replace(goodDockerfile, "USER",
		"COPY --from=base \\\n  # a comment between\n  /bin/sh /bin/sh\nUSER", 1)))
	require.Equal(t, []string{"--from=program /out/tenon /tenon", "--from=base /bin/sh /bin/sh"}, image.Copies)
}
