// One WebSocket connection of realtime: handles frames in order, joins, leaves, heartbeats, limits and closing
// (docs/wire/realtime.md#socket).
import type { Observer } from '../../../core/observation.ts'
import type { Connection, ConnectionListener } from '../../../core/socket-service.ts'
import type { EpochMillis } from '../../../core/time.ts'
import { Channel, type ChannelDeps, type SocketLink } from '../channels/channel.ts'
import { joinRefusal, tokenRefusal } from '../channels/channel-rules.ts'
import { decodeJoin } from '../channels/join-config.ts'
import { BACKLOG_MILLIS, CountingWindow } from '../limits.ts'
import { joinReason, joinText } from '../refusals.ts'
import { type RealtimeToken, RealtimeTokenError } from '../tokens/realtime-token.ts'
import {
  type ClientMessage,
  decodeFrame,
  type EncodedFrame,
  encodeText,
  type ProtocolVersion,
} from './frames.ts'
import type { SocketView } from './socket-views.ts'

export interface SocketDeps extends ChannelDeps {
  readonly observe: Observer
  /** Called when the socket has ended. */
  readonly onEnd: (socket: RealtimeSocket) => void
}

export interface SocketOpening {
  /** Unique in this process. */
  readonly id: string
  readonly version: ProtocolVersion
  readonly token: RealtimeToken
}

/** Close codes (RFC 6455 §7.4.1). */
export const CLOSE_CODE = {
  goingAway: 1001,
  policyViolation: 1008,
  /** The IANA registry of WebSocket close codes defines this code. The client may reconnect. */
  serviceRestart: 1012,
  tryAgainLater: 1013,
} as const

const TOPIC_PREFIX = 'realtime:'

export class RealtimeSocket implements SocketLink, ConnectionListener {
  readonly version: ProtocolVersion
  /** The token of the handshake. Channels without their own token use it. */
  readonly token: RealtimeToken
  /** Wall time at which the last frame arrived. */
  lastFrameAt: EpochMillis
  readonly #id: string
  /** Platform time at which the socket was opened. */
  readonly #connectedAt: EpochMillis
  readonly #deps: SocketDeps
  readonly #connection: Connection
  readonly #channels = new Map<string, Channel>()
  readonly #joins = new CountingWindow()
  readonly #messages = new CountingWindow()
  /** Queue of frames that arrived while an earlier frame is handled; `undefined` when no frame is being handled. */
  #waiting: { readonly bytes: Buffer; readonly isBinary: boolean }[] | undefined
  /** Wall time since which more than `bufferedBytes` has been waiting for the peer. */
  #laggingSince: EpochMillis | undefined
  #endReason: string | undefined

  constructor(deps: SocketDeps, connection: Connection, opening: SocketOpening) {
    this.#deps = deps
    this.#connection = connection
    this.#id = opening.id
    this.#connectedAt = deps.clock.now()
    this.version = opening.version
    this.token = opening.token
    this.lastFrameAt = deps.wallClock.now()
  }

  get channels(): Iterable<Channel> {
    return this.#channels.values()
  }

