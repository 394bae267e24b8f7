// What the proxy observed of one request, and the HAR entry made of it.
import type { IncomingHttpHeaders } from 'node:http'
import { epochMillis, toIso } from '../../../core/time.ts'
import { textOf } from '../../../platform/secrets/bodies/mask-body.ts'
import { NO_SIGN_IN, type SignInScope, scopeOf } from '../../../platform/secrets/secret-names.ts'
import { mapBinary } from '../compare/frames.ts'
import type { HarClose, HarEntry, HarField, HarFrame, HarPostData } from '../har/har.ts'
import type { Masker } from '../masking/create-masker.ts'
import type { BodyCopy, BodyMask } from './body-copy.ts'
import type { Upstream } from './upstream.ts'

export interface ObservedAnswer {
  readonly status: number
  readonly statusText: string
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingHttpHeaders
}

/** One request, while it runs and after it ended. Instants are wall-clock milliseconds. */
export interface Exchange {
  /** Number of the request's start in the order of all events. */
  readonly order: number
  readonly upstream: Upstream
  readonly method: string
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly requestBody: BodyCopy
  readonly answerBody: BodyCopy
  readonly startedAt: number
  answeredAt: number | undefined
  answer: ObservedAnswer | undefined
  /** Why no complete answer arrived. */
  failure: string | undefined
  socket: ObservedSocket | undefined
}

/** The frames of a socket, not masked yet. */
export interface ObservedSocket {
  readonly frames: HarFrame[]
  /** Approximate memory that `frames` uses, in bytes. */
  keptBytes: number
  /** Number of later frames that are not in `frames`, because the limit of its memory was reached. */
  leftOut: number
  close: HarClose | undefined
}

export interface EntryOptions {
  readonly masker: Masker
  /** Whether to keep bodies and frames whose secrets cannot be found. */
  readonly keepsOpaque: boolean
  /** Number of the request's end in the order of all events. */
  readonly ended: number
  readonly endedAt: number
}

/** Creates the HAR entry of an exchange that has ended. */
export function entryOf(exchange: Exchange, options: EntryOptions): HarEntry {
  const { masker } = options
  const before = masker.knownSecrets
  const entry = maskedEntry(exchange, options)
  // Masks the entry again after new secrets were found, because a secret can occur before the member that identifies it.
  const all = masker.knownSecrets === before ? entry : maskedEntry(exchange, options)
  const facts = masker.newFacts()
  return facts.length === 0 ? all : { ...all, _credentials: facts }
}

function maskedEntry(exchange: Exchange, options: EntryOptions): HarEntry {
  const { startedAt, answeredAt, upstream, answer, order } = exchange
  const { ended, endedAt } = options
  const wait = (answeredAt ?? endedAt) - startedAt
  return {
    startedDateTime: toIso(epochMillis(startedAt)),
    time: endedAt - startedAt,
    request: requestOf(exchange, options),
    response: responseOf(exchange, options),
    cache: {},
    timings: { send: 0, wait, receive: endedAt - startedAt - wait },
    _order: order,
    _ended: ended,
    _plane: upstream.plane,
    _base: upstream.base,
    ...(answer?.status === 101 ? socketOf(exchange, options) : {}),
  }
}

function requestOf(exchange: Exchange, options: EntryOptions): HarEntry['request'] {
  const { method, rawHeaders, requestBody, upstream, socket } = exchange
  const { masker } = options
  const scope = scopeOf(upstream.path, 'request')
  const origin = socket === undefined ? upstream.origin.origin : socketOrigin(upstream)
  const url = masker.url(origin + upstream.path, scope)
  const post = postDataOf(exchange, options)
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: fieldsOf(rawHeaders, masker, scope),
    queryString: queryOf(url),
    ...(post === undefined ? {} : { postData: post }),
    headersSize: -1,
    bodySize: requestBody.sizeBytes,
  }
}

