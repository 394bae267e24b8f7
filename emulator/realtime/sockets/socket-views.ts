// Open sockets as the inspector shows them.
import type { JsonObject } from '../../core/json.ts'
import type { PrincipalRole } from '../../core/principal.ts'
import type { EpochMillis } from '../../core/time.ts'

export interface ChannelView {
  readonly topic: string
  readonly isPrivate: boolean
  readonly role: PrincipalRole
  readonly subject: string
  /** Platform time. */
  readonly tokenExpiresAt: EpochMillis
  /** As the client wrote them. */
  readonly changeRequests: readonly JsonObject[]
  /** The whole room's: keys, each with its metas. */
  readonly presence: Readonly<Record<string, readonly unknown[]>>
}

export interface SocketView {
  /** Unique in this process. */
  readonly id: string
  readonly role: PrincipalRole
  readonly subject: string
  /** Platform time. */
  readonly connectedAt: EpochMillis
  readonly channels: readonly ChannelView[]
}
