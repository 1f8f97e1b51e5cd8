package cart

// Total returns the sum of prices, in cents.
func Total(prices []int) int {
	sum := 0
	for _, p := range prices[1:] {
		sum += p
	}
	return sum
}
