# A small image with nothing in it but tenon, the certificates by which it trusts GitHub and the model, and the licences of
# both: no shell, no package manager, no git.
#
#   docker build -t tenon --build-arg VERSION=$(git describe --tags --always) --build-arg COMMIT=$(git rev-parse HEAD) .
#   docker run --stop-timeout 30 -p 8080:8080 -v tenon-data:/data --env-file tenon.env tenon

# The program is built in here, or, with BINARY=prebuilt, it is what goreleaser built: the image is the same.
ARG BINARY=build

# The digest is that of the tag for all platforms, and what counts; the tag is for readers. To take a newer one:
#
#   docker buildx imagetools inspect golang:1.26.N --format '{{.Manifest.Digest}}'
FROM --platform=$BUILDPLATFORM golang:1.26.8@sha256:6c2a5538f964f1c82f97ad14988bf05de100d922d159d0e398b54c7b0ca0c6c9 AS base
# The user below has no name and no home, only these folders.
RUN mkdir -p /out/data /out/tmp

FROM base AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download && go mod verify
COPY . .
ARG VERSION
ARG COMMIT
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false \
      -ldflags "-s -w -X main.version=$VERSION -X main.commit=$COMMIT" -o /out/tenon ./cmd/tenon
# The texts of all licences of what is linked; one that is not allowed ends the build.
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH CGO_ENABLED=0 .ci/licences /out/licenses

FROM base AS prebuilt
ARG TARGETPLATFORM
COPY $TARGETPLATFORM/tenon /out/tenon
COPY bin/licenses /out/licenses

FROM ${BINARY} AS program

FROM scratch
COPY --from=base /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=base --chown=65532:65532 --chmod=700 /out/data /data
COPY --from=base --chown=65532:65532 --chmod=700 /out/tmp /tmp
COPY --from=program /out/licenses /licenses
COPY --from=base /usr/share/doc/ca-certificates/copyright /licenses/ca-certificates/copyright
COPY --from=program /out/tenon /tenon
# The one program is found without its path: docker exec CONTAINER tenon doctor.
ENV PATH=/ TENON_DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080
# Alive, not ready: a restart brings back neither GitHub nor a full disk.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --start-interval=2s CMD ["/tenon", "health"]
ENTRYPOINT ["/tenon"]
CMD ["serve"]
