// A group with 25 tenants on two versions of its template: most are up to date, ten are behind, and five were altered by hand.
// The emulator reads the structure of at most 20 projects per request, so a page needs two requests.
import { ask } from './fixture-folder.ts'
import {
  createGroup,
  expectStatus,
  provisionTenant,
  type TestEmulator,
  type TestGroup,
} from './test-emulator.ts'

export const NOTES = {
  file: '20260101000000_notes.sql',
  sql: `create table notes (id int primary key, title text not null, owner uuid);
alter table notes enable row level security;
create policy own on notes for select to authenticated using (owner = auth.uid());
`,
}
export const STARS = {
  file: '20260102000000_stars.sql',
  sql: 'alter table notes add column stars int not null default 3;\n',
}
export const TAGS = {
  file: '20260103000000_tags.sql',
  sql: '-- labels of a note\nalter table notes add column tags text[];\n',
}

export const TENANTS = 25
/** Number of tenants that are behind the newest version. */
export const BEHIND = 10
/** Tenants that were altered by hand. The first of them is behind, and already has the column of the pending step. */
export const DRIFTED = ['t05', 't20', 't21', 't22', 't23'] as const

export async function createFleet(at: TestEmulator): Promise<TestGroup> {
  const group = await createGroup(at, 'shop', { plan: 'scale' })
  await apply(at, group, [NOTES, STARS], true)
  for (let number = 0; number < BEHIND; number += 1) await provision(at, group, number)
  await apply(at, group, [NOTES, STARS, TAGS], true)
  for (let number = BEHIND; number < TENANTS; number += 1) await provision(at, group, number)
  for (const [index, slug] of DRIFTED.entries())
    await ask(
      at,
      slug,
      index === 0
        ? 'alter table notes add column tags text'
        : `alter table notes add column by_hand_${index} int; drop policy own on notes`,
    )
  return group
}

async function provision(at: TestEmulator, group: TestGroup, number: number): Promise<void> {
  await provisionTenant(at, group, `t${String(number).padStart(2, '0')}`)
}

async function apply(
  at: TestEmulator,
  group: TestGroup,
  steps: readonly object[],
  publish: boolean,
): Promise<void> {
  const path = `/_emulator/v1/groups/${group.id}/migrations/apply`
  expectStatus(await at.call('POST', path, { body: { steps, publish } }), 200)
}
