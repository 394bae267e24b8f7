// Steps that are applied beside `tenantry dev`: rehearsal and application say when the followed fixture no longer fits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FollowedClubs, followClubs } from '../../support/followed-clubs.ts'
import { migrate, type StepText } from '../../support/migrations.ts'
import type { Json } from '../../support/test-emulator.ts'

let clubs: FollowedClubs
beforeAll(async () => {
  clubs = await followClubs()
})
afterAll(() => clubs?.close())

const SIZES: StepText = {
  file: '20260102000000_sizes.sql',
  sql: 'alter table rooms add column size int;\n',
}
const NAMELESS: StepText = {
  file: '20260103000000_nameless.sql',
  sql: 'alter table rooms drop column name;\n',
}

function send(operation: 'apply' | 'rehearse', ...steps: readonly StepText[]): Promise<Json> {
  const [file = ''] = clubs.steps()
  const first = { file, sql: readFileSync(join(clubs.folder, file), 'utf8') }
  const body = { steps: [first, ...steps], tenants: 'all' }
  return migrate(clubs, 'clubs', operation, body)
}

const PROBLEM = expect.stringMatching(
  /^The fixture no longer fits these steps: .*rooms.*name.* Correct the fixture or the steps before the next start\.$/,
)

it('names the rows that do not fit, in the rehearsal of a change for all tenants', async () => {
  const { body } = await clubs.call('POST', '/_emulator/v1/projects/club_a/changes/rehearse', {
    body: { title: 'Nameless', sql: NAMELESS.sql, reach: 'all' },
  })
  expect(body).toMatchObject({ ok: true, fixture_problem: PROBLEM })
})

it.each([
  ['Seats', 'alter table rooms add column seats int', null],
  ['Nameless', NAMELESS.sql, PROBLEM],
])('says whether the fixture fits, in the applied change %s', async (title, sql, problem) => {
  const post = (action: string, body: Json) =>
    clubs.call('POST', `/_emulator/v1/projects/club_a/changes/${action}`, { body })
  const { body } = await post('apply', { title, sql, reach: 'all' })
  expect(body).toMatchObject({ ok: true, fixture_problem: problem })
  const last = await clubs.call('GET', '/_emulator/v1/changes/last')
  expect(last.body.change.answer).toEqual(body)
  const undone = await post('undo', { snapshot: body.snapshot })
  expect(undone.body).toMatchObject({ undone: true })
})

it('says nothing about the fixture when its rows fit', async () => {
  expect(await send('rehearse', SIZES)).toMatchObject({ ok: true, fixture_problem: null })
  expect(await send('apply', SIZES)).toMatchObject({ ok: true, fixture_problem: null })
})

it('names the rows that do not fit, in a rehearsal and in an application that succeeds', async () => {
  const rehearsed = await send('rehearse', SIZES, NAMELESS)
  expect(rehearsed).toMatchObject({ ok: true, fixture_problem: PROBLEM })
  const applied = await send('apply', SIZES, NAMELESS)
  expect(applied).toMatchObject({
    ok: true,
    fixture_problem: PROBLEM,
    template: { applied: ['20260103000000'] },
  })
})
