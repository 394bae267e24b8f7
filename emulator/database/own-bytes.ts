// Bytes on their way to another thread. Node cuts small buffers out of a large one that it keeps: such a piece cannot be
// handed over, and copying it would copy all of the large one.

/** The same bytes in memory that holds nothing else. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}
