// Command pictures shows the golden answers as people see them on GitHub. It renders them in headless Chromium with
// GitHub's stylesheet, in the width of a desktop and of a phone, measures their heights, and compares them with a file.
//
//	pictures -css github-markdown.css                      compare all answers with the file of heights
//	pictures -css github-markdown.css -update              write what was measured to the file; bounds stay
//	pictures -css github-markdown.css -out folder fix      take four pictures of each answer whose name contains "fix"
//	pictures -css github-markdown.css -readme              take the pictures of the README
//	pictures -before COMMIT                                compare visible characters with those at a commit
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// options are what the command was called with.
type options struct {
	css, out, before string
	update, readme   bool
	// names are parts of the names of the answers that are meant; none means all.
	names []string
}

func run(ctx context.Context, out io.Writer, args []string) error {
	var o options
	flags := flag.NewFlagSet("pictures", flag.ContinueOnError)
	flags.StringVar(&o.css, "css", "", "the `file` github-markdown.css")
	flags.StringVar(&o.out, "out", "", "take pictures, into this `folder`")
	flags.BoolVar(&o.update, "update", false, "write what was measured to "+heightsFile)
	flags.BoolVar(&o.readme, "readme", false, "take the pictures of the README, into "+readmeFolder)
	flags.StringVar(&o.before, "before", "", "compare visible characters with those at this `commit`")
	if err := flags.Parse(args); err != nil {
		return err
	}
	o.names = flags.Args()
	all, err := goldens(os.DirFS("."))
	if err != nil {
		return err
	}
	switch chosen := named(all, o.names); {
	case len(chosen) == 0:
		return errors.New("no answer has such a name")
	case o.before != "":
		return compareWith(ctx, out, o.before, chosen)
	case o.update && len(o.names) > 0:
		return errors.New("-update measures all answers: name none")
	case o.css == "":
		return errors.New("-css is missing: the path of github-markdown.css")
	case o.readme:
		return takeReadmePictures(ctx, out, o.css, all)
	case o.out != "":
		return o.takePictures(ctx, out, chosen)
	default:
		return o.measure(ctx, out, chosen)
	}
}
