package syntax_test

import (
	"fmt"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

// Only what edits broke is a problem: a file that did not parse before may stay as it is, and the result says so.
func ExampleCheck() {
	before := []byte("def total(prices):\n    return sum(prices)\n")
	after := []byte("def total(prices:\n    return sum(prices)\n")
	for _, p := range syntax.Check(meter.Of(meter.Default), "cart.py", before, after).Problems {
		fmt.Println("line", p.Line, p.Message)
	}
	same := syntax.Check(meter.Of(meter.Default), "cart.py", after, after)
	fmt.Println(len(same.Problems), "problems without an edit:", same.Unchecked)
	// Output:
	// line 1 "(" is not closed
	// 0 problems without an edit: broken-before
}
