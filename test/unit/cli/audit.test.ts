// The outcome of `tenantry audit` when another tenant can read a tenant's row.
import { expect, it } from 'vitest'
import { auditLines } from '../../../emulator/cli/commands/audit/audit-report.ts'
import {
  type AuditRun,
  auditTenants,
  neighbours,
} from '../../../emulator/cli/commands/audit/run-audit.ts'
import type { Audit, AuditFinding, CrossingReport } from '../../../emulator/contract/audit.ts'
import { causesOf } from '../../../emulator/contract/audit-causes.ts'
import type { RunningEmulator } from '../../../emulator/platform/http-client/running-emulator.ts'

const audit: Audit = {
  tenant: 'left',
  identities: [],
  tables: [],
  buckets: [],
  findings: [],
  cells: 0,
  duration_ms: 1,
}

const crossing: CrossingReport = {
  tenant: 'left',
  other: 'right',
  identities: [],
  tables: ['notes'],
  cells: 6,
  crossing: 1,
  crossings: [
    { table: 'notes', identity: 'anon', way: 'rest', rows: 1, curl: "curl -s 'http://d'" },
  ],
  requests: 18,
  refusals: {},
  duration_ms: 1,
}

const emulator = {
  call: async (name: string) => (name.endsWith('crossings') ? crossing : audit),
} as unknown as RunningEmulator

const run: AuditRun = { tenants: ['left', 'right'], users: 20, failOn: 'error', baseline: {} }

it('fails when one tenant reads a row of another tenant, and prints the request', async () => {
  const outcome = await auditTenants(emulator, run)
  expect(outcome).toMatchObject({ ok: false, errors: 2, warnings: 0 })
  expect(auditLines(outcome)).toContain(
    "  error  cross-tenant-read  anon of left reads notes of right by REST (1 row).\n    curl -s 'http://d'",
  )
})

const finding = (changes: Partial<AuditFinding>): AuditFinding => ({
  rule: 'policy-fails',
  severity: 'error',
  object: 'table notes',
  cause: 'infinite recursion detected in policy for relation "members"',
  table: 'notes',
  identity: 'anon',
  message: 'SELECT on notes fails for anon: infinite recursion detected.',
  safer: null,
  accepted: null,
  proof: null,
  no_proof: 'no request',
  ...changes,
})

it('reports a cause once, with all affected tenants and tables', () => {
  const tables = ['notes', 'members', 'teams']
  const findings = tables.map((table) => finding({ table, object: `table ${table}` }))
  const causes = causesOf([
    {
      ...audit,
      findings: [...findings, finding({ rule: 'policy-always-true', accepted: 'menu' })],
    },
    { ...audit, tenant: 'right', findings },
  ])
  expect(causes).toMatchObject([
    { rule: 'policy-fails', tenants: ['left', 'right'], tables, identities: ['anon'] },
    { rule: 'policy-always-true', accepted: 'menu', tenants: ['left'] },
  ])
  const outcome = { ok: false, errors: 6, warnings: 0, accepted: 1, tenants: [], crossings: [] }
  expect(auditLines({ ...outcome, causes })).toBe(
    [
      'Findings',
      '  error  policy-fails  SELECT on notes fails for anon: infinite recursion detected.',
      '    tenants: left, right; tables: notes, members, teams',
      '    no request',
      '  accepted  policy-always-true  infinite recursion detected in policy for relation "members": menu',
      '',
      '1 error, 0 warnings, 1 accepted.',
    ].join('\n'),
  )
})

it('does not fail with --fail-on never', async () => {
  expect((await auditTenants(emulator, { ...run, failOn: 'never' })).ok).toBe(true)
})

it('tries each tenant’s credentials on the next tenant', () => {
  expect(neighbours(['a'])).toEqual([])
  expect(neighbours(['a', 'b', 'c'])).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ])
})
