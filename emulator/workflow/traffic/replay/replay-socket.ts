// One socket of the replay: opens the socket, sends frames, and keeps received frames.
import WebSocket from 'ws'
import type { Clock } from '../../../core/clock.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import type { ComparedAnswer } from '../compare/compare-answers.ts'
import type { ReceivedFrame } from '../compare/compare-events.ts'
import { fieldsOf } from './send-request.ts'
import type { ReplayedRequest } from './translate-request.ts'

export interface ReplaySocket {
  /** The answer to the handshake, which has the status 101 when the socket is open. */
  readonly answer: ComparedAnswer
  readonly received: readonly ReceivedFrame[]
  /** Code with which the server closed the socket. */
  readonly closedWith: number | undefined
  send(frame: string | Buffer): void
  /** Waits until this number of frames has arrived, but at most `withinMillis` wall-clock milliseconds. */
  arrived(count: number, withinMillis: number): Promise<void>
  /** Waits until the server closes the socket, but at most `withinMillis` wall-clock milliseconds. */
  closed(withinMillis: number): Promise<void>
  close(code: number | null, reason: string): void
}

/** Wall-clock milliseconds after which a handshake counts as unanswered. */
const HANDSHAKE_MILLIS = 30_000
/** Maximum size of a message. A longer message closes the socket. The platform's own limit is 5,000,000 bytes. */
const MAX_MESSAGE_BYTES = 16 << 20
/** Maximum number of bytes to read of a refused handshake's body. */
const MAX_REFUSAL_BYTES = 1 << 20

/** Approximate memory of a received message in addition to its bytes. */
const FRAME_OVERHEAD_BYTES = 256

const UPGRADED: ComparedAnswer = {
  status: 101,
  headers: [],
  content: { mimeType: '', text: '', size: 0 },
}

/**
 * Opens the socket. Closes it when its messages exceed the limits for an answer. Never rejects.
 * @param base address of the plane with the scheme `ws` or `wss`
 */
export async function openReplaySocket(
  base: string,
  { headers, path }: ReplayedRequest,
  { bounds, wallClock }: Pick<HttpClient, 'bounds' | 'wallClock'>,
): Promise<ReplaySocket> {
  const peer = new WebSocket(base + path, {
    headers: Object.fromEntries(headers),
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_MILLIS,
    maxPayload: MAX_MESSAGE_BYTES,
  })
  const received: ReceivedFrame[] = []
  let receivedBytes = 0
  let closedWith: number | undefined
  let isOwnClose = false
  let onEvent = (): void => {}
  peer.on('message', (bytes: Buffer, isBinary) => {
    receivedBytes += bytes.length + FRAME_OVERHEAD_BYTES
    if (receivedBytes > bounds.maxBytes) return peer.terminate()
    received.push(
      isBinary
        ? { opcode: 2, data: bytes.toString('base64') }
        : { opcode: 1, data: bytes.toString() },
    )
    onEvent()
  })
  peer.on('close', (code) => {
    if (!isOwnClose) closedWith = code
    onEvent()
  })
  const waitFor = (isDone: () => boolean, withinMillis: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = wallClock.after(withinMillis, finish)
      function finish(): void {
        cancel()
        onEvent = () => {}
        resolve()
      }
      onEvent = () => {
        if (isDone()) finish()
      }
      onEvent()
    })
  return {
    answer: await handshake(peer, wallClock),
    received,
    get closedWith() {
      return closedWith
    },
    send: (frame) => {
      if (peer.readyState === peer.OPEN) peer.send(frame)
    },
    arrived: (count, withinMillis) =>
      waitFor(() => received.length >= count || closedWith !== undefined, withinMillis),
    closed: (withinMillis) => waitFor(() => closedWith !== undefined, withinMillis),
    close: (code, reason) => {
      isOwnClose = true
      if (peer.readyState !== peer.OPEN) return
      if (code === null || !isSendable(code)) peer.close()
      else peer.close(code, reason)
    },
  }
}

// Applications may not send the other close codes, because RFC 6455 §7.4 reserves them.
function isSendable(code: number): boolean {
  return (code >= 1_000 && code <= 1_014 && ![1_004, 1_005, 1_006].includes(code)) || code >= 3_000
}

function handshake(peer: WebSocket, wallClock: Clock): Promise<ComparedAnswer> {
  return new Promise((resolve) => {
    peer.on('open', () => resolve(UPGRADED))
    peer.on('unexpected-response', (_, answer) => {
      const cancel = wallClock.after(HANDSHAKE_MILLIS, () => answer.destroy())
      startOf(answer)
        .finally(cancel)
        .then(
          (body) =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: fieldsOf(answer.rawHeaders),
              content: { mimeType: '', text: body, size: body.length },
            }),
          () => resolve({ ...UPGRADED, status: 0 }),
        )
    })
    peer.on('error', (error) =>
      resolve({ status: 0, headers: [], content: { mimeType: '', text: error.message, size: 0 } }),
    )
  })
}

async function startOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MAX_REFUSAL_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_REFUSAL_BYTES)
}
