// Relays requests of the storage service's acceptance suite to the emulator and maps bucket names in both directions. Bucket
// names occur in paths, JSON, the metadata of resumable uploads, S3 requests and their XML. The bytes of objects are not changed.
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import type { BucketNames } from './bucket-names.ts'
import { signAgain } from './sign-again.ts'

export interface MappingProxyOptions {
  /** Origin of the emulator. */
  readonly origin: string
  readonly names: BucketNames
  readonly s3Secret: string
}

export interface MappingProxy extends AsyncDisposable {
  readonly url: string
}

const S3 = '/storage/v1/s3'

export async function startMappingProxy(options: MappingProxyOptions): Promise<MappingProxy> {
  const server = createServer((incoming, answer) => {
    forward(options, incoming, answer).catch((error: unknown) => answer.destroy(asError(error)))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function forward(
  options: MappingProxyOptions,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { target, headers, renewBody } = mapRequest(options, incoming)
  const { 'content-length': length, expect: _, ...others } = headers
  const outgoing = request(options.origin + target, { method: incoming.method, setHost: false })
  for (const [name, value] of Object.entries(others)) outgoing.setHeader(name, value)
  outgoing.on('response', (response) => {
    relay(options.names, response, answer).catch((error: unknown) => answer.destroy(asError(error)))
  })
  outgoing.on('error', (error) => answer.destroy(error))
  answer.on('close', () => outgoing.destroy())
  if (renewBody === undefined) {
    if (length !== undefined) outgoing.setHeader('content-length', length)
    incoming.pipe(outgoing)
    return
  }
  const body = renewBody(await collect(incoming))
  outgoing.setHeader('content-length', body.length)
  outgoing.end(body)
}

interface MappedRequest {
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  /** `undefined` when the proxy sends the body unchanged. */
  readonly renewBody: ((body: Buffer) => Buffer) | undefined
}

function mapRequest(
  { names, s3Secret }: MappingProxyOptions,
  { method = 'GET', url = '/', headers: sent }: IncomingMessage,
): MappedRequest {
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, String(value)]),
  )
  const type = headers['content-type'] ?? ''
  if (url.startsWith(S3)) {
    const again = signAgain({ method, target: url, headers }, names, s3Secret)
    const isSignedInside =
      headers['x-amz-content-sha256']?.startsWith('STREAMING-AWS4') === true ||
      type.startsWith('multipart/form-data')
    return { ...again, renewBody: isSignedInside ? again.renewBody : undefined }
  }
  const metadata = headers['upload-metadata']
  return {
    target: names.toPlatform(url),
    headers:
      metadata === undefined
        ? headers
        : { ...headers, 'upload-metadata': mapMetadata(metadata, names) },
    renewBody: type.startsWith('application/json')
      ? (body) => Buffer.from(names.toPlatform(body.toString()))
      : undefined,
  }
}

// The format is `name base64,name base64` (tus 1.0.0, Upload-Metadata).
function mapMetadata(text: string, names: BucketNames): string {
  return text
    .split(',')
    .map((entry) => {
      const [name = '', value = ''] = entry.trim().split(' ')
      const mapped = names.toPlatform(Buffer.from(value, 'base64').toString())
      return name === 'bucketName' ? `${name} ${Buffer.from(mapped).toString('base64')}` : entry
    })
    .join(',')
}

async function relay(
  names: BucketNames,
  response: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const headers: OutgoingHttpHeaders = { ...response.headers }
  const { location } = response.headers
  if (location !== undefined) headers['location'] = names.toSuite(location)
  const isText = /json|xml|text\/plain/.test(response.headers['content-type'] ?? '')
  const isWhole = response.statusCode !== 206 && response.headers['content-length'] !== '0'
  if (!isText || !isWhole || response.statusCode === 304) {
    answer.writeHead(response.statusCode ?? 502, headers)
    response.pipe(answer)
    return
  }
  const given = await collect(response)
  const body = Buffer.from(names.toSuite(given.toString('latin1')), 'latin1')
  if (given.length > 0) headers['content-length'] = body.length
  delete headers['transfer-encoding']
  answer.writeHead(response.statusCode ?? 502, headers)
  answer.end(body)
}

async function collect(stream: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
