// Keeps stored bytes from running as pages: storage shares its origin with the inspector and the emulator's own API. Every answer of
// storage passes through here last, so that no route can omit it.

/** Types that browsers show without running any of it. The whole type is compared, so `video/x+xml` does not match. */
const INERT_TYPES =
  /^(image\/(a?png|avif|bmp|gif|hei[cf]|jpe?g|jxl|tiff|webp|x-icon|vnd\.microsoft\.icon)|(audio|video)\/[\w.-]+|text\/plain|application\/pdf)$/

/** `type/subtype` before any parameters (RFC 9110 §8.3.1). */
const MEDIA_TYPE = /^([\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+)[ \t]*(;|$)/

/** Types that browsers replace by a guess (WHATWG MIME Sniffing §7), and ranges such as `image/*`. */
const UNKNOWN_TYPES = /^(unknown|application)\/unknown$|\*/

/** Changes the headers of an answer so that a browser runs nothing of its body. */
export function makeInert(response: Response): Response {
  const contentType = response.headers.get('content-type')
  if (contentType === null) return response
  for (const [name, value] of Object.entries(inertHeaders(contentType)))
    response.headers.set(name, value)
  return response
}

/** The headers under which a browser runs nothing of a body of this type. */
export function inertHeaders(contentType: string): Readonly<Record<string, string>> {
  // fact: upstream serves every type that contains `text/html` as text.
  const served = /text\/html/i.test(contentType) ? 'text/plain' : contentType
  const type = MEDIA_TYPE.exec(served)?.[1]?.toLowerCase()
  const isKnown = type !== undefined && !UNKNOWN_TYPES.test(type)
  // Browsers read a comma as the beginning of another type, and the last type decides (Fetch, "extract a MIME type").
  const isInert = isKnown && INERT_TYPES.test(type) && !served.includes(',')
  return {
    'content-type': isKnown ? served : 'application/octet-stream',
    ...(isInert ? {} : { 'content-security-policy': 'sandbox' }),
  }
}
