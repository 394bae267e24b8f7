// The reason phrase of a status line (RFC 9112 §4). The HTTP adapter sends none. Reading `statusText` would convert each of its
// light responses into a full one, so phrases are kept here.
import type { ServerResponse } from 'node:http'

const phrases = new WeakMap<Response, string>()

/** Gives a response a phrase: one line, a character per byte. */
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
