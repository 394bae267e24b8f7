// Passes one HTTP request on to the target and its answer back, while both flow. Keeps order, names and bytes of the headers.
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { finished } from 'node:stream'
import type { Clock } from '../../../core/clock.ts'
import type { Exchange } from './exchange.ts'
import { isTokenRequest, type Upstream, type UpstreamBook } from './upstream.ts'

/** The connections to the target. Each connection is closed 4 s after its last answer, because common servers close it later. */
export interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

export interface Forwarding {
  readonly book: UpstreamBook
  readonly agents: Agents
  readonly wallClock: Clock
  /** Returns the next number in the order of all events of the recording. */
  readonly nextEvent: () => number
  /** Notes that the exchange has ended. The returned function records the exchange. */
  readonly ended: (exchange: Exchange) => () => void
}

const IDLE_MILLIS = 4_000
/** Wall-clock milliseconds to wait for an answer. Even servers that hold requests answer within seconds. */
const SILENT_MILLIS = 300_000
/** Maximum size of an answer of a token endpoint in which addresses are replaced. A longer answer passes unchanged. */
const MAX_TOKEN_ANSWER_BYTES = 65_536

export function createAgents(): Agents {
  const options = { keepAlive: true, timeout: IDLE_MILLIS }
  return { http: new HttpAgent(options), https: new HttpsAgent(options) }
}

/** Opens the request to the target. With `agents` set to `false`, the request gets a connection of its own. */
export function openUpstream(
  { headers, method, rawHeaders }: IncomingMessage,
  { origin, path }: Upstream,
  agents: Agents | false,
  drop: readonly string[] = [],
): ClientRequest {
  const isSecure = origin.protocol === 'https:'
  const name = origin.hostname.replace(/^\[|\]$/g, '')
  const options: RequestOptions = {
    protocol: origin.protocol,
    // Names below `localhost` always mean this machine (RFC 6761 §6.3), but some systems do not resolve them.
    hostname: name.endsWith('.localhost') ? '127.0.0.1' : name,
    ...(isSecure && isIP(name) === 0 ? { servername: name } : {}),
    port: origin.port,
    method: method ?? 'GET',
    path,
    headers: withHost(rawHeaders, origin.host, drop, hasNoLength(method, headers)),
    agent: agents && (isSecure ? agents.https : agents.http),
  }
  return isSecure ? requestHttps(options) : requestHttp(options)
}

/** Passes a request on to the target. When one of the two connections ends early, the proxy ends the other one, too. */
export function forwardRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  exchange: Exchange,
  { agents, book, ended, wallClock }: Forwarding,
): void {
  const { headers, method, url = '/' } = incoming
  const host = headers.host ?? ''
  const isToken = isTokenRequest(method, url)
  const upstream = openUpstream(
    incoming,
    exchange.upstream,
    agents,
    isToken ? ['accept-encoding'] : [],
  )
  const fail = (error: Error): void => {
    exchange.failure ??= error.message
    if (error instanceof SilentTarget) refuse(outgoing, 504, 'target_silent', `${error.message}.`)
    else if (isUnreachable(error)) refuseUnreachable(outgoing, exchange.upstream, error)
    else outgoing.destroy()
  }
  // Only the wait for the beginning of the answer has a limit, because a stream may be silent for as long as its client waits.
  const stopWaiting = wallClock.after(SILENT_MILLIS, () =>
    upstream.destroy(
      new SilentTarget(`No answer arrived from ${exchange.upstream.origin.origin} within 5 min`),
    ),
  )
  exchange.requestBody.listenTo(incoming)
  incoming.pipe(upstream)
  upstream.flushHeaders()
  upstream.on('continue', () => outgoing.writeContinue())
  upstream.on('error', fail)
  upstream.on('response', (answer) => {
    stopWaiting()
    exchange.answeredAt = wallClock.now()
    exchange.answer = {
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      rawHeaders: answer.rawHeaders,
      headers: answer.headers,
    }
    exchange.answerBody.listenTo(answer)
    answer.on('error', fail)
    if (isToken && answer.statusCode === 200) passTokenAnswer(answer, outgoing, book, host, url)
    else passAnswer(answer, outgoing, (location) => book.localLocation(host, location))
  })
  outgoing.on('close', () => {
    stopWaiting()
    if (!outgoing.writableFinished) {
      exchange.failure ??= 'The client closed the connection.'
      upstream.destroy()
    }
    const record = ended(exchange)
    // Reads the rest of the request's body, because a target may answer before it has read the body.
    incoming.resume()
    finished(incoming, { writable: false }, record)
  })
}