  view(): SocketView {
    const { role, subject } = this.token
    const channels = [...this.#channels.values()].map((channel) => channel.view())
    return { id: this.#id, role, subject, connectedAt: this.#connectedAt, channels }
  }

  onFrame(bytes: Buffer, isBinary: boolean): void {
    if (this.#endReason !== undefined) return
    this.lastFrameAt = this.#deps.wallClock.now()
    if (this.#waiting === undefined) this.#act(bytes, isBinary)
    else this.#waiting.push({ bytes, isBinary })
  }

  onClosed(code: number): void {
    this.#end(`closed by the client or the network (${code})`)
  }

  /** Closes the socket when too many bytes wait for the peer, or when bytes wait for too long. */
  closeIfSlow(): void {
    const { limits, wallClock } = this.#deps
    const waiting = this.#connection.bufferedBytes
    if (waiting <= limits.bufferedBytes) {
      this.#laggingSince = undefined
      return
    }
    const now = wallClock.now()
    this.#laggingSince ??= now
    if (waiting > limits.maxBufferedBytes || now - this.#laggingSince >= BACKLOG_MILLIS)
      this.close(CLOSE_CODE.tryAgainLater, `reads too slowly: ${waiting} bytes waited`)
  }

  close(code: number, reason: string): void {
    if (this.#endReason !== undefined) return
    this.#end(reason)
    this.#connection.close(code, reason)
  }

  send(frame: EncodedFrame): void {
    if (this.#endReason !== undefined) return
    this.closeIfSlow()
    if (this.#endReason === undefined) this.#connection.send(frame.bytes, frame.isBinary)
  }

  reply(
    { topic, ref, joinRef }: Pick<ClientMessage, 'topic' | 'ref' | 'joinRef'>,
    status: 'ok' | 'error',
    responseText = '{}',
  ): void {
    if (ref === null) return
    const payloadText = `{"status":"${status}","response":${responseText}}`
    const message = { topic, event: 'phx_reply', ref, joinRef, payloadText }
    this.send(encodeText(this.version, message))
  }

  dropped(why: string): void {
    const { schemaName } = this.token
    this.#deps.observe({ kind: 'realtimeFrameDropped', schemaName, reason: why })
  }

  channelFailed(topic: string, reason: string): void {
    const { schemaName } = this.token
    this.#deps.observe({ kind: 'realtimeChannelRefused', schemaName, topic, reason })
  }

  channelClosed(channel: { readonly topic: string }): void {
    if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic)
  }

  #end(reason: string) {
    if (this.#endReason !== undefined) return
    this.#endReason = reason
    for (const channel of this.#channels.values()) channel.dispose()
    this.#channels.clear()
    this.#waiting = undefined
    this.#deps.onEnd(this)
    const { schemaName } = this.token
    this.#deps.observe({ kind: 'realtimeSocketClosed', schemaName, reason })
  }

  #act(bytes: Buffer, isBinary: boolean) {
    const message = decodeFrame(this.version, bytes, isBinary)
    if (message === undefined) return this.#dropMalformed()
    try {
      const work = this.#route(message)
      if (work instanceof Promise) this.#waitFor(work)
    } catch (error) {
      this.#failed(error)
    }
  }

  // Later messages wait until a join or a new token has been handled.
  #waitFor(work: Promise<void>) {
    this.#waiting = []
    this.#connection.pause()
    work
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        const waiting = this.#waiting ?? []
        this.#waiting = undefined
        for (const { bytes, isBinary } of waiting) this.onFrame(bytes, isBinary)
        if (this.#waiting === undefined) this.#connection.resume()
      })
  }

  #failed(error: unknown) {
    this.#deps.observe({ kind: 'internalFailure', requestId: 'realtime', error })
  }

  #route(message: ClientMessage): void | Promise<void> {
    const event = message.kind === 'text' ? message.event : 'broadcast'
    if (message.topic === 'phoenix' && event === 'heartbeat') return this.reply(message, 'ok')
    if (message.kind === 'text' && event === 'phx_join' && message.topic.startsWith(TOPIC_PREFIX))
      return this.#join(message)
    const channel = this.#channels.get(message.topic)
    if (channel === undefined) {
      // Phoenix also answers `ok` to a second leave.
      if (event === 'phx_leave') return this.reply(message, 'ok')
      return this.reply(message, 'error', '{"reason":"unmatched topic"}')
    }
    if (!this.#mayContinue()) return channel.fail('Too many messages per second')
    return channel.receive(message)
  }

  #mayContinue(): boolean {
    const { wallClock, limits } = this.#deps
    return this.#messages.admitsRate(wallClock.now(), limits.messagesPerSecond)
  }

  // A malformed frame belongs to no channel, so the socket closes when malformed frames exceed the rate.
  #dropMalformed() {
    this.dropped('a frame that is not part of the protocol')
    if (!this.#mayContinue()) this.close(CLOSE_CODE.policyViolation, 'Too many malformed frames')
  }

  async #join(message: ClientMessage & { readonly kind: 'text' }): Promise<void> {
    const name = message.topic.slice(TOPIC_PREFIX.length)
    if (name === '') return this.#refuse(message, joinReason('TopicNameRequired'))
    this.#channels.get(message.topic)?.close()
    const { wallClock, limits, tokens } = this.#deps
    if (!this.#joins.admitsRate(wallClock.now(), limits.joinsPerSecond)) {
      this.#refuse(message, joinReason('ClientJoinRateLimitReached'))
      return this.close(CLOSE_CODE.policyViolation, joinText('ClientJoinRateLimitReached'))
    }
    if (this.#channels.size >= limits.channelsPerSocket)
      return this.#refuse(message, joinReason('ChannelRateLimitReached'))
    const config = decodeJoin(message.payload)
    try {
      const token = await tokens.read(config.accessToken ?? this.token.text)
      if (this.#endReason !== undefined) return
      const refusal = joinRefusal(name, config, token)
      if (refusal !== undefined) return this.#refuse(message, refusal)
      if (this.#deps.faults.isArmed && this.#refuseByFault(message, name, token)) return
      const { joinRef, ref } = message
      const channel = new Channel(this.#deps, this, { name, joinRef, ref, config, token })
      if (!channel.isClosed) this.#channels.set(message.topic, channel)
    } catch (error) {
      if (!(error instanceof RealtimeTokenError)) throw error
      this.#refuse(message, tokenRefusal(error))
    }
  }

  #refuseByFault(message: ClientMessage, name: string, token: RealtimeToken): boolean {
    const refusal = this.#deps.faults.refuseJoin(token, name)
    if (refusal === undefined) return false
    this.#refuse(message, refusal.reason)
    if (refusal.endsSocket) this.close(CLOSE_CODE.policyViolation, refusal.reason)
    return true
  }

  #refuse(message: ClientMessage, reason: string) {
    this.channelFailed(message.topic, reason)
    this.reply(message, 'error', JSON.stringify({ reason }))
  }
}
