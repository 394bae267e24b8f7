// The fleet of a group over the emulator's own API: versions, steps and one row for each tenant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { applyTo, ask, writeFixture } from '../../support/fixture-folder.ts'
import { fleetDriftOf, fleetOf, migrate, NOTES, surveyFleet } from '../../support/migrations.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestGroup,
} from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const STARS = {
  file: '20260102000000_stars.sql',
  sql: 'alter table notes add column stars int;\n',
}
const TAGS = {
  file: '20260103000000_tags.sql',
  sql: 'alter table notes add column tags text[];\n',
}

type Group = Pick<TestGroup, 'id'>

const read = ({ id }: Group): Promise<Json> => fleetOf(at, id)
const survey = ({ id }: Group): Promise<Json> => surveyFleet(at, id)
const apply = ({ id }: Group, order: object): Promise<Json> => migrate(at, id, 'apply', order)

describe('the fleet', () => {
  it('compares versions and tenants with the steps that were given last', async () => {
    const group = await createGroup(at, 'shop')
    await apply(group, { steps: [NOTES] })
    await provisionTenant(at, group, 'shop_a')
    await apply(group, { steps: [NOTES, STARS], publish: true })
    await provisionTenant(at, group, 'shop_b')
    await migrate(at, group.id, 'status', { steps: [NOTES, STARS, TAGS] })
    const fleet = await read(group)
    expect(fleet).toMatchObject({
      group: { id: group.id, name: 'shop' },
      steps_given_at: expect.any(String),
      steps: [
        { name: 'notes', file: NOTES.file, published_in: 'shop_v2' },
        { name: 'stars', published_in: 'shop_v2' },
        { version: '20260103000000', name: 'tags', published_in: null },
      ],
      template: { slug: 'shop', number: 1, steps: ['applied', 'applied', 'pending'] },
      versions: [{ slug: 'shop_v2', number: 2, steps: ['applied', 'applied', 'pending'] }],
      tenants: [
        {
          slug: 'shop_a',
          template_version: 1,
          state: 'behind',
          steps: ['applied', 'pending', 'pending'],
          compared_with: null,
        },
        {
          slug: 'shop_b',
          template_version: 2,
          state: 'behind',
          steps: ['applied', 'applied', 'pending'],
          compared_with: null,
          differences: null,
          users: null,
          size_bytes: null,
        },
      ],
      unread: 3,
    })
  })

  it('applies the remembered steps when a request contains no steps', async () => {
    const group = await createGroup(at, 'again')
    expect(await apply(group, { tenants: 'all' })).toMatchObject({ error: { code: 'conflict' } })
    await apply(group, { steps: [NOTES, STARS], dry_run: true })
    expect(await apply(group, {})).toMatchObject({
      ok: true,
      template: { applied: ['20260101000000', '20260102000000'] },
    })
    await apply(group, { steps: [NOTES], dry_run: true })
    expect((await read(group)).steps).toMatchObject([
      { name: 'notes', file: NOTES.file },
      { name: 'stars', file: null },
    ])
    expect((await read(group)).template).toMatchObject({ steps: ['applied', 'missing'] })
  })

  it('reads users, sizes and drift, and reads a tenant again after its structure changed', async () => {
    const group = await createGroup(at, 'drifting')
    await apply(group, { steps: [NOTES], publish: true })
    await provisionTenant(at, group, 'drifting_a')
    await provisionTenant(at, group, 'drifting_b')
    await at.call('POST', '/_emulator/v1/projects/drifting_a/users', {
      body: { email: 'ana@example.com', password: 'correct horse' },
    })
    expect((await survey(group)).tenants).toMatchObject([
      {
        slug: 'drifting_a',
        state: 'up_to_date',
        differences: 0,
        users: 1,
        size_bytes: expect.any(Number),
      },
      { slug: 'drifting_b', state: 'up_to_date', differences: 0, users: 0 },
    ])
    await ask(at, 'drifting_a', 'alter table notes add column by_hand int')
    expect(await read(group)).toMatchObject({
      unread: 1,
      tenants: [{ state: 'up_to_date', differences: null }, { differences: 0 }],
    })
    expect(await survey(group)).toMatchObject({
      unread: 0,
      tenants: [{ state: 'drifted', differences: 1 }, { state: 'up_to_date' }],
    })
    expect(await fleetDriftOf(at, group.id, 'drifting_a')).toMatchObject({
      compared_with: 'steps',
      differences: [{ kind: 'extra', object: 'column', name: 'notes.by_hand', there: null }],
      statements: expect.stringMatching(/^-- .*drop column by_hand/ms),
      into_template: expect.stringContaining('add column by_hand'),
    })
    expect(await fleetDriftOf(at, group.id, 'drifting_a', '?allow_destructive=true')).toMatchObject(
      {
        statements: expect.stringMatching(/^alter table .*drop column by_hand;$/m),
      },
    )
    expect(await fleetDriftOf(at, group.id, 'nobody')).toMatchObject({
      error: { code: 'not_found' },
    })
  })

  it('shows a conflict, and a tenant that was removed', async () => {
    const group = await createGroup(at, 'conflicted')
    await apply(group, { steps: [NOTES] })
    await provisionTenant(at, group, 'conflicted_a')
    await provisionTenant(at, group, 'conflicted_b')
    await at.call('DELETE', `/groups/v1/${group.id}/tenants/conflicted_b`, {
      credential: group.key,
    })
    await apply(group, { steps: [{ ...NOTES, sql: `${NOTES.sql}-- edited` }], dry_run: true })
    expect(await read(group)).toMatchObject({
      template: { steps: ['changed'], problem: expect.stringContaining('changed after it ran') },
      tenants: [
        { slug: 'conflicted_a', state: 'conflict', problem: expect.stringContaining('changed') },
        { slug: 'conflicted_b', state: 'deleted' },
      ],
    })
  })

  it('reads a ledger whose comment was replaced, and reports a ledger that cannot be read', async () => {
    const group = await createGroup(at, 'replaced')
    await apply(group, { steps: [NOTES] })
    await provisionTenant(at, group, 'replaced_a')
    await provisionTenant(at, group, 'replaced_b')
    await apply(group, { steps: [NOTES, STARS], tenants: 'all' })
    await ask(at, 'replaced_a', `comment on table tenantry_migrations is 'ours'`)
    await ask(at, 'replaced_b', `comment on table tenantry_migrations is null`)
    await ask(at, 'replaced_b', `alter table tenantry_migrations rename column checksum to sum`)
    expect((await read(group)).tenants).toMatchObject([
      { state: 'up_to_date', steps: ['applied', 'applied'] },
      { state: 'unknown', problem: expect.stringContaining('checksum') },
    ])
  })

  it('compares template versions while no steps are known', async () => {
    const group = await createGroup(at, 'plain', { sql: 'create table t (id int primary key)' })
    await provisionTenant(at, group, 'plain_a')
    await at.call('POST', `/groups/v1/${group.id}/template/publish`, { credential: group.key })
    await provisionTenant(at, group, 'plain_b')
    expect(await read(group)).toMatchObject({
      steps: [],
      steps_given_at: null,
      tenants: [
        { state: 'behind', template_version: 1 },
        { state: 'up_to_date', template_version: 2 },
      ],
    })
  })

  it('uses the steps of a fixture', async () => {
    const fixture = writeFixture(folder.path, {
      'fixture.yaml': `groups:
  - name: From a fixture
    template: { slug: fixed, migrations: steps }
    tenants:
      - { slug: fixed_a, external_id: customer-1 }
`,
      [`steps/${NOTES.file}`]: NOTES.sql,
    })
    expect(await applyTo(at, fixture)).toMatchObject({ applied: true })
    const { body } = await at.call('GET', '/_emulator/v1/groups/From%20a%20fixture/fleet')
    expect(body).toMatchObject({
      steps: [{ file: NOTES.file }],
      tenants: [{ slug: 'fixed_a', external_id: 'customer-1', state: 'up_to_date' }],
    })
  })
})
