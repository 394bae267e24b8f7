// Finds the segments of the write-ahead log that a cluster image needs. Postgres keeps old segments under the names of later
// ones, to write over them. A new cluster works without them.

/** Size of a segment in bytes, set when the image is made (`--wal-segsize=1`). */
const SEGMENT_BYTES = 1n << 20n
const SEGMENTS_PER_LOG = (1n << 32n) / SEGMENT_BYTES
const SEGMENT = /^pg_wal\/[\dA-F]{8}([\dA-F]{8})([\dA-F]{8})$/
/** Place of the page's address in the header of a page (xlog_internal.h, `xlp_pageaddr`). */
const PAGE_ADDRESS = 8

/** Whether the file is a segment without log records of its own: recycled, or not yet written. */
export function isSpareSegment(path: string, bytes: Uint8Array): boolean {
  const [, log, segment] = SEGMENT.exec(path) ?? []
  if (log === undefined || segment === undefined) return false
  const start = (BigInt(`0x${log}`) * SEGMENTS_PER_LOG + BigInt(`0x${segment}`)) * SEGMENT_BYTES
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return view.getBigUint64(PAGE_ADDRESS, true) !== start
}
