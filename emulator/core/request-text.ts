// The body of a request as text, bounded: what services read before they speak their own dialect about it.

/** What a body turned out to be; the service has the words for what is wrong with it. */
export type RequestText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notUtf8' }

/** Reads at most `maxBytes`, and no further than tells that there are more. */
export async function readRequestText(request: Request, maxBytes: number): Promise<RequestText> {
  const bytes = await readBytes(request, maxBytes)
  if (bytes === undefined) return { kind: 'tooLarge' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'notUtf8' }
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (length > maxBytes) return undefined
  // An announced length holds: what exceeds it is no part of the message (RFC 9112 §6.3).
  if (length >= 0) return new Uint8Array(await request.arrayBuffer())
  return readStream(request, maxBytes)
}

async function readStream(request: Request, maxBytes: number): Promise<Uint8Array | undefined> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
