// The space that the history may take.
import { expect, it } from 'vitest'
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
  })
})
