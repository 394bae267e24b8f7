// What the proxy observed of one request, and the HAR entry made of it.
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { epochMillis, toIso } from '../../core/time.ts'
import type { HarClose, HarEntry, HarField, HarFrame, HarPostData } from '../har/har.ts'
import type { Masker, Masking } from '../masking/mask-text.ts'
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
  /** Place of the start among all events. */
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

/** The frames of a socket, before they are masked. */
export interface ObservedSocket {
  readonly frames: HarFrame[]
  /** Approximate memory of the frames. */
  keptBytes: number
  /** Number of frames that are not in `frames`, because it was full. */
  leftOut: number
  close: HarClose | undefined
}

/** Creates the entry of an exchange that has ended. @param ended place of the end among all events */
export function entryOf(
  exchange: Exchange,
  masker: Masker,
  { ended, wallClock }: { readonly ended: number; readonly wallClock: Clock },
): HarEntry {
  const { startedAt, answeredAt, upstream, answer, order } = exchange
  const endedAt = wallClock.now()
  const masking: Masking = {
    isSignIn: upstream.plane === 'auth' && /\/auth\/v1\//.test(upstream.path),
  }
  const wait = (answeredAt ?? endedAt) - startedAt
  const entry = {
    startedDateTime: toIso(epochMillis(startedAt)),
    time: endedAt - startedAt,
    request: requestOf(exchange, masker, masking),
    response: responseOf(exchange, masker, masking),
    cache: {},
    timings: { send: 0, wait, receive: endedAt - startedAt - wait },
    _order: order,
    _ended: ended,
    _plane: upstream.plane,
    _base: upstream.base,
    ...(answer?.status === 101 ? socketOf(exchange, masker) : {}),
  }
  const facts = masker.newFacts()
  return facts.length === 0 ? entry : { ...entry, _credentials: facts }
}

function requestOf(
  { method, rawHeaders, headers, requestBody, upstream, socket }: Exchange,
  masker: Masker,
  masking: Masking,
): HarEntry['request'] {
  const origin = socket === undefined ? upstream.origin.origin : socketOrigin(upstream)
  const url = masker.url(origin + upstream.path, masking)
  const post = postDataOf(requestBody, headers, maskOf(masker, masking))
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: fieldsOf(rawHeaders, masker, masking),
    queryString: queryOf(url),
    ...(post === undefined ? {} : { postData: post }),
    headersSize: -1,
    bodySize: requestBody.sizeBytes,
  }
}

function responseOf(
  { answer, answerBody, failure }: Exchange,
  masker: Masker,
  { isSignIn }: Masking,
): HarEntry['response'] {
  const headers = fieldsOf(answer?.rawHeaders ?? [], masker, { isSignIn })
  const type = answer?.headers['content-type'] ?? ''
  // The member `code` of an answer is the code of an error.
  const mask = maskOf(masker, { isSignIn: false })
  return {
    status: answer?.status ?? 0,
    statusText: answer?.statusText ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers,
    content: answerBody.toHar(type, answer?.headers['content-encoding'], mask),
    redirectURL: headers.find(({ name }) => name.toLowerCase() === 'location')?.value ?? '',
    headersSize: -1,
    bodySize: answerBody.sizeBytes,
    ...(failure === undefined ? {} : { _error: failure }),
  }
}

function postDataOf(
  body: BodyCopy,
  headers: IncomingHttpHeaders,
  mask: BodyMask,
): HarPostData | undefined {
  if (body.sizeBytes === 0) return undefined
  const type = headers['content-type'] ?? ''
  const { encoding, size, ...rest } = body.toHar(type, headers['content-encoding'], mask)
  return {
    ...rest,
    params: [],
    _size: size,
    ...(encoding === undefined ? {} : { _encoding: encoding }),
  }
}

function socketOf(
  { socket }: Exchange,
  masker: Masker,
): Pick<
  HarEntry,
  '_resourceType' | '_webSocketMessages' | '_webSocketMessagesLeftOut' | '_webSocketClose'
> {
  const frames = (socket?.frames ?? []).map((frame) =>
    frame.opcode === 1 ? { ...frame, data: masker.text(frame.data, { isSignIn: false }) } : frame,
  )
  return {
    _resourceType: 'websocket',
    _webSocketMessages: frames,
    ...(socket === undefined || socket.leftOut === 0
      ? {}
      : { _webSocketMessagesLeftOut: socket.leftOut }),
    ...(socket?.close === undefined ? {} : { _webSocketClose: socket.close }),
  }
}

function fieldsOf(raw: readonly string[], masker: Masker, masking: Masking): readonly HarField[] {
  const fields: HarField[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    fields.push({ name, value: masker.header(name, raw[index + 1] ?? '', masking) })
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

function maskOf(masker: Masker, masking: Masking): BodyMask {
  return { text: (text) => masker.text(text, masking), bytes: masker.bytes }
}