function responseOf(exchange: Exchange, options: EntryOptions): HarEntry['response'] {
  const { answer, answerBody, failure, upstream } = exchange
  const { masker } = options
  const scope = scopeOf(upstream.path, 'answer')
  const headers = fieldsOf(answer?.rawHeaders ?? [], masker, scope)
  const type = answer?.headers['content-type'] ?? ''
  const coding = answer?.headers['content-encoding']
  return {
    status: answer?.status ?? 0,
    statusText: masker.text(answer?.statusText ?? '', scope),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: answerBody.toHar(
      masker.text(type, scope),
      coding,
      maskOf(exchange, type, scope, options),
    ),
    redirectURL: headers.find(({ name }) => name.toLowerCase() === 'location')?.value ?? '',
    headersSize: -1,
    bodySize: answerBody.sizeBytes,
    ...(failure === undefined ? {} : { _error: failure }),
  }
}

function postDataOf(exchange: Exchange, options: EntryOptions): HarPostData | undefined {
  const { headers, requestBody: body, upstream } = exchange
  if (body.sizeBytes === 0) return undefined
  const type = headers['content-type'] ?? ''
  const scope = scopeOf(upstream.path, 'request')
  const { encoding, size, ...rest } = body.toHar(
    options.masker.text(type, scope),
    headers['content-encoding'],
    maskOf(exchange, type, scope, options),
  )
  return {
    ...rest,
    params: [],
    _size: size,
    ...(encoding === undefined ? {} : { _encoding: encoding }),
  }
}

function socketOf(
  { socket }: Exchange,
  options: EntryOptions,
): Pick<
  HarEntry,
  '_resourceType' | '_webSocketMessages' | '_webSocketMessagesLeftOut' | '_webSocketClose'
> {
  const { masker } = options
  const { close, frames = [], leftOut = 0 } = socket ?? {}
  return {
    _resourceType: 'websocket',
    _webSocketMessages: frames.map((frame) => maskedFrame(frame, options)),
    ...(leftOut === 0 ? {} : { _webSocketMessagesLeftOut: leftOut }),
    ...(close === undefined
      ? {}
      : { _webSocketClose: { ...close, reason: masker.text(close.reason, NO_SIGN_IN) } }),
  }
}

function maskedFrame(
  frame: HarFrame,
  { keepsOpaque, masker }: Pick<EntryOptions, 'masker' | 'keepsOpaque'>,
): HarFrame {
  const { _sha256: hash, _size: size, ...kept } = frame
  const text = (given: string): string => masker.text(given, NO_SIGN_IN)
  if (frame.opcode === 1) {
    if (size === undefined) return { ...kept, data: text(frame.data) }
    return { ...frame, data: keepsOpaque ? text(frame.data) : '' }
  }
  const bytes = Buffer.from(frame.data, 'base64')
  const isCut = size !== bytes.length
  const mapped = isCut ? undefined : mapBinary(bytes, text)
  if (mapped?.opaqueBytes === 0) return { ...kept, data: mapped.bytes.toString('base64') }
  if (keepsOpaque) {
    const data = masker.bytes(mapped?.bytes ?? bytes).toString('base64')
    return isCut ? { ...frame, data } : { ...kept, data }
  }
  // The recording keeps the head of the broadcast, which names the channel and the event.
  const head = mapped?.bytes.subarray(0, mapped.bytes.length - mapped.opaqueBytes)
  return {
    ...frame,
    data: head?.toString('base64') ?? '',
    ...(mapped === undefined ? {} : { _size: mapped.bytes.length }),
  }
}

function maskOf(
  { upstream: { plane } }: Exchange,
  type: string,
  scope: SignInScope,
  { keepsOpaque, masker }: EntryOptions,
): BodyMask {
  return {
    body: (bytes, isWhole) =>
      masker.body(bytes, { type, isFile: plane === 'storage', isWhole }, scope),
    opaque: (bytes) => {
      if (!keepsOpaque) return undefined
      const text = textOf(bytes, false)
      return text === undefined ? masker.bytes(bytes) : Buffer.from(masker.text(text, scope))
    },
  }
}

function fieldsOf(raw: readonly string[], masker: Masker, scope: SignInScope): readonly HarField[] {
  const fields: HarField[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    fields.push({ name, value: masker.header(name, raw[index + 1] ?? '', scope) })
  }
  return fields
}

function queryOf(url: string): readonly HarField[] {
  if (!URL.canParse(url)) return []
  return [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))
}

function socketOrigin({ origin }: Upstream): string {
  return origin.origin.replace(/^http/, 'ws')
}
