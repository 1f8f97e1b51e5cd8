# What a developer types. The checks themselves, and the linter's version, are in .ci/run.

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)
COMMIT  ?= $(shell git rev-parse HEAD 2>/dev/null)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# What bench-retrieval measures: a file of pairs, on a folder of bare repositories. docs/measuring.md has their forms.
PAIRS   ?= $(or $(TENON_BENCH),../shared/bench)/retrieval-dev.jsonl
MIRROR  ?= $(TENON_MIRROR)
KIND    ?= issue
CHOOSE  ?= none

# What ablate turns rules off on: files of cases in the form of the engine's benchmark, separated by colons.
CASES   ?= $(or $(TENON_BENCH),$(abspath ../shared/bench))/cases-dev-1.jsonl

.DEFAULT_GOAL := help
.PHONY: help build test race mutants lint lint-rules pictures page-pictures readme-pictures fuzz bench bench-context \
	bench-index bench-retrieval bench-ceiling bench-secret bench-git bench-action bench-engine ablate ablate-retrieval bench-store \
	bench-ingress bench-load bench-local bench-page kill-test outage-test attacks demo ci deep

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/tenon: static, small, with its version
	CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o bin/tenon ./cmd/tenon

test: ## run all tests
	go test ./...

race: ## run all tests with the race detector (needs a C compiler)
	.ci/run race

mutants: ## plant each mutation of .ci/mutants.txt in the code and see a test find it
	.ci/run mutants

lint: ## gofmt, go vet, golangci-lint
	.ci/run format vet lint

lint-rules: ## plant a violation of each import rule and see it reported
	.ci/run rules

pictures: ## take pictures of the golden answers as GitHub shows them, in the folder bin/pictures; NAME=part of a name
	.ci/pictures -out bin/pictures $(NAME)

page-pictures: ## take pictures of the program's own pages, in the folder bin/pages
	.ci/pictures -pages bin/pages

readme-pictures: ## take the pictures of the README again, from the golden answers
	.ci/pictures -readme

fuzz: ## call every fuzz target a fixed number of times; FUZZ_COUNT and FUZZ_ENGINE_COUNT say how often
	.ci/run fuzz

bench: ## run every benchmark
	go test ./... -run '^$$' -bench .

bench-context: ## finding what a comment of 64 kB refers to among 20,000 files
	@go test ./bot/retrieve -run '^$$' -bench 'References$$' -benchtime 30x | grep ^references_

bench-index: ## indexing sources in nine languages, against counting their words, and ranking 3,000 files
	@go test ./bot/retrieve/lexical -run '^$$' -bench 'Index$$' -benchtime 5x | grep ^index_

bench-retrieval: ## whether the code that issues are about is found; MIRROR=folder PAIRS=file KIND=issue CHOOSE=perfect
	@go run ./cmd/tenon eval retrieval "$(PAIRS)" --mirror "$(MIRROR)" --kind "$(KIND)" --choose "$(CHOOSE)"

ablate-retrieval: ## what each bound and weight of retrieval wins; MIRROR=folder PAIRS=file ONLY=part of a name
	@go run ./internal/ablate -mirror "$(MIRROR)" -only "$(ONLY)" "$(PAIRS)" bot/retrieve bot/retrieve/lexical

bench-ceiling: ## how many issues the best model could solve; MIRROR=folder PAIRS=file KIND=issue
	@go run ./cmd/tenon eval --oracle "$(PAIRS)" --mirror "$(MIRROR)" --kind "$(KIND)"

bench-secret: ## redacting 1 MiB of source, against counting its words
	@go test ./bot/secret -run '^$$' -bench 'Redact$$' -benchtime 30x | grep ^redact_

bench-git: ## a run's git requests, against one git push of a ready commit
	@go run ./internal/gitrepo/gitbench

bench-action: ## a job of GitHub Actions, from the start of the process to its first write to GitHub
	@go test ./cmd/tenon -run 'TestAJobTurnsACommentIntoACommit$$' -count 5 -v | grep -o 'first_write=.*'

ablate: ## what each level and rule of matching wins: turned off, one at a time, on CASES=files with cases
	@TENON_TEST_ABLATE="$(CASES)" go test ./engine -run '^TestAblation$$' -count 1 -v | grep -v '^==='

bench-engine: ## the edit engine's figures, in one line
	@go test ./engine -run '^$$' -bench 'Engine$$' -benchtime 1x | grep parse_vs_linewalk

bench-store: ## accepting and claiming events, against one commit per event; accepting in a flood of CI's reports
	go test ./internal/store -run '^$$' -bench 'SubmitClaim|Reports' -benchtime 1x

bench-ingress: ## accepting a burst of 10,000 signed deliveries of 20 KB by a real process
	@go test ./cmd/tenon -run '^$$' -bench Ingress -benchtime 1x -timeout 30m | grep -e ^engine= -e FAIL -e skip

bench-load: ## what 100,000 waiting events, 10,000 commands and 600,000 files cost, in one line; SIZE=small for less
	@.ci/bench-load $(SIZE)

bench-local: ## until the model is asked about a work tree of 20,000 files, against a bare request with the same prompt
	@go test ./internal/localrepo -run '^$$' -bench FirstRequest -benchtime 1x -timeout 30m | grep ^local_ms

bench-page: ## a run of 100 blocks on its page, in Chromium, beside 200 people who watch, against a run that nobody watches
	@TENON_TEST_BROWSER=1 go test ./cmd/tenon -run '^TestWhatPagesCost$$' -pages.full -v | grep -e ^page_ -e FAIL -e SKIP

attacks: ## play published attacks on the server, with a model that obeys every instruction; NAME=one of them
	@mkdir -p bin; go test ./cmd/tenon -run '^TestAttacks$$/^$(or $(NAME),.*)$$' -count 1 -v >bin/attacks.log 2>&1; status=$$?; \
	grep -e '--- FAIL' -e 'Error: ' -e 'Messages: ' -e '\.go:[0-9]*:[0-9]' bin/attacks.log; sed -n 's/.*\(attacks=.*\)/\1/p' bin/attacks.log; exit $$status

kill-test: ## 200 commands while 100 processes are killed at random moments: what is lost, and what is done twice
	@go test ./cmd/tenon -run RandomMoments -killtest.full -timeout 90m -v | grep -e ' engine=' -e FAIL -e SKIP -e command

outage-test: ## GitHub is out for ten minutes from each of twelve moments of a run on; takes a quarter of an hour
	@go test ./cmd/tenon -run OutageAtAny -killtest.full -parallel 16 -timeout 60m -v | grep -e outage_s= -e FAIL

demo: ## a comment becomes a commit, in this terminal
	go run ./cmd/tenon demo

ci: ## everything that must hold before a change lands
	.ci/run

deep: ## search for faults with what is random or takes long, and print a table; SINCE=revision
	.ci/run deep $(if $(SINCE),--since $(SINCE))
