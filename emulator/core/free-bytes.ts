// Returns the memory of large buffers to the system at once. The garbage collector may take long, because it counts only the
// small object in front of the memory.

/**
 * Frees the memory of `bytes`, which must not be used afterwards. Does nothing when the bytes share their buffer with others,
 * as Node's small buffers do, or when V8 has no `ArrayBuffer.prototype.transfer` (ES2024). The garbage collector frees the memory
 * then.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isWhole && typeof buffer.transfer === 'function') buffer.transfer(0)
}
