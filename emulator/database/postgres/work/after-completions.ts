// Finds the place in a reply behind the platform's own statements. Pure.

const HEADER_BYTES = 5
const COMMAND_COMPLETE = 'C'.charCodeAt(0)
const ERROR = 'E'.charCodeAt(0)

/** Returns the offset behind the first `count` completed statements; `undefined` when one of them failed. */
export function afterCompletions(bytes: Uint8Array, count: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let left = count
  let at = 0
  while (left > 0) {
    if (at + HEADER_BYTES > bytes.length || bytes[at] === ERROR) return undefined
    if (bytes[at] === COMMAND_COMPLETE) left -= 1
    at += 1 + view.getUint32(at + 1)
  }
  return at
}
