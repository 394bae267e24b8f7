// Describes open sockets for the inspector.
import type { JsonObject } from '../../../core/json.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import type { EpochMillis } from '../../../core/time.ts'

export interface ChannelView {
  readonly topic: string
  readonly isPrivate: boolean
  readonly role: PrincipalRole
  readonly subject: string
  /** Platform time at which the token expires. */
  readonly tokenExpiresAt: EpochMillis
  /** The requests for row changes as the client sent them. */
  readonly changeRequests: readonly JsonObject[]
  /** Presence of the whole room: each key with its metas. */
  readonly presence: Readonly<Record<string, readonly unknown[]>>
}

export interface SocketView {
  /** Unique in this process. */
  readonly id: string
  readonly role: PrincipalRole
  readonly subject: string
  /** Platform time at which the socket was opened. */
  readonly connectedAt: EpochMillis
  readonly channels: readonly ChannelView[]
}
