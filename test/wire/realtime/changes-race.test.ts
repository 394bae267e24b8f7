// Many writers and many subscribers at the same time. Each subscriber receives exactly the rows that it may read, once and in the
// same order. `npm run soak` runs a race that is ten times as large.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  RACE_SQL,
  type RaceFaults,
  type RaceSize,
  raceFaults,
  runRace,
} from '../../support/change-race.ts'
import { type RowWorld, startRowWorld } from '../../support/row-world.ts'

const SIZE: RaceSize = { writers: 20, subscribers: 30, identities: 10, changes: 1_000 }

let world: RowWorld
let faults: RaceFaults
beforeAll(async () => {
  world = await startRowWorld(RACE_SQL)
  faults = raceFaults(await runRace(world, SIZE))
}, 300_000)
afterAll(() => world[Symbol.asyncDispose]())

describe('a race of writers and subscribers', () => {
  it('sends every subscriber the rows that a query under its identity returns', () => {
    expect(faults.rows).toEqual([])
  })

  it('sends every subscriber the key of every deleted row', () => {
    expect(faults.deletions).toEqual([])
  })

  it('sends no change twice', () => {
    expect(faults.repetitions).toEqual([])
  })

  it('sends every subscriber the changes in commit order', () => {
    expect(faults.order).toEqual([])
  })
})
