// The outcome of `tenantry audit` when a row of one tenant reaches another.
import { expect, it } from 'vitest'
import { auditLines } from '../../../emulator/cli/audit/audit-report.ts'
import { type AuditRun, auditTenants, neighbours } from '../../../emulator/cli/audit/run-audit.ts'
import type { Audit, CrossingReport } from '../../../emulator/contract/audit.ts'
import type { RunningEmulator } from '../../../emulator/http-client/running-emulator.ts'

const audit: Audit = {
  tenant: 'left',
  identities: [],
  tables: [],
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

it('fails for a row that crosses, and prints the request', async () => {
  const outcome = await auditTenants(emulator, run)
  expect(outcome).toMatchObject({ ok: false, errors: 2, warnings: 0 })
  expect(auditLines(outcome)).toContain(
    "  error  cross-tenant-read  anon of left reads notes of right by REST (1 row).\n    curl -s 'http://d'",
  )
})

it('does not fail with --fail-on never', async () => {
  expect((await auditTenants(emulator, { ...run, failOn: 'never' })).ok).toBe(true)
})

it('lets each tenant ask for the next one', () => {
  expect(neighbours(['a'])).toEqual([])
  expect(neighbours(['a', 'b', 'c'])).toEqual([
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
  ])
})
