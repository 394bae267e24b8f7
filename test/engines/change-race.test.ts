// Fifty writers at once: a subscriber gets every change once, and the changes of each row in the order of their commits.
// test/wire/realtime/changes-race.test.ts tests the same over sockets.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RowChange } from '../../emulator/database/changes/row-change.ts'
import { type Sql, sql } from '../../emulator/database/sql.ts'
import { type ChangeWorld, openChangeWorld, PROJECT } from '../support/change-world.ts'
import { runAsRole } from '../support/test-engine.ts'

const WRITERS = 50
const TURNS = 10

let world: ChangeWorld
let changes: readonly RowChange[]

beforeAll(async () => {
  world = await openChangeWorld()
  await world.exec(
    `create table race (id integer primary key, version integer not null);
     insert into race select -n, 0 from generate_series(1, 3) as n`,
  )
  const listening = await world.listen('race')
  const write = (statement: Sql) => runAsRole(world.engine, PROJECT, 'service_role', [statement])
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let turn = 0; turn < TURNS; turn++) {
        const id = 1 + writer * TURNS + turn
        await write(sql`insert into race values (${id}, 0)`)
        await write(
          sql`update race set version = version + 1 where id in (${id}, ${-1 - (id % 3)})`,
        )
        if (turn % 2 === 0) await write(sql`delete from race where id = ${id}`)
      }
    }),
  )
  changes = listening.take()
})
afterAll(() => world.close())

const keyOf = ({ row, oldRow }: RowChange) => Number((row ?? oldRow)?.texts[0])
const versionOf = ({ kind, row }: RowChange) => `${kind} ${row?.texts[1] ?? ''}`.trim()

it('sends every change before its writer continues, and sends no change twice', () => {
  const inserted = WRITERS * TURNS
  const kinds = changes.map(({ kind }) => kind)
  const count = (kind: string) => kinds.filter((each) => each === kind).length
  expect([count('INSERT'), count('UPDATE'), count('DELETE')]).toEqual([
    inserted,
    2 * inserted,
    inserted / 2,
  ])
})

it('numbers the changes without gaps', () => {
  const [first] = changes
  expect(changes.map(({ number }) => number)).toEqual(
    changes.map((_, index) => index + (first?.number ?? 0)),
  )
})

it('sends the changes of a row with several writers in the order of the commits', () => {
  const shared = Map.groupBy(
    changes.filter((change) => keyOf(change) < 0),
    keyOf,
  )
  expect(shared.size).toBe(3)
  for (const versions of shared.values())
    expect(versions.map(versionOf)).toEqual(versions.map((_, index) => `UPDATE ${index + 1}`))
})

it('sends the changes of a row with one writer in the order of the writes', () => {
  const own = Map.groupBy(
    changes.filter((change) => keyOf(change) > 0),
    keyOf,
  )
  expect(own.size).toBe(WRITERS * TURNS)
  const histories = new Set([...own.values()].map((versions) => versions.map(versionOf).join()))
  expect([...histories].sort()).toEqual(['INSERT 0,UPDATE 1', 'INSERT 0,UPDATE 1,DELETE'])
})
