// The emulator that a recording is replayed against, as the replay needs it.
import type { ReadyLine } from '../../../contract/addresses.ts'
import type { MailboxMessage } from '../../../contract/mailbox.ts'
import type { MintTokenRequest } from '../../../contract/tokens.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import type { PlaneBases } from '../planes.ts'

export interface ReplayPlatform {
  readonly bases: PlaneBases
  /** Sends the requests of the replay. */
  readonly http: HttpClient
  /** Platform time at which the emulator began to create its data, in epoch milliseconds. */
  readonly dataFrom: number
  /** Platform time, in epoch milliseconds. */
  now(): number
  /** Moves platform time forward to this instant, if the emulator runs only for the comparison. */
  reach(instant: number): Promise<void>
  info(): Promise<ReadyLine>
  /** Returns `undefined` when the emulator refuses, for example because the user does not exist. */
  mint(request: MintTokenRequest): Promise<string | undefined>
  /** Returns the messages, newest first. */
  messages(): Promise<readonly MailboxMessage[]>
}
