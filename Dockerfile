# A small image with nothing in it but tenon and the certificates by which it trusts GitHub and the model: no shell, no
# package manager, no git.
#
#   docker build -t tenon --build-arg VERSION=$(git describe --tags --always) --build-arg COMMIT=$(git rev-parse HEAD) .
#   docker run --stop-timeout 30 -p 8080:8080 -v tenon-data:/data --env-file tenon.env tenon

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
ARG COMMIT
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false \
      -ldflags "-s -w -X main.version=$VERSION -X main.commit=$COMMIT" -o /out/tenon ./cmd/tenon
# The user below has no name and no home, only these folders.
RUN mkdir -p /out/data /out/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/tenon /tenon
COPY --from=build --chown=65532:65532 --chmod=700 /out/data /data
COPY --from=build --chown=65532:65532 --chmod=700 /out/tmp /tmp
ENV TENON_DATA_DIR=/data
USER 65532:65532
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/tenon"]
CMD ["serve"]
