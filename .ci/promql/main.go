// Command promql checks the queries of the dashboard and of the alerts in deploy/ with Prometheus' own parser: that each
// is one, and that the metrics, labels and values of labels in it are those of the table in docs/observability.md.
//
//	go run . ../..
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"go.yaml.in/yaml/v3"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: promql FOLDER-OF-THE-REPOSITORY")
		os.Exit(2)
	}
	n, err := check(os.DirFS(os.Args[1]))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("%d queries are right\n", n)
}

// check checks all queries of a repository, and returns how many there are.
func check(repository fs.FS) (int, error) {
	metrics, err := readTable(repository)
	if err != nil {
		return 0, err
	}
	alerts, err := readAlerts(repository)
	if err != nil {
		return 0, err
	}
	panels, err := readDashboard(repository)
	if err != nil {
		return 0, err
	}
	queries := append(alerts, panels...)
	var wrong []error
	for _, q := range queries {
		if err := metrics.check(q.text); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w\n\t%s", q.place, err, q.text))
		}
	}
	return len(queries), errors.Join(wrong...)
}

// query is a query and where it is.
type query struct{ place, text string }

// metric is a row of the table.
type metric struct {
	kind    string
	labels  []string
	meaning string
}

type table map[string]metric

var row = regexp.MustCompile("(?m)^\\| `(tenon_\\w+)` \\| (counter|gauge|histogram) \\| ([^|]*) \\| (.*) \\|$")

// readTable reads the table of metrics.
func readTable(repository fs.FS) (table, error) {
	page, err := fs.ReadFile(repository, "docs/observability.md")
	if err != nil {
		return nil, err
	}
	all := table{}
	for _, cells := range row.FindAllStringSubmatch(string(page), -1) {
		names := strings.FieldsFunc(cells[3], func(r rune) bool { return strings.ContainsRune("`, ", r) })
		all[cells[1]] = metric{cells[2], names, cells[4]}
	}
	if len(all) < 10 {
		return nil, fmt.Errorf("docs/observability.md has no table of metrics, but %d rows", len(all))
	}
	return all, nil
}

// readAlerts reads the queries of the alerts.
func readAlerts(repository fs.FS) (list []query, err error) {
	text, err := fs.ReadFile(repository, "deploy/prometheus/alerts.yaml")
	if err != nil {
		return nil, err
	}
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	for _, group := range file.Groups {
		for _, r := range group.Rules {
			list = append(list, query{"alert " + r.Alert, r.Expr})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("deploy/prometheus/alerts.yaml has no alerts")
	}
	return list, nil
}

// variables are what Grafana puts into queries.
var variables = strings.NewReplacer("$__rate_interval", "5m", "$__range", "6h", "$job", "tenon", "$instance", "a")

var labelValues = regexp.MustCompile(`^label_values\((.+), \w+\)$`)

// readDashboard reads the queries of the panels and of the variables of the dashboard.
func readDashboard(repository fs.FS) (list []query, err error) {
	text, err := fs.ReadFile(repository, "deploy/grafana/tenon.json")
	if err != nil {
		return nil, err
	}
	var board struct {
		Panels []struct {
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Name, Type, Definition string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		return nil, err
	}
	for _, p := range board.Panels {
		if p.Type != "row" && len(p.Targets) == 0 {
			return nil, fmt.Errorf("panel %q has no query", p.Title)
		}
		for _, t := range p.Targets {
			list = append(list, query{"panel " + p.Title, variables.Replace(t.Expr)})
		}
	}
	for _, v := range board.Templating.List {
		if m := labelValues.FindStringSubmatch(v.Definition); m != nil {
			list = append(list, query{"variable " + v.Name, variables.Replace(m[1])})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("deploy/grafana/tenon.json has no queries")
	}
	return list, nil
}

// usual are the labels that Prometheus adds, and that of the buckets of histograms.
var usual = []string{labels.MetricName, "job", "instance", "le"}

// check returns what is wrong with a query.
func (t table) check(text string) error {
	expr, err := parser.NewParser(parser.Options{}).ParseExpr(text)
	if err != nil {
		return err
	}
	known := slices.Clone(usual)
	var wrong []error
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if s, ok := node.(*parser.VectorSelector); ok {
			m, err := t.find(s.Name)
			if err != nil {
				wrong = append(wrong, err)
				return nil
			}
			known = append(known, m.labels...)
			wrong = append(wrong, m.match(s)...)
		}
		return nil
	})
	parser.Inspect(expr, func(node parser.Node, _ []parser.Node) error {
		if a, ok := node.(*parser.AggregateExpr); ok {
			for _, label := range a.Grouping {
				if !slices.Contains(known, label) {
					wrong = append(wrong, fmt.Errorf("no metric of the query has the label %s", label))
				}
			}
		}
		return nil
	})
	return errors.Join(wrong...)
}

// find returns the metric that a series belongs to. Those of other programs are known by their prefix.
func (t table) find(series string) (metric, error) {
	if m, ok := t[series]; ok {
		if m.kind == "histogram" {
			return metric{}, fmt.Errorf("%s is a histogram: its series end in _bucket, _sum and _count", series)
		}
		return m, nil
	}
	for _, suffix := range []string{"_bucket", "_sum", "_count"} {
		if m, ok := t[strings.TrimSuffix(series, suffix)]; ok && m.kind == "histogram" && strings.HasSuffix(series, suffix) {
			return m, nil
		}
	}
	if series == "up" || strings.HasPrefix(series, "go_") || strings.HasPrefix(series, "process_") {
		return metric{}, nil
	}
	return metric{}, fmt.Errorf("there is no metric %s", series)
}

// match returns what is wrong with the matchers of a selector: a label that the metric does not have, or a value that
// its description does not name. Values that come from GitHub, such as statuses, are not named.
func (m metric) match(s *parser.VectorSelector) (wrong []error) {
	for _, matcher := range s.LabelMatchers {
		name := matcher.Name
		switch {
		case slices.Contains(usual, name):
		case !slices.Contains(m.labels, name):
			wrong = append(wrong, fmt.Errorf("%s has no label %s", s.Name, name))
		case name == "status" || name == "event" || name == "resource" || name == "level" || matcher.Value == "":
		case matcher.Type == labels.MatchEqual || matcher.Type == labels.MatchNotEqual:
			wrong = append(wrong, m.named(s.Name, name, matcher.Value)...)
		default:
			if !strings.ContainsAny(matcher.Value, ".*+?()[") {
				for value := range strings.SplitSeq(matcher.Value, "|") {
					wrong = append(wrong, m.named(s.Name, name, value)...)
				}
			}
		}
	}
	return wrong
}

func (m metric) named(series, label, value string) []error {
	if strings.Contains(m.meaning, "`"+value+"`") {
		return nil
	}
	return []error{fmt.Errorf("the description of %s names no %s %q", series, label, value)}
}
