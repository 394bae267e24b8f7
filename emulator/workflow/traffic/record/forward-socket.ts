// Passes a WebSocket on to the target: the handshake as HTTP, then the bytes of both directions unchanged.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../core/clock.ts'
import type { HarClose, HarFrame } from '../har/har.ts'
import type { Exchange, ObservedSocket } from './exchange.ts'
import { type Forwarding, openUpstream } from './forward-request.ts'
import { closeOf, FrameReader } from './frame-reader.ts'

/**
 * Maximum memory for the frames of a socket, which are kept until the socket closes. Later frames pass, and are only counted.
 */
const MAX_SOCKET_BYTES = 64 << 20
/** Approximate memory of a frame in addition to its bytes. */
const FRAME_OVERHEAD_BYTES = 256

/** @param maxFrameBytes the number of bytes that the recording keeps of one frame */
export function forwardSocket(
  incoming: IncomingMessage,
  { client, head }: { readonly client: Duplex; readonly head: Buffer },
  exchange: Exchange,
  { ended, nextEvent, wallClock }: Pick<Forwarding, 'ended' | 'nextEvent' | 'wallClock'>,
  maxFrameBytes: number,
): void {
  const upstream = openUpstream(incoming, exchange.upstream, false)
  client.on('error', () => upstream.destroy())
  client.on('close', () => {
    upstream.destroy()
    ended(exchange)()
  })
  upstream.on('error', (error) => {
    exchange.failure ??= error.message
    client.end(`HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  })
  const answered = (answer: IncomingMessage): void => {
    exchange.answeredAt = wallClock.now()
    exchange.answer = {
      status: answer.statusCode ?? 0,
      statusText: answer.statusMessage ?? '',
      rawHeaders: answer.rawHeaders,
      headers: answer.headers,
    }
    client.write(headOf(answer))
  }
  upstream.on('response', (answer) => {
    answered(answer)
    exchange.answerBody.listenTo(answer)
    answer.pipe(client)
  })
  upstream.on('upgrade', (answer, server, serverHead) => {
    answered(answer)
    const socket: ObservedSocket = { frames: [], keptBytes: 0, leftOut: 0, close: undefined }
    exchange.socket = socket
    const extensions = answer.headers['sec-websocket-extensions']
    const observe = (from: 'client' | 'server'): ((chunk: Buffer) => void) =>
      observer(socket, { from, extensions, wallClock, nextEvent, maxFrameBytes })
    join(client, server, { head, observe: observe('client') })
    join(server, client, { head: serverHead, observe: observe('server') })
  })
  upstream.end()
}

interface Observing {
  readonly from: 'client' | 'server'
  readonly extensions: string | undefined
  readonly wallClock: Clock
  readonly nextEvent: () => number
  readonly maxFrameBytes: number
}

function observer(
  socket: ObservedSocket,
  { extensions, from, maxFrameBytes, nextEvent, wallClock }: Observing,
): (chunk: Buffer) => void {
  const reader = new FrameReader({ from, extensions })
  return (chunk) => {
    for (const { kind, bytes } of reader.read(chunk)) {
      const time = wallClock.now() / 1_000
      if (kind === 'close') {
        socket.close ??= {
          by: from,
          ...closeOf(bytes),
          _order: nextEvent(),
          time,
        } satisfies HarClose
        continue
      }
      const kept = bytes.subarray(0, maxFrameBytes)
      socket.keptBytes += kept.length + FRAME_OVERHEAD_BYTES
      if (socket.keptBytes > MAX_SOCKET_BYTES) {
        socket.leftOut += 1
        continue
      }
      socket.frames.push({
        type: from === 'client' ? 'send' : 'receive',
        time,
        opcode: kind === 'text' ? 1 : 2,
        data: kept.toString(kind === 'text' ? 'utf8' : 'base64'),
        _order: nextEvent(),
        ...factsOf(kind, bytes, kept),
      })
    }
  }
}

// A whole text frame needs no size and hash, because the recording always keeps its text.
function factsOf(
  kind: 'text' | 'binary',
  bytes: Buffer,
  kept: Buffer,
): Pick<HarFrame, '_size' | '_sha256'> {
  if (kind === 'text' && kept.length === bytes.length) return {}
  return { _size: bytes.length, _sha256: createHash('sha256').update(bytes).digest('hex') }
}

// Passes the bytes of one side to the other side, and closes the other side when this side ends.
function join(
  from: Duplex,
  to: Duplex,
  { head, observe }: { readonly head: Buffer; readonly observe: (chunk: Buffer) => void },
): void {
  from.on('data', observe)
  from.on('error', () => to.destroy())
  from.on('close', () => to.end())
  if (head.length > 0) {
    observe(head)
    to.write(head)
  }
  from.pipe(to)
}

function headOf({ rawHeaders, statusCode, statusMessage }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  )
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\r\n')
}
