package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/dustin/go-humanize/english"
)

// measureScript returns the measures of all comments of a page.
//
//go:embed measure.js
var measureScript string

// measures are those of one answer on one device.
type measures struct {
	Name string `json:"name"`
	// Height is in CSS pixels, of the whole comment with its frame, while folds are closed.
	Height int `json:"height"`
	// Wide lists what is wider than the comment, or has to be scrolled sideways, in folds too. Blocks of code are not
	// in it: their lines are as long as in the files.
	Wide []string `json:"wide"`
}

// browser is a headless Chromium. It is not safe for concurrent use.
type browser struct {
	ctx context.Context
	css string
	// file is the page that it shows.
	file string
}

// openBrowser starts Chromium. The caller calls closeBrowser.
func openBrowser(ctx context.Context, cssFile string) (b *browser, closeBrowser func(), err error) {
	css, err := os.ReadFile(cssFile)
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "pictures")
	if err != nil {
		return nil, nil, err
	}
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("font-render-hinting", "none"))
	allocator, cancelAllocator := chromedp.NewExecAllocator(ctx, flags...)
	tab, cancelTab := chromedp.NewContext(allocator)
	closeBrowser = func() {
		cancelTab()
		cancelAllocator()
		_ = os.RemoveAll(folder)
	}
	b = &browser{ctx: tab, css: string(css), file: filepath.Join(folder, "answers.html")}
	if err := b.checkFonts(); err != nil {
		closeBrowser()
		return nil, nil, err
	}
	return b, closeBrowser, nil
}

// checkFonts returns an error unless the fonts are there by which the file of heights was measured.
func (b *browser) checkFonts() error {
	const script = `["Liberation Sans", "Liberation Mono", "Noto Color Emoji"].filter(name => {
		const c = document.createElement("canvas").getContext("2d");
		const wide = font => { c.font = "40px " + font; return c.measureText("✅ mmmiii").width; };
		return ["serif", "monospace", "sans-serif"].every(other => wide('"' + name + '", ' + other) === wide(other));
	})`
	if err := chromedp.Do(b.ctx); err != nil {
		return fmt.Errorf("starting Chromium: %w", err)
	}
	missing, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](script))
	if err != nil {
		return fmt.Errorf("looking for fonts: %w", err)
	}
	if len(missing) > 0 {
		return fmt.Errorf("there is no font %s; Debian has them in fonts-liberation and fonts-noto-color-emoji",
			strings.Join(missing, ", "))
	}
	return nil
}

// show opens answers in a window of a device; scheme is "light" or "dark".
func (b *browser) show(d device, scheme string, answers []golden) error {
	content, err := htmlPage(b.css, d, answers)
	if err != nil {
		return err
	}
	return b.open(d, scheme, content)
}

// open opens an HTML page in a window of a device.
func (b *browser) open(d device, scheme, content string) error {
	if err := os.WriteFile(b.file, []byte(content), 0o600); err != nil {
		return err
	}
	prefer := func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}
	window := chromedp.EmulateViewport(int64(d.width), 100, chromedp.EmulateScale(max(1, d.scale)))
	return chromedp.Do(b.ctx, window, chromedp.Func(prefer),
		chromedp.Navigate("file://"+filepath.ToSlash(b.file)))
}

// measure returns the measures of answers on a device, in their order.
func (b *browser) measure(d device, answers []golden) ([]measures, error) {
	if err := b.show(d, "light", answers); err != nil {
		return nil, fmt.Errorf("showing answers: %w", err)
	}
	all, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]measures](measureScript))
	if err != nil {
		return nil, fmt.Errorf("measuring answers: %w", err)
	}
	if len(all) != len(answers) {
		return nil, errors.New("some answers are not on the page")
	}
	return all, nil
}

// takePictures takes four pictures of each answer, and of all of them below one another.
func (o options) takePictures(ctx context.Context, out io.Writer, answers []golden) error {
	b, closeBrowser, err := openBrowser(ctx, o.css)
	if err != nil {
		return err
	}
	defer closeBrowser()
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	sheets := map[string][]golden{"all": answers}
	for _, g := range answers {
		sheets[strings.ReplaceAll(g.name, "/", "-")] = []golden{g}
	}
	for name, sheet := range sheets {
		for _, d := range devices {
			for _, scheme := range []string{"light", "dark"} {
				file := filepath.Join(o.out, fmt.Sprintf("%s.%s.%s.png", name, d.name, scheme))
				if err := b.takePicture(file, d, scheme, sheet); err != nil {
					return fmt.Errorf("taking %s: %w", file, err)
				}
			}
		}
	}
	_, _ = fmt.Fprintf(out, "four pictures of %s are in %s\n", english.Plural(len(answers), "answer", ""), o.out)
	return nil
}

func (b *browser) takePicture(file string, d device, scheme string, answers []golden) error {
	if err := b.show(d, scheme, answers); err != nil {
		return err
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		return err
	}
	return os.WriteFile(file, png, 0o600)
}
