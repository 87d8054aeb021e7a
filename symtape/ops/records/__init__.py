"""Records: messages in the wire format of Protocol Buffers, files of them, tensors of them."""
