// A joined channel of one socket handles broadcasts, presence, new tokens and leaving (docs/wire/realtime.md#join).
import type { Clock } from '../../../core/clock.ts'
import type { SocketFaults } from '../../../core/fault.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { epochMillis, MINUTE_MILLIS, plusMillis, SECOND_MILLIS } from '../../../core/time.ts'
import { CountingWindow, PRESENCE_WINDOW_MILLIS, type RealtimeLimits } from '../limits.ts'
import { joinText } from '../refusals.ts'
import type {
  ChangeChannel,
  ChangeSubscriptions,
  ChannelChanges,
} from '../row-changes/change-subscriptions.ts'
import {
  broadcastFrame,
  type ClientMessage,
  type EncodedFrame,
  encodeText,
  type ProtocolVersion,
  type SharedFrame,
  sharedText,
} from '../sockets/frames.ts'
import type { ChannelView } from '../sockets/socket-views.ts'
import type { DueWatch } from '../tokens/due-watch.ts'
import {
  type RealtimeToken,
  RealtimeTokenError,
  type TokenReader,
} from '../tokens/realtime-token.ts'
import type { RealtimeTraffic } from '../traffic.ts'
import { mayEnter } from './channel-rules.ts'
import { FaultDelivery } from './fault-delivery.ts'
import type { Hub, Member, Room } from './hub.ts'
import { accessTokenOf, type JoinConfig } from './join-config.ts'

export interface ChannelDeps {
  readonly hub: Hub
  readonly tokens: TokenReader
  readonly changes: ChangeSubscriptions
  /** Calls `checkToken` of a channel when its token must be checked again. */
  readonly watch: DueWatch<Channel>
  readonly limits: RealtimeLimits
  readonly faults: SocketFaults
  readonly traffic: RealtimeTraffic
  readonly ids: IdSource
  readonly clock: Clock
  readonly wallClock: Clock
}

export interface ChannelJoin {
  readonly name: string
  readonly joinRef: string | null
  readonly ref: string | null
  readonly config: JoinConfig
  readonly token: RealtimeToken
}

/** Maximum time between two checks of a token. Upstream uses the same time. */
const TOKEN_CHECK_MILLIS = 5 * MINUTE_MILLIS

export class Channel implements Member, ChangeChannel {
  readonly topic: string
  readonly name: string
  readonly joinRef: string | null
  readonly #deps: ChannelDeps
  readonly #link: SocketLink
  readonly #config: JoinConfig
  readonly #room: Room
  #token: RealtimeToken
  #changes: ChannelChanges | undefined
  #presenceKey: string | undefined
  #presenceCalls: CountingWindow | undefined
  #followsPresence: boolean
  /** Delays and repeats frames. The channel creates it when a fault first applies to a frame. */
  #faultDelivery: FaultDelivery | undefined
  #isClosed = false

