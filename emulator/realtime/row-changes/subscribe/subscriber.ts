// One channel under one token, and which changes are its own: those after its confirmation, up to its successor's.
import type { RowChange } from '../../../database/changes/row-change.ts'
import type { ChangeChannel } from '../change-subscriptions.ts'
import type { Identity } from '../judge/verdict.ts'
import type { ChangeBinding } from './shared-binding.ts'

/** A binding with the subscribers that share it. */
export type SharedBinding = ChangeBinding<Subscriber>

/** A binding with the id that the channel's client knows it by. */
export interface NumberedBinding {
  readonly binding: SharedBinding
  readonly id: number
}

/** An identity that is judged once for all its channels. */
export interface SharedIdentity {
  readonly identity: Identity
  /** Its number in the project. */
  readonly serial: number
}

export class Subscriber {
  readonly channel: ChangeChannel
  readonly shared: SharedIdentity
  readonly bindings: readonly NumberedBinding[]
  /** Number of the last change before its own. */
  since: number = Number.POSITIVE_INFINITY
  /** Number of its own last change. */
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

  /** Whether one of its bindings is in the set. */
  wantsOneOf(bindings: ReadonlySet<SharedBinding>): boolean {
    return this.bindings.some(({ binding }) => bindings.has(binding))
  }
}
