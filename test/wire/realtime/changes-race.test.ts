// Writers against subscribers: everybody is told exactly what it may read, in one order, nothing twice. The full size runs
// with `npm run soak`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  RACE_SQL,
  type RaceOutcome,
  type RaceSize,
  runRace,
  type Told,
} from '../../support/change-race.ts'
import { type RowWorld, startRowWorld } from '../../support/row-world.ts'

const SIZE: RaceSize =
  process.env['TENANTRY_SOAK'] === undefined
    ? { writers: 20, subscribers: 30, identities: 10, changes: 1_000 }
    : { writers: 50, subscribers: 100, identities: 20, changes: 10_000 }

let world: RowWorld
let outcome: RaceOutcome
beforeAll(async () => {
  world = await startRowWorld(RACE_SQL)
  outcome = await runRace(world, SIZE)
}, 300_000)
afterAll(() => world[Symbol.asyncDispose]())

function inserted({ events }: Told): readonly number[] {
  return events.flatMap((event) => (event.startsWith('INSERT ') ? [Number(event.slice(7))] : []))
}

describe('a race of writers and subscribers', () => {
  it('tells everybody the rows that a query under its identity gives', () => {
    for (const told of outcome.told) {
      const kept = inserted(told).filter((id) => !outcome.deleted.has(id))
      expect(
        [...kept].sort((one, other) => one - other),
        told.identity,
      ).toEqual(told.readable)
    }
  })

  it('tells everybody the key of every deleted row', () => {
    for (const { events } of outcome.told) {
      const keys = events.flatMap((event) => (event.startsWith('DELETE ') ? [event.slice(7)] : []))
      expect(new Set(keys.map(Number))).toEqual(outcome.deleted)
    }
  })

  it('tells nothing twice', () => {
    for (const { events } of outcome.told) expect(new Set(events).size).toBe(events.length)
  })

  it('tells everybody in the order of commits', () => {
    // Of a row that was deleted meanwhile, some see how it came and others do not: it is judged as it is.
    const lasting = outcome.told.map(({ events }) =>
      events.filter((event) => {
        const [kind, id] = event.split(' ')
        return kind === 'DELETE' || !outcome.deleted.has(Number(id))
      }),
    )
    const longest = lasting.toSorted((one, other) => other.length - one.length)[0]
    const places = new Map(longest?.map((event, place) => [event, place]))
    for (const events of lasting) {
      const order = events.map((event) => places.get(event) ?? -1)
      expect(order).not.toContain(-1)
      expect(order).toEqual(order.toSorted((one, other) => one - other))
    }
  })
})
