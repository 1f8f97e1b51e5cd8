package gh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// logTimeout bounds the request for a log until its body is closed.
const logTimeout = 2 * time.Minute

// JobLog opens the log of a job. GitHub's answer is a redirect to a signed address at a storage service, which gives
// access for a minute to whoever has it: it is requested without credentials, is in no error, and is not redirected
// further. The body must be read within two minutes.
func (c *Client) JobLog(ctx context.Context, repo port.RepoRef, job int64) (io.ReadCloser, error) {
	api, err := c.forRepo(repo, inspecting)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, logTimeout)
	body, err := c.openLog(ctx, api, fmt.Sprintf("repos/%s/actions/jobs/%d/logs", repo, job))
	if err != nil {
		cancel()
		return nil, c.explain(err, "asking for the log of job %d of %s", job, repo)
	}
	return &timedBody{body, cancel}, nil
}

// openLog requests a log from the API, and then from the address that it redirects to.
func (c *Client) openLog(ctx context.Context, api *github.Client, path string) (io.ReadCloser, error) {
	req, err := api.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, err
	}
	asking := api.Client()
	asking.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if to.Response.StatusCode == http.StatusFound {
			return http.ErrUseLastResponse
		}
		return c.redirect(to, via) // the repository was renamed
	}
	resp, err := asking.Do(req.WithContext(ctx))
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	defer discard(resp)
	if resp.StatusCode != http.StatusFound {
		return nil, github.CheckResponse(resp)
	}
	to, err := resp.Location()
	if err != nil || to.Host == "" || to.User != nil || to.Scheme != "https" && to.Scheme != c.base.Scheme {
		return nil, redirectError("GitHub's response has no address of a log")
	}
	return c.download(ctx, to)
}

// download requests a log from a storage service.
func (c *Client) download(ctx context.Context, from *url.URL) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return nil, redirectError("GitHub's response has no address of a log")
	}
	req.Header.Set("User-Agent", userAgent)
	reading := http.Client{Transport: c.storage, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	resp, err := reading.Do(req)
	var network *url.Error
	if errors.As(err, &network) { // its text has the signed address
		err = fmt.Errorf("reaching %s for the log: %w", from.Host, network.Err)
		if ctx.Err() == nil && !isUntrusted(err) {
			err = outage(err, 0)
		}
	}
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	discard(resp)
	err = fmt.Errorf("%s answered %d for the log", from.Host, resp.StatusCode)
	switch {
	case resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests:
		return nil, outage(err, 0)
	case resp.StatusCode == http.StatusForbidden, resp.StatusCode == http.StatusNotFound,
		resp.StatusCode == http.StatusGone:
		return nil, fmt.Errorf("%w: %w", err, port.ErrNotFound)
	}
	return nil, err
}
