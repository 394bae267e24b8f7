// A subscriber is a channel with one token. A subscriber gets the changes that are committed after its confirmation, until a
// subscriber with a newer token replaces it.
import type { RowChange } from '../../../database/changes/row-change.ts'
import type { ChangeChannel } from '../change-subscriptions.ts'
import type { Identity } from '../judge/verdict.ts'
import type { ChangeBinding } from './shared-binding.ts'

/** A binding, with the subscribers that share it. */
export type SharedBinding = ChangeBinding<Subscriber>

/** A binding with its id in the channel. */
export interface NumberedBinding {
  readonly binding: SharedBinding
  readonly id: number
}

/** An identity that is judged once for all channels with this identity. */
export interface SharedIdentity {
  readonly identity: Identity
  /** Number of the identity within the project. */
  readonly serial: number
}

export class Subscriber {
  readonly channel: ChangeChannel
  readonly shared: SharedIdentity
  readonly bindings: readonly NumberedBinding[]
  /** The subscriber gets changes with higher numbers only. */
  since: number = Number.POSITIVE_INFINITY
  /** Number of the last change that the subscriber gets. */
  until: number = Number.POSITIVE_INFINITY

  constructor(
    channel: ChangeChannel,
    shared: SharedIdentity,
    bindings: readonly NumberedBinding[],
  ) {
    this.channel = channel
    this.shared = shared
    this.bindings = bindings
  }

  owns({ number }: RowChange): boolean {
    return number > this.since && number <= this.until
  }

  /** Whether the set contains one of the subscriber's bindings. */
  wantsOneOf(bindings: ReadonlySet<SharedBinding>): boolean {
    return this.bindings.some(({ binding }) => bindings.has(binding))
  }
}
