// Access chains of refusals that happened before a restart. What the platform looked like then is kept with the journal's entry.
import { afterAll, describe, expect, it } from 'vitest'
import type { AccessChain } from '../../../../emulator/contract/explain.ts'
import type { JournalPage } from '../../../../emulator/contract/journal.ts'
import { type AuthWorld, startAuthWorld } from '../../../support/auth-world.ts'
import { temporaryFolder } from '../../../support/cli-process.ts'
import {
  executeSql,
  type Json,
  startTestEmulator,
  type TestEmulator,
} from '../../../support/test-emulator.ts'

const SQL = `
  create table notes (id int primary key, owner uuid default auth.uid(), body text);
  alter table notes enable row level security;
  create policy own_notes on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert on notes to authenticated;`

const OTHER = '00000000-0000-4000-8000-00000000000b'

async function refuseRow(world: AuthWorld): Promise<string> {
  const { data_plane_token: credential } = await world.freshUser()
  const { tenant } = world
  const answer = await world.at.call('POST', '/notes', {
    credential,
    headers: { apikey: tenant.anonKey, 'content-profile': tenant.schemaName },
    body: { id: 1, owner: OTHER, body: 'the whole row' },
  })
  expect(answer.status).toBe(403)
  const path = '/_emulator/v1/journal?refused=true&limit=1'
  return (await world.at.call<JournalPage>('GET', path)).body.entries[0]?.request_id ?? ''
}

const chainOf = async (at: TestEmulator, requestId: string, query = ''): Promise<AccessChain> =>
  (await at.call<AccessChain>('GET', `/_emulator/v1/journal/${requestId}/chain${query}`)).body

const problemsOf = async (at: TestEmulator): Promise<readonly string[]> =>
  (await at.call<Json>('GET', '/_emulator/v1/home')).body.problems.map(
    ({ sentence }: Json) => sentence,
  )

const folder = temporaryFolder()
afterAll(() => folder.remove())

describe('a refusal before a restart', () => {
  it('keeps its reason, although the policy that refused the row was replaced since', async () => {
    const world = await startAuthWorld({ dataDir: folder.path })
    await executeSql(world.at, world.tenant, SQL)
    const requestId = await refuseRow(world)
    const before = await chainOf(world.at, requestId, '?as_of=refusal')
    const problems = await problemsOf(world.at)
    await executeSql(world.at, world.tenant, 'drop policy own_notes on notes')
    await world[Symbol.asyncDispose]()

    await using at = await startTestEmulator({ dataDir: folder.path })
    const after = await chainOf(at, requestId)
    expect(after).toEqual(before)
    expect(after.links.find(({ state }) => state === 'broken')).toMatchObject({ link: 'row' })
    expect(await problemsOf(at)).toEqual(problems)
  })
})
