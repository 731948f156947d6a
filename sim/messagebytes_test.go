package sim

import "testing"

func TestMessageBytes(t *testing.T) {
	m := Message{Key: 1 << 63, Value: -2, Aux: 3, number: 4, Kind: Marker, incarnation: 250}
	data := AppendMessage([]byte("before"), m)
	got, rest, ok := ReadMessage(append(data[6:], "after"...))
	if got != m || string(rest) != "after" || !ok {
		t.Errorf("read %+v, %q, %t; want %+v, after, true", got, rest, ok, m)
	}
	if _, _, ok := ReadMessage(data[7:]); ok {
		t.Error("read a message that is too short")
	}
}
