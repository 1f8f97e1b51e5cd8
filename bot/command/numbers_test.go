package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestANumberListNamesBlocks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{
		"1":         {1},
		"1,3-5":     {1, 3, 4, 5},
		"1, 3 - 5":  {1, 3, 4, 5},
		"2,1":       {2, 1}, // moves and removals are carried out in the order that somebody wants
		"1,1-2,2":   {1, 2},
		"1000":      {1000},
		"1-200":     nil,
		"1-100,1-9": nil,
	} {
		list, problem := parseNumbers(text)
		require.Empty(t, problem, text)
		if want != nil {
			require.Equal(t, want, list, text)
		}
	}
}

func TestANumberListThatIsNoneSaysSo(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"":                    "The numbers are missing.",
		"one":                 "`one` is not a list of numbers from 1 to 1000.",
		"0":                   "not a list of numbers",
		"-1":                  "not a list of numbers",
		"+1":                  "not a list of numbers",
		"01":                  "not a list of numbers",
		"1 3":                 "not a list of numbers",
		"1,":                  "not a list of numbers",
		"5-3":                 "not a list of numbers",
		"1-":                  "not a list of numbers",
		"1-3-5":               "not a list of numbers",
		"1001":                "not a list of numbers",
		"1-99999999999":       "not a list of numbers",
		"１":                   "not a list of numbers",
		"1-201":               "at most 200 numbers",
		"1-150,500-600":       "at most 200 numbers",
		"all":                 "not a list of numbers",
		"1`</td>@all|x":       "`` 1`</td>@all|x ``",
		"1;rm -rf /":          "not a list of numbers",
		"9223372036854775808": "not a list of numbers",
	} {
		list, problem := parseNumbers(text)
		require.Contains(t, problem, says, text)
		require.Nil(t, list, text)
	}
}

func TestNumbersAreWrittenAsCommandsTakeThem(t *testing.T) {
	t.Parallel()
	for want, list := range map[string][]int{
		"": nil, "3": {3}, "1, 2": {1, 2}, "1-3": {1, 2, 3}, "1, 3-5, 7, 8, 10": {1, 3, 4, 5, 7, 8, 10},
	} {
		require.Equal(t, want, FormatNumbers(list))
		if list != nil {
			read, problem := parseNumbers(want)
			require.Empty(t, problem)
			require.Equal(t, list, read)
		}
	}
}
