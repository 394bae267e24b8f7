// Reads the kinds of a client's messages, and the names of their prepared statements and portals (PostgreSQL documentation,
// "Message Formats"). Pure.

export interface FrontendMessage {
  /** The first byte of the message as a letter. */
  readonly kind: string
  /** The whole message, header included. */
  readonly bytes: Uint8Array
}

const HEADER_BYTES = 5

/** Splits bytes into messages and leaves out an incomplete last one. */
export function cutFrontendMessages(bytes: Uint8Array): readonly FrontendMessage[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const messages: FrontendMessage[] = []
  let at = 0
  while (at + HEADER_BYTES <= bytes.length) {
    const end = at + 1 + view.getUint32(at + 1)
    if (end > bytes.length) break
    const kind = String.fromCharCode(bytes[at] ?? 0)
    messages.push({ kind, bytes: bytes.subarray(at, end) })
    at = end
  }
  return messages
}

/** Returns the name that a Parse message gives to its statement. */
export function parsedStatement({ kind, bytes }: FrontendMessage): string | undefined {
  return kind === 'P' ? textAt(bytes, HEADER_BYTES) : undefined
}

/** Returns the name of the statement that a Bind or Describe message needs. */
export function neededStatement({ kind, bytes }: FrontendMessage): string | undefined {
  if (kind === 'D') return describesStatement(bytes) ? textAt(bytes, HEADER_BYTES + 1) : undefined
  if (kind !== 'B') return undefined
  return textAt(bytes, bytes.indexOf(0, HEADER_BYTES) + 1)
}

/** Returns the name of the portal that a Bind message creates. */
export function boundPortal({ kind, bytes }: FrontendMessage): string | undefined {
  return kind === 'B' ? textAt(bytes, HEADER_BYTES) : undefined
}

/** Returns the name of the statement that a Close message deallocates. */
export function closedStatement({ kind, bytes }: FrontendMessage): string | undefined {
  return kind === 'C' && describesStatement(bytes) ? textAt(bytes, HEADER_BYTES + 1) : undefined
}

function describesStatement(bytes: Uint8Array): boolean {
  return bytes[HEADER_BYTES] === 'S'.charCodeAt(0)
}

function textAt(bytes: Uint8Array, start: number): string {
  const end = bytes.indexOf(0, start)
  return Buffer.from(bytes.subarray(start, end < 0 ? bytes.length : end)).toString('utf8')
}
