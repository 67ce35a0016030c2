package main

import (
	"os"
	"os/signal"
	"syscall"
)

// uninterrupted does work that must not end half way: a request to stop that
// comes meanwhile takes effect behind it, as the exit status that a shell gives to
// a program which a signal ended.
func uninterrupted(work func()) error {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	work()
	signal.Stop(stop) // what came before is in the channel then
	select {
	case s := <-stop:
		if n, ok := s.(syscall.Signal); ok {
			return &exitError{code: 128 + int(n)}
		}
		return &exitError{code: exitInput}
	default:
		return nil
	}
}
