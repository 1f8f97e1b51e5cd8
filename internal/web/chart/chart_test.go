package chart_test

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/web/chart"
)

func whole(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func render(t *testing.T, c chart.Chart) string {
	t.Helper()
	c.ID, c.Format = "outcomes", whole
	html, err := c.HTML()
	require.NoError(t, err)
	return string(html)
}

func TestABarIsMadeOfTheSeriesAndTheTableSaysTheSame(t *testing.T) {
	t.Parallel()
	got := render(t, chart.Chart{Title: "Runs by outcome", About: "7 runs.", Labels: []string{"Mon", "Tue"},
		Series: []chart.Series{{Name: "committed", Values: []float64{3, 0}}, {Name: "refused", Values: []float64{4}}}})
	require.Contains(t, got, `aria-labelledby="outcomes-title outcomes-about"`)
	require.Contains(t, got, "<title>Mon, committed: 3, refused: 4</title>")
	require.Contains(t, got, `<rect class="series-1" x="59.6" y="108" width="124.8" height="42"></rect>`)
	require.Contains(t, got, `<rect class="series-2" x="59.6" y="52" width="124.8" height="56"></rect>`, "on top of it")
	require.Contains(t, got, `<tr><th scope="row">Mon</th><td>3</td><td>4</td></tr>`)
	require.NotContains(t, got, `<th scope="row">Tue`, "there was nothing")
	require.Equal(t, 2, strings.Count(got, `class="swatch`))
}

func TestWhatOthersNamedIsEscapedAndTheDrawingIsXML(t *testing.T) {
	t.Parallel()
	hostile := `"><script>alert(1)</script>&` + "\u202e"
	got := render(t, chart.Chart{Title: hostile, About: hostile, Labels: []string{hostile},
		Series: []chart.Series{{Name: hostile, Values: []float64{1}}}})
	require.NotContains(t, got, "<script")
	require.NotContains(t, got, "style=")
	d := xml.NewDecoder(strings.NewReader(got))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
}

func TestNoValueLeavesTheDrawing(t *testing.T) {
	t.Parallel()
	got := render(t, chart.Chart{Labels: []string{"a", "b", "c", "d"}, Top: 1, Series: []chart.Series{
		{Name: "x", Values: []float64{math.NaN(), math.Inf(1), -3, 9}}}})
	require.Equal(t, 1, strings.Count(got, "<rect"))
	require.Contains(t, got, `y="10" width="62.4" height="140"`)
	require.NotContains(t, got, "NaN")
}

func TestNothingIsSaidInWords(t *testing.T) {
	t.Parallel()
	got := render(t, chart.Chart{Labels: []string{"a"}, Series: []chart.Series{{Name: "x", Values: []float64{0}}}})
	require.Contains(t, got, "Nothing in this time.")
	require.NotContains(t, got, "<svg")
}

func TestManySeriesBecomeSevenAndNothingIsLost(t *testing.T) {
	t.Parallel()
	var all []chart.Series
	for i := range 20 {
		all = append(all, chart.Series{Name: whole(float64(i)), Values: []float64{float64(i), 1}})
	}
	folded := chart.Fold(all)
	require.Len(t, folded, chart.MaxSeries)
	require.Equal(t, "19", folded[0].Name)
	require.Equal(t, chart.Series{Name: chart.Others, Values: []float64{91, 14}}, folded[6])
}
