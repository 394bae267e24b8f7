// Defines the interface between channels and row changes (docs/wire/realtime.md#changes). A channel that requests
// `postgres_changes` opens a subscription, passes new tokens on and closes the subscription. The subscription sends its frames
// through the channel.
import { createHash } from 'node:crypto'
import { type JsonObject, stableStringify } from '../../../core/json.ts'
import type { SharedFrame } from '../sockets/frames.ts'
import type { RealtimeToken } from '../tokens/realtime-token.ts'

/** The operations of a channel that its subscription uses. A closed channel ignores all calls. */
export interface ChangeChannel {
  /** `realtime:<name>`, the topic of every frame. */
  readonly topic: string
  /** The topic without `realtime:`, sent as `channel` in `system` messages. */
  readonly name: string
  /** The current token of the channel. */
  readonly token: RealtimeToken
  /** Sends a frame. Channels that get the same frame object share the encoded bytes. */
  deliver(frame: SharedFrame): void
  /** Sends a `system` message of the extension `postgres_changes`. */
  tell(status: 'ok' | 'error', message: string): void
  /** Closes the channel: sends a `system` error with this message, then `phx_close`. */
  fail(message: string): void
}

/** The subscription of one channel. */
export interface ChannelChanges {
  /** The client's requests in their order, each with an integer `id` below 2^27. The join reply contains them. */
  readonly bindings: readonly JsonObject[]
  /** Starts the subscription. The channel calls `start` after it has sent the join reply. */
  start(): void
  /** Subscribes again. The channel calls `tokenChanged` after `channel.token` changed. */
  tokenChanged(): void
  /** Ends the subscription. The channel calls `close` when it was left or refused, or when its socket was closed. */
  close(): void
}

export interface ChangeSubscriptions {
  /** @param requests at least one request, as the client sent it */
  open(channel: ChangeChannel, requests: readonly JsonObject[]): ChannelChanges
}

const MAX_ID = 2 ** 27

/** Returns the id of a binding: a hash of the request. Never 0, because realtime-js treats 0 as a missing id. */
export function bindingIdOf(request: JsonObject): number {
  const digest = createHash('sha256').update(stableStringify(request)).digest()
  return (digest.readUInt32BE(0) % (MAX_ID - 1)) + 1
}