function passAnswer(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  localLocation: (location: string) => string,
): void {
  outgoing.sendDate = false
  const headers = answer.rawHeaders.map((text, index, all) =>
    index % 2 === 1 && all[index - 1]?.toLowerCase() === 'location' ? localLocation(text) : text,
  )
  outgoing.writeHead(...statusOf(answer), headers)
  outgoing.flushHeaders()
  answer.on('end', () => {
    if (answer.rawTrailers.length > 0) outgoing.addTrailers(pairsOf(answer.rawTrailers))
  })
  answer.pipe(outgoing)
}

function passTokenAnswer(
  answer: IncomingMessage,
  outgoing: ServerResponse,
  book: UpstreamBook,
  host: string,
  url: string,
): void {
  const chunks: Buffer[] = []
  let size = 0
  const take = (chunk: Buffer): void => {
    size += chunk.length
    chunks.push(chunk)
    if (size <= MAX_TOKEN_ANSWER_BYTES) return
    answer.off('data', take)
    answer.off('end', send)
    outgoing.sendDate = false
    outgoing.writeHead(...statusOf(answer), [...answer.rawHeaders])
    outgoing.write(Buffer.concat(chunks))
    answer.pipe(outgoing)
  }
  const send = (): void => {
    const body = Buffer.concat(chunks)
    const local = book.localTokenAnswer(host, url, body.toString())
    const sent = local === undefined ? body : Buffer.from(local)
    outgoing.sendDate = false
    const headers = withoutLength(answer.rawHeaders)
    outgoing.writeHead(...statusOf(answer), [...headers, 'Content-Length', String(sent.length)])
    outgoing.end(sent)
  }
  answer.on('data', take)
  answer.on('end', send)
}

// Node can receive a status below 100 and a reason with control characters, but refuses to send them.
function statusOf({ statusCode = 0, statusMessage = '' }: IncomingMessage): [number, string] {
  return [statusCode < 100 ? 502 : statusCode, statusMessage.replace(/\p{Cc}/gu, '')]
}

/**
 * Node's error codes when no connection to a server is possible. After another error, the proxy ends the client's connection.
 */
const UNREACHABLE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_TLS_|CERT_|DEPTH_|UNABLE_|SELF_)/

function isUnreachable(error: Error & { readonly code?: string }): boolean {
  return UNREACHABLE.test(error.code ?? '')
}

class SilentTarget extends Error {}

function refuseUnreachable(outgoing: ServerResponse, { origin }: Upstream, error: Error): void {
  const message = `The recording proxy cannot reach ${origin.origin}: ${error.message}.`
  refuse(outgoing, 502, 'target_unreachable', message)
}

function refuse(outgoing: ServerResponse, status: number, code: string, message: string): void {
  outgoing.writeHead(status, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ error: { code, message } }))
}

function withHost(
  raw: readonly string[],
  host: string,
  drop: readonly string[],
  addsLength: boolean,
): string[] {
  const headers: string[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    const lower = name.toLowerCase()
    if (!drop.includes(lower)) headers.push(name, lower === 'host' ? host : (raw[index + 1] ?? ''))
  }
  return addsLength ? [...headers, 'Content-Length', '0'] : headers
}

// Whether a request has neither a body nor a length. Node would send it with an empty chunked body, which some servers refuse.
function hasNoLength(method: string | undefined, headers: IncomingMessage['headers']): boolean {
  return (
    /^(POST|PUT|PATCH)$/.test(method ?? '') &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined
  )
}

function withoutLength(raw: readonly string[]): readonly string[] {
  return raw.filter((_, index) => {
    const name = raw[index - (index % 2)]?.toLowerCase()
    return name !== 'content-length' && name !== 'transfer-encoding'
  })
}

function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  )
}
