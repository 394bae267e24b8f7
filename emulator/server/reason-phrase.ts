// Sends the reason phrase of a status line (RFC 9112 §4), which the HTTP adapter omits. This file stores the phrases, because
// reading `statusText` would convert the adapter's light response into a full one.
import type { ServerResponse } from 'node:http'

const phrases = new WeakMap<Response, string>()

/** Stores a phrase for a response: one line, one byte per character. */
export function sayReason(response: Response, reason: string): void {
  phrases.set(response, reason)
}

/** Puts the response's phrase on the status line, if it has one. */
export function sendReason(
  response: Response,
  outgoing: Pick<ServerResponse, 'statusMessage'>,
): void {
  const reason = phrases.get(response)
  if (reason !== undefined) outgoing.statusMessage = reason
}
