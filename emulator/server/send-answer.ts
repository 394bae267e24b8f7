// Writes an answer to a connection of node:http: head and body reach the socket in one write.
import type { ServerResponse } from 'node:http'
import type { Answer } from '../core/answer.ts'

/** Node joins the head with a body of text, but writes a body of bytes as a second buffer. A larger body costs more to copy. */
const JOINED_BYTES = 12 << 10

/** Sends the whole answer. */
export function sendAnswer(answer: Answer, outgoing: ServerResponse): void {
  const { status, reason, headers, body } = answer
  const lines = headers.toLines()
  if (body !== undefined && !headers.has('content-length'))
    lines.push('content-length', String(body.length))
  if (reason === undefined) outgoing.writeHead(status, lines)
  else outgoing.writeHead(status, reason, lines)
  if (body === undefined) outgoing.end()
  else if (body.length > JOINED_BYTES) outgoing.end(body)
  else outgoing.end(latin1Of(body), 'latin1')
}

// Each character represents one byte, as in the head.
function latin1Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}
