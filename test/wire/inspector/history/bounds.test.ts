// The space that the history may take.
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RowHistory } from '../../../../emulator/contract/history.ts'
import type { SqlAnswer } from '../../../../emulator/contract/sql-console.ts'
import { createEmulator, type Emulator } from '../../../../emulator/index.ts'
import { temporaryFolder } from '../../../support/cli-process.ts'
import { TEST_ENGINE } from '../../../support/engine-of-run.ts'
import { openPastTenant } from '../../../support/past-tenant.ts'
import { numbers } from '../../../support/random-writes.ts'

// The bounds are checked after 500 writes, and the oldest half is dropped.
const WRITES = 1_100
const AT_ONCE = 20

it('forgets the oldest changes, and says so when older rows are asked for', async () => {
  await using past = await openPastTenant('create table big (id integer primary key, word text)', {
    megabytes: 2,
  })
  const next = numbers(1)
  // Postgres would compress a repetitive text.
  const word = (): string =>
    Array.from({ length: 300 }, () => next().toString(36).slice(2, 12)).join('')
  for (let id = 1; id <= WRITES; id += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        past.request('POST', '/big', { id: id + index, word: word() }),
      ),
    )
  const { changes } = await past.history('table=big&limit=1000')
  expect(Number(changes[0]?.key['id'])).toBeGreaterThan(WRITES - AT_ONCE)
  expect(changes.length).toBeLessThan(WRITES - 400)
  const answer = await past.ask('select count(*) from big', '1')
  expect(answer.past?.gaps).toEqual([expect.stringMatching(/^Changes before .* are not known\.$/)])
})

it('records nothing unless it is asked for', async () => {
  await using past = await openPastTenant('create table small (id integer primary key)', false)
  await past.request('POST', '/small', { id: 1 })
  expect(await past.history('table=small')).toEqual({
    is_recorded: false,
    changes: [],
    has_more: false,
    last_sequence: 0,
  })
})

describe('a data directory whose history is switched off', () => {
  const folder = temporaryFolder()
  afterAll(() => folder.remove())
  const started = (history: boolean) =>
    createEmulator({ ...TEST_ENGINE, dataDir: join(folder.path, 'off'), history })

  it('records nothing more, keeps the entries, and says later what is not known', async () => {
    const tenantOf = (emulator: Emulator) => emulator.tenant('aurora')
    await using first = await started(true)
    await (await tenantOf(first)).sql(
      'create table notes (id integer); insert into notes values (1)',
    )
    await first.close()
    await using second = await started(false)
    await (await tenantOf(second)).sql('insert into notes values (2)')
    await second.close()
    await using third = await started(true)
    const tenant = await tenantOf(third)
    const changes = await tenant.changes(() => tenant.sql('insert into notes values (3)'))
    expect(changes.map(({ row }) => row)).toEqual([{ id: '3' }])
    const path = '/_emulator/v1/projects/aurora'
    const at = async <Body>(address: string, body?: object): Promise<Body> => {
      const init =
        body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }
      return (await (
        await third.fetch(new Request(`http://127.0.0.1${path}${address}`, init))
      ).json()) as Body
    }
    const history = await at<RowHistory>('/history?table=notes')
    expect(history.changes.map(({ key }) => key)).toEqual([{ id: '3' }, { id: '1' }])
    const order = { sql: 'select 1', identity: 'owner', mode: 'read_only', at: '1' }
    const { past } = await at<SqlAnswer>('/sql', order)
    expect(past?.gaps).toEqual([expect.stringMatching(/^Changes before .* are not known\.$/)])
  })
})
