package explore

import "simrun/sim"

// item is what stands on a channel.
type item struct {
	sim.Item
	marker bool
}

// numberItem is the number of an item. 0 is none.
func (x *explorer) numberItem(i sim.Item) int32 {
	if n, ok := x.itemIndex[i]; ok {
		return n
	}
	n := int32(len(x.items))
	x.items = append(x.items, item{i, i.Message.Kind() == sim.Marker})
	x.itemIndex[i] = n
	return n
}

// content is what a channel holds, numbered by contents: 0 is nothing.
type content struct {
	head  int32 // item
	rest  int32 // content, behind the head
	grown []growth
}

// growth is the content that is this one with an item more at its end.
type growth struct{ item, to int32 }

// contents numbers what channels hold. A content is reached from the empty one by the
// items that it consists of, so that each has one number.
type contents []content

// push is a content with an item more.
func (cs *contents) push(c, item int32) int32 {
	for _, g := range (*cs)[c].grown {
		if g.item == item {
			return g.to
		}
	}
	grown := content{head: item}
	if c != 0 {
		grown.head = (*cs)[c].head
		grown.rest = cs.push((*cs)[c].rest, item)
	}
	to := int32(len(*cs))
	*cs = append(*cs, grown)
	(*cs)[c].grown = append((*cs)[c].grown, growth{item, to})
	return to
}

// numbering numbers byte strings.
type numbering map[string]int32

func (n numbering) number(bytes []byte) int32 {
	i, ok := n[string(bytes)]
	if !ok {
		i = int32(len(n))
		n[string(bytes)] = i
	}
	return i
}