  /** Enters the channel's room and answers the join. */
  constructor(deps: ChannelDeps, link: SocketLink, join: ChannelJoin) {
    this.#deps = deps
    this.#link = link
    this.name = join.name
    this.joinRef = join.joinRef
    this.#config = join.config
    this.#token = join.token
    this.#presenceKey = join.config.presence.key
    this.#followsPresence = join.config.presence.isEnabled
    this.#room = deps.hub.enter(join.name, join.config.isPrivate, this)
    this.topic = this.#room.topic
    const { changeRequests } = join.config
    if (changeRequests.length > 0) this.#changes = deps.changes.open(this, changeRequests)
    this.#watchToken()
    deps.traffic.changed(this.#token.schemaName)
    const bindings = JSON.stringify(this.#changes?.bindings ?? [])
    link.reply({ ...join, topic: this.topic }, 'ok', `{"postgres_changes":${bindings}}`)
    if (this.#followsPresence) this.#sendPresenceState()
    this.#changes?.start()
  }

  get followsPresence(): boolean {
    return this.#followsPresence
  }

  get token(): RealtimeToken {
    return this.#token
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  view(): ChannelView {
    const { role, subject, expiresAt } = this.#token
    return {
      topic: this.topic,
      isPrivate: this.#room.isPrivate,
      role,
      subject,
      tokenExpiresAt: epochMillis(expiresAt * SECOND_MILLIS),
      changeRequests: this.#config.changeRequests,
      presence: this.#room.presence.state(),
    }
  }

  deliver(frame: SharedFrame): void {
    if (this.#isClosed) return
    const encoded = frame.encoded(this.#link.version)
    if (encoded === undefined) return
    this.#deps.traffic.delivered(this.#token.schemaName, this.topic)
    if (this.#faultDelivery === undefined && !this.#deps.faults.isArmed) this.#link.send(encoded)
    else this.#deliverWithFault(encoded)
  }

  /** Handles a message. Returns a promise only when it must wait. Messages with unknown events get no answer. */
  receive(message: ClientMessage): void | Promise<void> {
    if (message.kind === 'broadcast' || message.event === 'broadcast')
      return this.#broadcast(message)
    switch (message.event) {
      case 'presence':
        return this.#presence(message)
      case 'access_token':
        return this.#changeToken(accessTokenOf(message.payload['access_token']))
      case 'phx_leave':
        this.#link.reply(message, 'ok')
        return this.close()
    }
  }

  /** Closes the channel when its token is no longer valid. */
  async checkToken(): Promise<void> {
    const flaw = await this.#deps.tokens.flawOf(this.#token)
    if (this.#isClosed) return
    if (flaw === undefined) this.#watchToken()
    else this.fail(flaw.message)
  }

  tell(status: 'ok' | 'error', message: string): void {
    this.#system('postgres_changes', status, message)
  }

  fail(message: string): void {
    if (this.#isClosed) return
    this.#system('system', 'error', message)
    this.#link.channelFailed(this.topic, message)
    this.close()
  }

  /** Leaves the room and sends `phx_close`. */
  close(): void {
    if (this.#isClosed) return
    this.dispose()
    const { topic, joinRef } = this
    const close = { topic, event: 'phx_close', ref: joinRef, joinRef, payloadText: '{}' }
    this.#link.send(encodeText(this.#link.version, close))
  }

  /** Leaves the room without sending a frame, because the socket is closed. */
  dispose(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#deps.watch.unwatch(this)
    this.#deps.traffic.changed(this.#token.schemaName)
    this.#changes?.close()
    this.#deps.hub.leave(this.#room, this)
    this.#link.channelClosed(this)
  }

  #deliverWithFault(encoded: EncodedFrame) {
    this.#faultDelivery ??= new FaultDelivery(this.#deps, (frame) => {
      if (!this.#isClosed) this.#link.send(frame)
    })
    this.#faultDelivery.deliver(encoded, this.#token)
  }

  #broadcast(message: ClientMessage) {
    const { acknowledges, includesSelf } = this.#config.broadcast
    const frame = broadcastFrame(this.topic, message, this.#deps.limits.payloadBytes)
    if (frame.kind === 'malformed') return this.#link.dropped('a broadcast that is not JSON')
    if (frame.kind === 'tooLarge') {
      if (acknowledges)
        this.#link.reply(message, 'error', '{"reason":"Payload size exceeds tenant limit"}')
      return
    }
    this.#deps.hub.cast(this.#room, frame.frame, includesSelf ? undefined : this)
    if (acknowledges) this.#link.reply(message, 'ok')
  }

  #presence(message: ClientMessage & { kind: 'text' }) {
    const { limits, wallClock } = this.#deps
    const event = message.payload['event']
    if (typeof event !== 'string') return this.#link.reply(message, 'ok')
    this.#presenceCalls ??= new CountingWindow()
    const now = wallClock.now()
    if (!this.#presenceCalls.admits(now, PRESENCE_WINDOW_MILLIS, limits.presenceCalls))
      return this.fail('Client presence rate limit exceeded')
    switch (event.toLowerCase()) {
      case 'track':
        return this.#track(message)
      case 'untrack':
        this.#deps.hub.tellPresence(this.#room, this.#room.presence.untrack(this))
        return this.#link.reply(message, 'ok')
      default:
        this.#link.reply(message, 'error')
    }
  }

  #track(message: ClientMessage & { kind: 'text' }) {
    const payload = message.payload['payload'] ?? {}
    if (!isJsonObject(payload))
      return this.#link.reply(message, 'error', '{"reason":"Presence track payload must be a map"}')
    const text = JSON.stringify(payload)
    if (Buffer.byteLength(text) > this.#deps.limits.payloadBytes)
      return this.fail('Track message size exceeded')
    if (!this.#followsPresence) {
      this.#followsPresence = true
      this.#sendPresenceState()
    }
    const { ids, hub } = this.#deps
    this.#presenceKey ??= ids.uuid()
    const diff = this.#room.presence.track(this, this.#presenceKey, ids.id(''), text)
    hub.tellPresence(this.#room, diff)
    this.#link.reply(message, 'ok')
  }

  #sendPresenceState() {
    this.deliver(sharedText(this.topic, 'presence_state', this.#room.presence.stateText()))
  }

  async #changeToken(text: string | undefined): Promise<void> {
    if (text === undefined || text === this.#token.text) return
    try {
      const token = await this.#deps.tokens.read(text)
      if (this.#isClosed) return
      if (!mayEnter(this.name, this.#room.isPrivate, token))
        return this.fail(joinText('Unauthorized', this.name))
      this.#token = token
      this.#watchToken()
      this.#changes?.tokenChanged()
    } catch (error) {
      if (!(error instanceof RealtimeTokenError)) throw error
      this.fail(error.message)
    }
  }

  #watchToken() {
    const { clock, watch } = this.#deps
    const untilExpiry = this.#token.expiresAt * SECOND_MILLIS - clock.now()
    watch.watch(this, plusMillis(clock.now(), Math.min(untilExpiry, TOKEN_CHECK_MILLIS)))
  }

  #system(extension: string, status: 'ok' | 'error', message: string) {
    const payload: JsonObject = { extension, status, message, channel: this.name }
    this.deliver(sharedText(this.topic, 'system', JSON.stringify(payload)))
  }
}

/** The operations of a socket that its channels use. */
export interface SocketLink {
  readonly version: ProtocolVersion
  send(frame: EncodedFrame): void
  /** Answers a message with `phx_reply`, unless the message has no `ref`. @param responseText JSON; the default is `{}` */
  reply(
    to: Pick<ClientMessage, 'topic' | 'ref' | 'joinRef'>,
    status: 'ok' | 'error',
    responseText?: string,
  ): void
  /** Reports that the channel ignored a frame without an answer. */
  dropped(why: string): void
  /** Reports that the server closes a channel. */
  channelFailed(topic: string, reason: string): void
  /** Removes the channel from the socket's list. */
  channelClosed(channel: { readonly topic: string }): void
}
