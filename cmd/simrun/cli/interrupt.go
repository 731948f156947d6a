package cli

import (
	"context"
	"errors"
	"os/signal"
)

// errInterrupted ends a command that a signal ended.
var errInterrupted = errors.New("interrupted")

// interruptible is a context that the first Ctrl-C ends, or a signal that asks the
// process to go; the second one ends the process. Commands call stop before they
// print, so that a reader that does not read cannot hold them.
func interruptible() (ctx context.Context, stop context.CancelFunc) {
	signals := leaving()
	if len(signals) == 0 { // to NotifyContext, none means all
		return context.WithCancel(context.Background())
	}
	ctx, stop = signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// await is what work returns, or errInterrupted as soon as ctx ends. The work goes
// on then, until the process ends, and nobody sees what comes of it.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	done := make(chan outcome, 1)
	go func() { // a panic in here is meant to end the process
		result, err := work()
		done <- outcome{result, err}
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}

// interruptibly is await with a context of its own.
func interruptibly[T any](work func() (T, error)) (T, error) {
	ctx, stop := interruptible()
	defer stop()
	return await(ctx, work)
}
