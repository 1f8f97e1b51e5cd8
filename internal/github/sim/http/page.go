package simhttp

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// paging returns page and per_page of the query. per_page is 30 by default and 100 at most.
func (c *call) paging() (page, per int) {
	page, _ = strconv.Atoi(c.query.Get("page"))
	per, _ = strconv.Atoi(c.query.Get("per_page"))
	if per <= 0 {
		per = 30
	}
	return max(page, 1), min(per, 100)
}

// paged responds with one page of a list, with a Link header to the others.
func paged[T any](c *call, all []T, render func(T) entity.Object) (*answer, error) {
	list, header := cut(c, all, render)
	return &answer{status: http.StatusOK, body: list, header: header}, nil
}

// cut returns one page of a list, and a Link header to the others.
func cut[T any](c *call, all []T, render func(T) entity.Object) ([]entity.Object, http.Header) {
	page, per := c.paging()
	first := min((page-1)*per, len(all))
	last := (len(all) + per - 1) / per
	var links []string
	link := func(n int, rel string) {
		q := url.Values{}
		for k, v := range c.query {
			q[k] = v
		}
		q.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf(`<%s%s?%s>; rel=%q`, c.Base, c.r.URL.EscapedPath(), q.Encode(), rel))
	}
	if page > 1 {
		link(min(page-1, max(last, 1)), "prev")
	}
	if page < last {
		link(page+1, "next")
		link(last, "last")
	}
	if page > 1 {
		link(1, "first")
	}
	h := http.Header{}
	if len(links) > 0 {
		h.Set("Link", strings.Join(links, ", "))
	}
	list := []entity.Object{}
	for _, item := range all[first:min(first+per, len(all))] {
		list = append(list, render(item))
	}
	return list, h
}

// counted responds with one page of a list in an object, beside the length of the whole list.
func counted[T any](c *call, name string, all []T, render func(T) entity.Object) (*answer, error) {
	list, header := cut(c, all, render)
	return &answer{status: http.StatusOK, header: header, body: entity.Object{"total_count": len(all), name: list}}, nil
}
