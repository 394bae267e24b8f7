// Interface between channels and row changes (docs/wire/realtime.md#changes). A channel that requests `postgres_changes` opens
// a subscription, reports new tokens to it and closes it. The subscription sends its frames through the channel.
import { createHash } from 'node:crypto'
import { type JsonObject, stableStringify } from '../../core/json.ts'
import type { SharedFrame } from '../sockets/frames.ts'
import type { RealtimeToken } from '../tokens/realtime-token.ts'

/** Operations of a channel that its subscription may use. A closed channel ignores all calls. */
export interface ChangeChannel {
  /** `realtime:<name>`, the topic of every frame. */
  readonly topic: string
  /** The topic without `realtime:`, sent as `channel` in `system` messages. */
  readonly name: string
  /** The current token. */
  readonly token: RealtimeToken
  /** Sends a frame. Channels that get the same object share its encoding. */
  deliver(frame: SharedFrame): void
  /** Sends a `system` message of the extension `postgres_changes`. */
  tell(status: 'ok' | 'error', message: string): void
  /** Closes the channel: sends a `system` error with this message, then `phx_close`. */
  fail(message: string): void
}

/** The subscription of one channel. */
export interface ChannelChanges {
  /** For the join reply: the client's requests in the same order, each with an integer `id` below 2^27. */
  readonly bindings: readonly JsonObject[]
  /** Called after the join reply is sent. */
  start(): void
  /** Called after `channel.token` changed. */
  tokenChanged(): void
  /** Called when the channel was left or refused, or its socket was closed. */
  close(): void
}

export interface ChangeSubscriptions {
  /** @param requests at least one, as the client sent them */
  open(channel: ChangeChannel, requests: readonly JsonObject[]): ChannelChanges
}

const MAX_ID = 2 ** 27

/** Returns the id of a binding: a hash of the request. Never 0, because realtime-js treats 0 as a missing id. */
export function bindingIdOf(request: JsonObject): number {
  const digest = createHash('sha256').update(stableStringify(request)).digest()
  return (digest.readUInt32BE(0) % (MAX_ID - 1)) + 1
}
