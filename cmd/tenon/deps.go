package main

import (
	_ "github.com/aymanbagabas/go-udiff"
	_ "github.com/bradleyfalzon/ghinstallation/v2"
	_ "github.com/go-git/go-git/v5"
	_ "github.com/golang-jwt/jwt/v4"
	_ "github.com/google/go-github/v66/github"
	_ "github.com/gorilla/mux"
	_ "github.com/openai/openai-go/v3"
	_ "github.com/pressly/goose/v3"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/rogpeppe/go-internal/txtar"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/require"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/text/unicode/norm"
	_ "modernc.org/sqlite"
	_ "mvdan.cc/sh/v3/syntax"
)

func main() {}
