// Prevents browsers from running scripts in stored files, because storage shares its origin with the inspector and the emulator's
// own API. Every response of storage passes through here last, so no route can skip it.

/**
 * Media types that browsers display without running scripts. The pattern matches the whole type, so that it excludes types such
 * as `video/x+xml`.
 */
const INERT_TYPES =
  /^(image\/(a?png|avif|bmp|gif|hei[cf]|jpe?g|jxl|tiff|webp|x-icon|vnd\.microsoft\.icon)|(audio|video)\/[\w.-]+|text\/plain|application\/pdf)$/

/** Matches `type/subtype` before any parameters (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(;|$)/

/** Media types for which browsers guess the real type (WHATWG MIME Sniffing §7), and ranges such as `image/*`. */
const UNKNOWN_TYPES = /^(unknown|application)\/unknown$|\*/

/** Sets the headers of a response so that a browser runs no script from its body. */
export function makeInert(response: Response): Response {
  const contentType = response.headers.get('content-type')
  if (contentType === null) return response
  for (const [name, value] of Object.entries(inertHeaders(contentType)))
    response.headers.set(name, value)
  return response
}

/** Headers that prevent a browser from running scripts in a body of this type. */
export function inertHeaders(contentType: string): Readonly<Record<string, string>> {
  // fact: upstream serves every type that contains `text/html` as `text/plain`.
  const served = /text\/html/i.test(contentType) ? 'text/plain' : contentType
  const type = MEDIA_TYPE.exec(served)?.[1]?.toLowerCase()
  const isKnown = type !== undefined && !UNKNOWN_TYPES.test(type)
  // Browsers treat a comma as the start of another type and use the last one (Fetch, "extract a MIME type").
  const isInert = isKnown && INERT_TYPES.test(type) && !served.includes(',')
  return {
    'content-type': isKnown ? served : 'application/octet-stream',
    ...(isInert ? {} : { 'content-security-policy': 'sandbox' }),
  }
}
