package audit

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// Run calls f, which lets the engine run, and returns the misdeed that has ended it; nil
// if none has. A panic that is the engine's own goes on. After a misdeed of the kind Stuck
// the goroutine of f is still there, and keeps a processor busy until the program ends.
func (w *Watch) Run(f func()) *Misdeed {
	if w.settings.Patience == 0 {
		end := w.try(f)
		return end.misdeed()
	}
	ended := make(chan ending, 1)
	go func() { ended <- w.try(f) }()
	timer := time.NewTimer(w.settings.Patience)
	defer timer.Stop()
	for {
		beats := w.beats.Load()
		select {
		case end := <-ended:
			return end.misdeed()
		case <-timer.C:
			if w.beats.Load() == beats && beats%2 == 1 {
				w.left.Store(true)
				return w.stuck()
			}
			timer.Reset(w.settings.Patience)
		}
	}
}

// ending is how a run has ended.
type ending struct {
	deed  *Misdeed
	bug   any // a panic that is nobody's but the engine's
	stack []byte
}

// misdeed is the misdeed, or the panic goes on.
func (e ending) misdeed() *Misdeed {
	if e.bug != nil {
		panic(fmt.Sprintf("%v\n\n%s", e.bug, e.stack))
	}
	return e.deed
}

func (w *Watch) try(f func()) (end ending) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if end.deed = w.blame(cause); end.deed == nil {
			end.bug, end.stack = cause, debug.Stack()
		}
	}()
	f()
	return end
}

// stuck is the misdeed of who has not returned.
func (w *Watch) stuck() *Misdeed {
	c := w.now
	if w.alone {
		c = w.asked
	}
	return w.misdeed(Stuck, w.who, c, "has not returned after %v", w.settings.Patience)
}

// goAway ends a goroutine whose run nobody waits for.
func (w *Watch) goAway() {
	if w.left.Load() {
		runtime.Goexit()
	}
}
