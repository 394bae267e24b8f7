// Reads a multipart/form-data body up to the start of its file (RFC 7578). The file of the form is streamed and never held in
// memory.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { refuse } from '../errors.ts'

export interface ReceivedForm {
  /** The form's fields before the file. The last value is kept when a field is repeated. */
  readonly fields: ReadonlyMap<string, string>
  /** The file's bytes. The caller must read this stream to its end or destroy it. */
  readonly file: Readable
  /** File name without folders; empty when the client sends none. */
  readonly filename: string
  readonly fileType: string
}

/** Maximum size of one field in bytes. Upstream has the same limit for metadata. */
const MAX_FIELD_BYTES = 1_048_576

/**
 * Reads the fields before the first file.
 * @throws {StorageError} `invalidRequest`, `tooLarge`, `clientGone`
 */
export function readForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  maxFields: number,
): Promise<ReceivedForm> {
  const fields = new Map<string, string>()
  const parser = openParser(contentType, maxFields)
  const leaving = new AbortController()
  let file: Readable | undefined
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error)
      leaving.abort()
      if (error instanceof Error) file?.destroy(error)
    }
    parser.on('field', (name, value, _nameCut, valueCut) => {
      if (valueCut) fail(refuse.tooLarge())
      fields.set(name, value)
    })
    parser.on('fieldsLimit', () => fail(refuse.request('The multipart body has too many fields')))
    parser.on('file', (_name, stream, filename, _encoding, fileType) => {
      file = stream
      stream.on('error', () => fail(refuse.request('The multipart body ends within the file')))
      stream.on('close', () => {
        if (!stream.readableEnded) leaving.abort()
      })
      resolve({ fields, file: stream, filename: filename ?? '', fileType })
    })
    parser.on('error', () => fail(refuse.request('The multipart body is not well-formed')))
    parser.on('finish', () => reject(refuse.request('The multipart body has no file')))
    pump(body, parser, leaving.signal).catch(fail)
  })
}

// The pump stops reading when the caller leaves the file unread. Waiting for the rest of the body would block the connection.
async function pump(
  body: AsyncIterable<Uint8Array>,
  parser: BusboyInstance,
  leaving: AbortSignal,
): Promise<void> {
  for await (const piece of body) {
    if (leaving.aborted) return
    if (!parser.write(piece)) await once(parser, 'drain', { signal: leaving })
  }
  parser.end()
}

function openParser(contentType: string, maxFields: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fields: maxFields, fieldSize: MAX_FIELD_BYTES },
    })
  } catch (cause) {
    throw refuse.request(`The multipart body cannot be read: ${String(cause)}`)
  }
}
