// An armed fault knows its scope, counts its firings and ends after the last one. Counting is one step without an await, so
// that `count: n` fires exactly n times for any number of simultaneous requests.
import type { ArmedFault, FaultOrder } from '../contract/faults.ts'
import { type EpochMillis, toIso } from '../core/time.ts'
import type { ClaimedIdentity } from './claimed-identity.ts'
import { isInScope } from './fault-order.ts'
import type { FaultOperation } from './operations/fault-operation.ts'

/** A request, join or frame that a fault can apply to. The fault reads its facts only when it needs them. */
export interface Target {
  readonly operation: FaultOperation
  identity(): ClaimedIdentity
  /** Returns the schema names of the projects that the request, join or frame concerns. */
  projects(): readonly string[]
}

/** Returns a random number from 0 to 1, excluding 1. */
export type Draw = () => number

const REQUESTS_KEPT = 20

export class Armed {
  readonly id: string
  readonly order: FaultOrder
  readonly #armedAt: EpochMillis
  /** Schema name of the project in the fault's scope. */
  readonly #schemaName: string | undefined
  readonly #requestIds: string[] = []
  #fired = 0

  constructor(
    id: string,
    order: FaultOrder,
    facts: { readonly armedAt: EpochMillis; readonly schemaName: string | undefined },
  ) {
    this.id = id
    this.order = order
    this.#armedAt = facts.armedAt
    this.#schemaName = facts.schemaName
  }

  get isSpent(): boolean {
    return this.order.count !== undefined && this.#fired >= this.order.count
  }

  /** Whether the target is in the fault's scope. Ignores its probability. */
  fits(target: Target): boolean {
    const { scope, effect } = this.order
    const { operation } = target
    if (this.isSpent || !isInScope(scope, operation)) return false
    if (!operation.effects.includes(effect.kind)) return false
    if (effect.kind === 'error' && !operation.codes.includes(effect.code)) return false
    if (this.#schemaName !== undefined && !target.projects().includes(this.#schemaName))
      return false
    return this.#fitsIdentity(target)
  }

  /** Decides at random, by the fault's probability, whether it fires. */
  isDrawn(draw: Draw): boolean {
    const { probability = 1 } = this.order
    return probability >= 1 || draw() < probability
  }

  fire(requestId: string | undefined): void {
    this.#fired += 1
    if (requestId === undefined) return
    this.#requestIds.unshift(requestId)
    this.#requestIds.length = Math.min(this.#requestIds.length, REQUESTS_KEPT)
  }

  shown(): ArmedFault {
    return {
      id: this.id,
      ...this.order,
      armed_at: toIso(this.#armedAt),
      fired: this.#fired,
      request_ids: [...this.#requestIds],
    }
  }

  #fitsIdentity(target: Target): boolean {
    const wanted = this.order.scope.identity
    if (wanted === undefined) return true
    const { role, subject, email } = target.identity()
    if (wanted.role !== undefined && wanted.role !== role) return false
    if (wanted.subject === undefined || wanted.subject === subject) return true
    return email !== undefined && wanted.subject.toLowerCase() === email.toLowerCase()
  }
}
