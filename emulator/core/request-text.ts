// Reads a request's body up to a limit, as bytes or text. Each service renders the refusal of a larger body itself.

export type RequestText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'notUtf8' }

/** Maximum bytes of a refused body that are read and discarded, so that the client can read the refusal. */
const MOST_DISCARDED_BYTES = 64 << 20

/** Reads at most `maxBytes` of text. */
export async function readRequestText(request: Request, maxBytes: number): Promise<RequestText> {
  const bytes = await readRequestBytes(request, maxBytes)
  if (bytes === undefined) return { kind: 'tooLarge' }
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { kind: 'notUtf8' }
  }
}

/** Reads at most `maxBytes`; `undefined` when the body is larger. */
export async function readRequestBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  // Refuses before the body's stream is opened: the HTTP adapter discards an unopened body, but an opened stream would hold bytes
  // back.
  if (length > maxBytes) return undefined
  // With Content-Length, the body has no further bytes (RFC 9112 §6.3), so no count is needed. Uses `arrayBuffer`, because for
  // `body` the HTTP adapter would create a full Request and a stream.
  if (length >= 0) return new Uint8Array(await request.arrayBuffer())
  if (request.body === null) return new Uint8Array()
  return readStream(request.body, maxBytes)
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > maxBytes) break
    chunks.push(value)
  }
  // Discards the rest instead of cancelling, which would close the connection before the client has read the refusal.
  void discardRest(reader)
  return undefined
}

async function discardRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let size = 0; size < MOST_DISCARDED_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
    }
    await reader.cancel()
  } catch {
    // The client disconnected.
  }
}
