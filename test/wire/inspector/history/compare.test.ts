// Comparisons of saved states name the requests that made the differences.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SnapshotDiff } from '../../../../emulator/contract/snapshots.ts'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'

const SQL = `create table notes (id integer primary key, title text);
create table words (word text);
create table tags (id integer primary key)`

let past: PastTenant
const ids: Record<string, string> = {}
beforeAll(async () => {
  past = await openPastTenant(SQL)
  await past.request('POST', '/notes', { id: 1, title: 'first' })
  await past.request('POST', '/notes', { id: 2, title: 'second' })
  await past.request('POST', '/tags', { id: 1 })
  await save('before')
  ids['renamed'] = await past.request('PATCH', '/notes?id=eq.1', { title: 'changed' })
  ids['again'] = await past.request('PATCH', '/notes?id=eq.1', { title: 'again' })
  ids['deleted'] = await past.request('DELETE', '/notes?id=eq.2')
  await past.write(
    "insert into notes values (3, 'by the owner'); insert into words values ('a'); truncate tags",
  )
  await save('between')
  ids['later'] = await past.request('PATCH', '/notes?id=eq.1', { title: 'later' })
})
afterAll(() => past[Symbol.asyncDispose]())

const api = (method: string, path: string, body?: object) =>
  past.at.call<SnapshotDiff>(method, `/_emulator/v1/snapshots${path}`, body && { body })
const save = (name: string) => api('POST', '', { name, replace: true })
async function tenantOf(path: string): Promise<SnapshotDiff['tenants'][number] | undefined> {
  const { tenants } = (await api('GET', path)).body
  return tenants.find(({ schema_name: name }) => name === 'proj_past')
}
const rowsOf = (tenant: SnapshotDiff['tenants'][number] | undefined, name: string) =>
  tenant?.tables.find(({ table }) => table === name)?.rows ?? []
const requestsOf = (row: ReturnType<typeof rowsOf>[number] | undefined) =>
  row?.made_by.map(({ request_id: id }) => id)

describe('a comparison', () => {
  it('names the requests of each row between two snapshots', async () => {
    const tenant = await tenantOf('/before/compare?with=between')
    const [first, second, third] = rowsOf(tenant, 'notes')
    expect(requestsOf(first)).toEqual([ids['renamed'], ids['again']])
    expect(first?.made_by[0]).toMatchObject({
      method: 'PATCH',
      target: '/notes?id=eq.1',
      role: 'service_role',
      user_id: null,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(requestsOf(second)).toEqual([ids['deleted']])
    expect(third?.made_by).toMatchObject([{ method: 'POST', role: 'proj_past_owner' }])
    expect(rowsOf(tenant, 'tags')[0]?.made_by).toHaveLength(1)
    expect(tenant?.history_gaps).toEqual([
      'Rows of words have no primary key, so no request is named.',
    ])
  })

  it('names the requests up to the present state, and in the other direction', async () => {
    expect(requestsOf(rowsOf(await tenantOf('/between/compare'), 'notes')[0])).toEqual([
      ids['later'],
    ])
    const back = await tenantOf('/between/compare?with=before')
    expect(requestsOf(rowsOf(back, 'notes')[1])).toEqual([ids['deleted']])
  })

  it('says so when the present state came from another one', async () => {
    await past.request('PATCH', '/notes?id=eq.3', { title: 'abandoned' })
    await save('abandoned')
    await api('POST', '/before/restore')
    for (let times = 0; times < 20; times += 1)
      await past.request('PATCH', '/notes?id=eq.1', { title: `restored ${times}` })
    const tenant = await tenantOf('/abandoned/compare')
    expect(tenant?.history_gaps).toEqual([
      'The requests are not known, because the present state did not come from both states.',
    ])
    expect(rowsOf(tenant, 'notes').flatMap(({ made_by: by }) => by)).toEqual([])
    expect(rowsOf(await tenantOf('/before/compare'), 'notes')[0]?.made_by).toHaveLength(5)
  })
})

it('says so when no changes are recorded', async () => {
  await using bare = await openPastTenant(SQL, false)
  await bare.at.call('POST', '/_emulator/v1/snapshots', { body: { name: 'bare' } })
  await bare.request('POST', '/notes', { id: 1 })
  const path = '/_emulator/v1/snapshots/bare/compare'
  const { body } = await bare.at.call<SnapshotDiff>('GET', path)
  expect(body.tenants[0]?.history_gaps).toEqual([
    'The requests are not known, because the changes between the states are not all recorded.',
  ])
})
