// Builds complete WebSocket frames of a server (RFC 6455 §5.2). A message to many peers is framed once, and each peer gets header
// and body in one write. A separate frame header would cost a second buffer per peer in each system call.

/** Returns the frame of a message. `bytes` must not change afterwards. */
export type Framing = (bytes: Uint8Array, isBinary: boolean) => Uint8Array

const FINAL_TEXT = 0x81
const FINAL_BINARY = 0x82
const LENGTH_IN_16_BITS = 126
const LENGTH_IN_64_BITS = 127

/** Caches the last frame, for messages that are sent to one peer after another. */
export function createFraming(): Framing {
  let lastBytes: Uint8Array | undefined
  let lastFrame: Uint8Array = new Uint8Array()
  return (bytes, isBinary) => {
    if (bytes !== lastBytes) {
      lastBytes = bytes
      lastFrame = frameOf(bytes, isBinary)
    }
    return lastFrame
  }
}

function frameOf(bytes: Uint8Array, isBinary: boolean): Uint8Array {
  const { length } = bytes
  const headerBytes = length < LENGTH_IN_16_BITS ? 2 : length < 2 ** 16 ? 4 : 10
  const frame = Buffer.allocUnsafe(headerBytes + length)
  frame[0] = isBinary ? FINAL_BINARY : FINAL_TEXT
  if (headerBytes === 2) frame[1] = length
  else if (headerBytes === 4) {
    frame[1] = LENGTH_IN_16_BITS
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_IN_64_BITS
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.set(bytes, headerBytes)
  return frame
}
