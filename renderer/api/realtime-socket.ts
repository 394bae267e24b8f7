// Opens a socket to the platform's realtime service (protocol version 1.0.0), for test channels.
import { INSPECTOR_MARK } from '../../emulator/contract/operation.ts'
import type { RealtimeFrame } from './realtime-frames.ts'
import { heartbeatFrame, readFrame } from './realtime-frames.ts'
import { every } from './time.ts'

export interface RealtimeSocket {
  send(frame: RealtimeFrame): void
  close(): void
}

export interface SocketListener {
  readonly onOpen: () => void
  readonly onFrame: (frame: RealtimeFrame) => void
  /** `reason` is the close code when the browser has no text, for example after a refused handshake. */
  readonly onClose: (reason: string) => void
}

/**
 * The interval between heartbeats, in wall-clock milliseconds. The service closes a socket that sends nothing for a minute.
 */
const HEARTBEAT_MILLIS = 25_000

/** `url` is the realtime URL of GET /info. `token` is a realtime token. */
export function openRealtimeSocket(
  url: string,
  token: string,
  { onOpen, onFrame, onClose }: SocketListener,
): RealtimeSocket {
  const search = new URLSearchParams({ apikey: token, vsn: '1.0.0', [INSPECTOR_MARK]: '1' })
  const socket = new WebSocket(`${url}/websocket?${search}`)
  let beats = 0
  let stop = () => {}
  const send = (frame: RealtimeFrame) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }
  socket.addEventListener('open', () => {
    stop = every(HEARTBEAT_MILLIS, () => {
      beats += 1
      send(heartbeatFrame(`beat ${beats}`))
    })
    onOpen()
  })
  socket.addEventListener('message', ({ data }) => {
    const frame = typeof data === 'string' ? readFrame(data) : undefined
    if (frame !== undefined && frame.topic !== 'phoenix') onFrame(frame)
  })
  socket.addEventListener('close', ({ code, reason }) => {
    stop()
    onClose(reason === '' ? `closed with code ${code}` : reason)
  })
  return { send, close: () => socket.close(1000) }
}
