package sim

import "encoding/binary"

// MessageBytes is the length of what AppendMessage appends.
const MessageBytes = 4 * 8

// AppendMessage appends a message with the identity that the engine gave it, for
// the Save of a Node that holds messages back.
func AppendMessage(buf []byte, m Message) []byte {
	buf = binary.LittleEndian.AppendUint64(buf, m.Key)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(m.Value))
	buf = binary.LittleEndian.AppendUint64(buf, m.Aux)
	return binary.LittleEndian.AppendUint64(buf, m.tag)
}

// ReadMessage reads what AppendMessage appended, and returns what follows it. ok
// is false if data is too short for a message.
func ReadMessage(data []byte) (m Message, rest []byte, ok bool) {
	if len(data) < MessageBytes {
		return Message{}, nil, false
	}
	m = Message{
		Key:   binary.LittleEndian.Uint64(data),
		Value: int64(binary.LittleEndian.Uint64(data[8:])),
		Aux:   binary.LittleEndian.Uint64(data[16:]),
		tag:   binary.LittleEndian.Uint64(data[24:]),
	}
	return m, data[MessageBytes:], true
}
