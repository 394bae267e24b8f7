// What a channel may do with the socket it lives on.
import type { ClientMessage, EncodedFrame, ProtocolVersion } from './frames.ts'

export interface SocketLink {
  readonly version: ProtocolVersion
  send(frame: EncodedFrame): void
  /** Answers a message with `phx_reply`; `responseText` is JSON, `{}` when absent. Nothing when it has no `ref`. */
  reply(
    to: Pick<ClientMessage, 'topic' | 'ref' | 'joinRef'>,
    status: 'ok' | 'error',
    responseText?: string,
  ): void
  /** A frame was dropped without an answer. */
  dropped(why: string): void
  /** A channel was ended against its client's will. */
  channelFailed(topic: string, reason: string): void
  /** The channel is no longer one of the socket's. */
  channelClosed(channel: { readonly topic: string }): void
}
