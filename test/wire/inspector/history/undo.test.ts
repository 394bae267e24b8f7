// POST /_emulator/v1/projects/:ref/undo.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RowHistory, Undo } from '../../../../emulator/contract/history.ts'
import type { SqlAnswer } from '../../../../emulator/contract/sql-console.ts'
import { numbers, randomWrite, WRITTEN_SCHEMA } from '../../../support/random-writes.ts'
import {
  createGroup,
  executeSql,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../../support/test-emulator.ts'

const SEEDS = [3, 4]
const HISTORIES = 12
const WRITES = 6

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await startTestEmulator({ history: true })
  tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql: WRITTEN_SCHEMA }), 'past')
})
afterAll(() => at[Symbol.asyncDispose]())

const EVERYTHING = `select 'p' as kind, to_jsonb(p)::text as row from parents as p
  union all select 'c', to_jsonb(c)::text from children as c
  union all select 'l', to_jsonb(l)::text from loose as l order by 1, 2`
const everything = async (): Promise<unknown> => {
  const body = { sql: EVERYTHING, identity: 'owner', mode: 'read_only' }
  const answer = await at.call<SqlAnswer>('POST', '/_emulator/v1/projects/past/sql', { body })
  return answer.body.results[0]?.rows
}
const history = async (query: string): Promise<RowHistory> =>
  (await at.call<RowHistory>('GET', `/_emulator/v1/projects/past/history?${query}`)).body
const lastSequence = async (): Promise<number> => (await history('limit=1')).changes[0]?.sequence ?? 0
const undo = async (body: object): Promise<Undo> => {
  const answer = await at.call<Undo>('POST', '/_emulator/v1/projects/past/undo', { body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

describe('undo', () => {
  it.each(SEEDS)('of everything since a change restores the state, seed %i', async (seed) => {
    const next = numbers(seed)
    for (let round = 0; round < HISTORIES; round++) {
      for (let step = 0; step < 4; step++) await executeSql(at, tenant, randomWrite(next))
      const since = (await lastSequence()) + 1
      const before = await everything()
      for (let step = 0; step < WRITES; step++) await executeSql(at, tenant, randomWrite(next))
      if ((await lastSequence()) < since) continue
      const { conflicts, is_applied } = await undo({ since: String(since), apply: true })
      expect([conflicts, is_applied]).toEqual([[], true])
      expect(await everything()).toEqual(before)
    }
  })
})
