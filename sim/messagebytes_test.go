package sim

import "testing"

func TestMessageBytesKeepTheIdentity(t *testing.T) {
	for _, m := range []Message{
		Message{Key: 1 << 63, Value: -5, Aux: 77}.identified(12, 3),
		NewMarker(9),
	} {
		data := append(AppendMessage(nil, m), 1, 2)
		got, rest, ok := ReadMessage(data)
		if !ok || got != m || len(rest) != 2 {
			t.Errorf("ReadMessage(AppendMessage(%+v)) = %+v, %d bytes left, %v", m, got, len(rest), ok)
		}
		if _, _, ok := ReadMessage(data[:MessageBytes-1]); ok {
			t.Error("ReadMessage read a message from too few bytes")
		}
	}
}
