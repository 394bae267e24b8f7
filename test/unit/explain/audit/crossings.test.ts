// Findings of the audit when tenants are not isolated. A simulated engine and data plane allow some requests of other tenants.
import { expect, it } from 'vitest'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { Answer } from '../../../../emulator/core/plain-http.ts'
import { epochMillis } from '../../../../emulator/core/time.ts'
import { type Engine, SqlError } from '../../../../emulator/database/engine.ts'
import type { AuditDeps } from '../../../../emulator/insight/explain/audit/audit-tenant.ts'
import { findCrossings } from '../../../../emulator/insight/explain/audit/crossings.ts'
import type { Project } from '../../../../emulator/platform/projects/project.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const projectOf = (slug: string): Project => ({
  id: trusted.projectId(slug),
  slug: trusted.slug(slug),
  schemaName: trusted.schemaName(`proj_${slug}`),
  name: slug,
  kind: 'tenant',
  state: 'active',
  planTier: 'pro',
  keyVersion: 1,
  ownerId: undefined,
  sourceProjectId: undefined,
  frozenAt: undefined,
  createdAt: epochMillis(0),
})

const clock = new SystemClock()
const refused = new Answer(401, {}, JSON.stringify({ code: 'unauthorized' }))

function depsWith(ask: Engine['ask'], answer: (target: string) => Answer): AuditDeps {
  const tables = ['notes', 'prices'].map((name) => ({ name, columns: [], key: [] }))
  const partial = {
    engine: { ask },
    reader: {
      read: async () => [
        {
          fields: [],
          commandTag: '',
          rows: tables.map((table) => [bytes(JSON.stringify(table))]),
        },
      ],
    },
    identities: {
      users: {
        list: async () => ({ users: [], total: 0 }),
        findAll: async () => [],
        find: async () => undefined,
      },
      claimsOfRequest: () => undefined,
      clock,
    },
    data: { answer: async ({ target }: { readonly target: string }) => answer(target) },
    signingKeys: { signEs256: async ({ role }: { readonly role: string }) => `token-of-${role}` },
    clock,
    wallClock: clock,
  }
  // Only these members are called.
  return partial as unknown as AuditDeps
}

const task = {
  project: projectOf('left'),
  other: projectOf('right'),
  users: 20,
  env: {
    requestId: 'r',
    facts: {},
    addresses: { authUrl: 'http://a', dataUrl: 'http://d', storageUrl: '', realtimeUrl: '' },
  },
}

it('findCrossings reports a table of another tenant that an identity reads by SQL', async () => {
  const deps = depsWith(
    async ({ actor, questions, statement }) =>
      questions.map(() =>
        actor.role === 'anon' && statement.text.includes('"proj_right"."notes"')
          ? [[bytes('7')]]
          : new SqlError('42501', 'permission denied'),
      ),
    () => refused,
  )
  expect(await findCrossings(deps, task)).toMatchObject({
    cells: 6,
    crossing: 1,
    crossings: [{ table: 'notes', identity: 'anon', way: 'sql', rows: 7, curl: null }],
    requests: 18,
    refusals: { 'sql 42501': 5, 'rest 401 unauthorized': 12 },
  })
})

it('findCrossings reports a table that identities read by REST, once for each key, with the request', async () => {
  const deps = depsWith(
    async ({ questions }) => questions.map(() => new SqlError('42501', 'permission denied')),
    (target) => (target.startsWith('/prices') ? new Answer(200, {}, '[{"id":1}]') : refused),
  )
  const report = await findCrossings(deps, task)
  expect(report.crossing).toBe(3)
  expect(report.crossings).toHaveLength(6)
  expect(report.crossings[0]).toEqual({
    table: 'prices',
    identity: 'anon',
    way: 'rest',
    rows: 1,
    curl: `curl -s 'http://d/prices?limit=1' -H 'apikey: token-of-anon' -H 'Authorization: Bearer token-of-anon' -H 'Accept-Profile: proj_right'`,
  })
})
