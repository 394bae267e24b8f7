// The interface between channels and row changes: a channel that asks for `postgres_changes` opens a subscription, reports new tokens to
// it and closes it; the subscription answers through the channel (docs/wire/realtime.md#changes).
import { createHash } from 'node:crypto'
import { type JsonObject, stableStringify } from '../../core/json.ts'
import type { SharedFrame } from '../sockets/frames.ts'
import type { RealtimeToken } from '../tokens/realtime-token.ts'

/** What a subscription may do with its channel. A closed channel ignores all of it. */
export interface ChangeChannel {
  /** `realtime:<name>`: the topic of every frame. */
  readonly topic: string
  /** The topic without `realtime:`; what `system` messages call `channel`. */
  readonly name: string
  /** The current token. */
  readonly token: RealtimeToken
  /** Sends a frame, encoded once for all channels that get the same object. */
  deliver(frame: SharedFrame): void
  /** Sends a `system` message of the extension `postgres_changes`. */
  tell(status: 'ok' | 'error', message: string): void
  /** Ends the channel: a `system` error with this message, then `phx_close`. */
  fail(message: string): void
}

/** One channel's bindings. */
export interface ChannelChanges {
  /** For the join reply: each request as it came, in the same order, with an integer `id` below 2^27. */
  readonly bindings: readonly JsonObject[]
  /** Called when the join reply is sent. */
  start(): void
  /** Called when `channel.token` changed. */
  tokenChanged(): void
  /** The channel is gone: left, refused or its socket closed. */
  close(): void
}

export interface ChangeSubscriptions {
  /** @param requests at least one, as the client sent them */
  open(channel: ChangeChannel, requests: readonly JsonObject[]): ChannelChanges
}

const MAX_ID = 2 ** 27

/** The id of a binding: a hash of the request; never 0, which realtime-js reads as no id. */
export function bindingIdOf(request: JsonObject): number {
  const digest = createHash('sha256').update(stableStringify(request)).digest()
  return (digest.readUInt32BE(0) % (MAX_ID - 1)) + 1
}
