package main

import (
	"os"
	"runtime/pprof"
	"testing"
)

func TestProf(t *testing.T) {
	os.Args[0] = "/dev/shm/viewbench"
	f, _ := os.Create("/dev/shm/cpu.prof")
	pprof.StartCPUProfile(f)
	x, err := measure(300000)
	pprof.StopCPUProfile()
	t.Log(x, err)
}
