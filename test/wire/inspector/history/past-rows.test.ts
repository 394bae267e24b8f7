// The rows of a past instant, over POST /_emulator/v1/projects/:ref/sql with `at`.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RowHistory } from '../../../../emulator/contract/history.ts'
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

const SEEDS = [7, 8]
const WRITES = 60

let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await startTestEmulator({ history: true })
  tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql: WRITTEN_SCHEMA }), 'past')
})
afterAll(() => at[Symbol.asyncDispose]())

const ask = async (sql: string, instant?: string): Promise<SqlAnswer> => {
  const answer = await at.call<SqlAnswer>('POST', '/_emulator/v1/projects/past/sql', {
    body: {
      sql,
      identity: 'owner',
      mode: 'read_only',
      ...(instant === undefined ? {} : { at: instant }),
    },
  })
  if (answer.status !== 200 || answer.body.error !== null) throw new Error(answer.text)
  return answer.body
}
const EVERYTHING = `select 'p' as kind, to_jsonb(p)::text as row from parents as p
  union all select 'c', to_jsonb(c)::text from children as c
  union all select 'l', to_jsonb(l)::text from loose as l order by 1, 2`
const everything = async (instant?: string) => (await ask(EVERYTHING, instant)).results[0]?.rows
const lastSequence = async (): Promise<number> => {
  const path = '/_emulator/v1/projects/past/history?limit=1'
  return (await at.call<RowHistory>('GET', path)).body.changes[0]?.sequence ?? 0
}

describe('the rows of a past instant', () => {
  it.each(SEEDS)(
    'equal the rows that were there after each random write, seed %i',
    async (seed) => {
      const next = numbers(seed)
      const states: { readonly before: number; readonly rows: unknown }[] = []
      for (let step = 0; step < WRITES; step++) {
        await executeSql(at, tenant, randomWrite(next))
        states.push({ before: (await lastSequence()) + 1, rows: await everything() })
      }
      const past = []
      for (const { before } of states) past.push(await everything(String(before)))
      expect(past).toEqual(states.map(({ rows }) => rows))
    },
  )
})
