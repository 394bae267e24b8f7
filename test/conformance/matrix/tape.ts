// Records the answers of a test's emulators and the results of their methods, and repeats them with one change. A repetition
// takes milliseconds and changes no emulator.

import { isDeepStrictEqual } from 'node:util'
import type { SeenAnswer } from '../../support/test-boundary.ts'
import { type AskedRequest, routeOf, situationOf } from './answers.ts'
import { type Change, changed } from './changes.ts'

export interface Exchange {
  readonly request: AskedRequest
  readonly answer: SeenAnswer
}

/** A planted fault: the same change in every answer of a situation. */
export interface Plant {
  readonly situation: string
  readonly change: Change
}

/** Thrown when a repeated test sends a request or calls a method that the tape did not record. */
export class OffTapeError extends Error {
  override readonly name = 'OffTapeError'
}

export class Tape {
  readonly exchanges: Exchange[] = []
  readonly #calls = new Map<string, unknown[]>()

  note(request: AskedRequest, answer: SeenAnswer): void {
    this.exchanges.push({ request, answer })
  }

  /** Records the result of a call of an emulator's method. */
  noteCall(name: string, result: unknown): void {
    this.#calls.set(name, [...(this.#calls.get(name) ?? []), result])
  }

  repeat(plant: Plant | undefined): Repetition {
    return new Repetition(this.exchanges, this.#calls, plant)
  }
}

/**
 * Repeats the answers of each route in recorded order. Requests to different routes may come in another order, because tests send
 * some simultaneously.
 */
export class Repetition {
  readonly #answers: Map<string, Exchange[]>
  readonly #calls: Map<string, unknown[]>
  readonly #plant: Plant | undefined
  readonly #renamed = new Map<string, string>()

  constructor(
    exchanges: readonly Exchange[],
    calls: ReadonlyMap<string, readonly unknown[]>,
    plant: Plant | undefined,
  ) {
    this.#answers = Map.groupBy(exchanges, ({ request }) => keyOf(request))
    this.#calls = new Map([...calls].map(([name, results]) => [name, [...results]]))
    this.#plant = plant
  }

  /** @throws {OffTapeError} */
  answer(request: AskedRequest): SeenAnswer {
    const next = this.#answers.get(keyOf(request))?.shift()
    if (next === undefined) throw new OffTapeError(keyOf(request))
    this.#learnNames(next.request, request)
    const answer = withPlant(next.request, next.answer, this.#plant)
    return { ...answer, bytes: this.#rename(answer.bytes) }
  }

  /** @throws {OffTapeError} */
  call(name: string): unknown {
    const results = this.#calls.get(name)
    if (results === undefined || results.length === 0) throw new OffTapeError(name)
    return results.shift()
  }

  // Maps recorded names to the names of the repetition, because a test that numbers its slugs sends other ones.
  #learnNames(recorded: AskedRequest, request: AskedRequest): void {
    if (isDeepStrictEqual(recorded, request)) return
    const before = namesIn(recorded)
    const now = namesIn(request)
    if (before.length !== now.length) return
    for (const [index, name] of before.entries()) {
      const other = now[index]
      if (other !== undefined && other !== name) this.#renamed.set(name, other)
    }
  }

  #rename(bytes: Buffer): Buffer {
    if (this.#renamed.size === 0) return bytes
    const names = [...this.#renamed.keys()].map((name) => name.replace(/\W/g, '\\$&'))
    const pattern = new RegExp(`(?<![A-Za-z0-9])(?:${names.join('|')})(?![A-Za-z0-9])`, 'g')
    return Buffer.from(bytes.toString().replace(pattern, (name) => this.#renamed.get(name) ?? name))
  }
}

/** Returns the changed answer in the plant's situation, and the unchanged answer in every other situation. */
export function withPlant(
  request: AskedRequest,
  answer: SeenAnswer,
  plant: Plant | undefined,
): SeenAnswer {
  return plant !== undefined && situationOf(request, answer) === plant.situation
    ? changed(answer, plant.change)
    : answer
}

function keyOf({ method, target }: AskedRequest): string {
  return `${method} ${routeOf(target)}`
}

function namesIn({ body = '', target }: AskedRequest): readonly string[] {
  return `${target} ${body}`.match(/[A-Za-z0-9]+/g) ?? []
}
