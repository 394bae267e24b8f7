// An armed fault knows its scope, counts its firings and ends after the last one. Counting is one step without an await, so
// that `count: n` fires exactly n times for any number of simultaneous requests.
import type { ArmedFault, FaultOrder } from '../../contract/faults.ts'
import type { IdSource } from '../../core/id-source.ts'
import { type EpochMillis, toIso } from '../../core/time.ts'
import { isInScope } from './fault-order.ts'
import type { FaultOperation } from './operations/fault-operation.ts'

/** The identity that a credential claims, verified or not. */
export interface ClaimedIdentity {
  readonly role: string | undefined
  readonly subject: string | undefined
  readonly email: string | undefined
}

/** A request, join or frame that a fault can apply to. The fault calls the functions only when it needs their results. */
export interface Target {
  readonly operation: FaultOperation
  identity(): ClaimedIdentity
  /** Returns the schema names of the projects that the request, join or frame concerns. */
  projects(): readonly string[]
}

/**
 * The part of the fault book that meet-request.ts and meet-socket.ts use: it lists the armed faults and fires one of them.
 */
export interface Firing {
  /** Lists the armed faults, oldest first. */
  readonly armed: () => readonly Armed[]
  /**
   * Fires the fault if the target is in the fault's scope and its probability allows the firing. Disarms the fault after its last
   * firing.
   */
  fires(fault: Armed, target: Target, requestId: string | undefined): boolean
}

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

  /** Draws a random number unless the fault always fires. Returns true when the fault's probability lets it fire. */
  draw(ids: IdSource): boolean {
    const { probability = 1 } = this.order
    return probability >= 1 || drawn(ids) < probability
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

const RANDOM_BYTES = 4

/** Returns a random number from 0 to 1, excluding 1. The same seed gives the same numbers. */
export function drawn(ids: IdSource): number {
  return Buffer.from(ids.bytes(RANDOM_BYTES)).readUInt32BE() / 2 ** (8 * RANDOM_BYTES)
}

/** Prefers the separate claim of storage and realtime tokens, which has the role of the exchanged credential. */
export function identityOf(claims: Readonly<Record<string, unknown>>): ClaimedIdentity {
  const { sdb_role: subscriber, origin_role: origin, role, sub, email, claims: own } = claims
  const inner = typeof own === 'object' && own !== null && 'email' in own ? own.email : undefined
  return {
    role: textOf(subscriber) ?? textOf(origin) ?? textOf(role),
    subject: textOf(sub),
    email: textOf(email) ?? textOf(inner),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
