// Explanations against Postgres: over random policy sets, each row's explained verdict is what real statements, run as the
// same identity and rolled back, show.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import type { JsonObject } from '../../../../emulator/core/json.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { runAs } from '../../../../emulator/database/as-principal.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type WorkResult,
} from '../../../../emulator/database/engine.ts'
import { createRowReader } from '../../../../emulator/database/row-reader.ts'
import { type Sql, verbatim } from '../../../../emulator/database/sql.ts'
import { explainRows } from '../../../../emulator/inspector/explain/explain-rows.ts'
import { createExplainDeps } from '../../../../emulator/inspector/explain/routes.ts'
import type { ResolvedIdentity } from '../../../../emulator/inspector/identities.ts'
import { type PolicySet, policySets, SCHEMA, USERS, WORLD } from '../../../support/policy-sets.ts'
import { createTestTenant, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const SETS = Number(process.env['TENANTRY_POLICY_SETS'] ?? 500)
const SEED = Number(process.env['TENANTRY_POLICY_SEED'] ?? 20261121)
const schemaName = trusted.schemaName(SCHEMA)

let engine: Engine
let explain: ReturnType<typeof createExplainDeps>

beforeAll(async () => {
  ;({ engine } = await openTestEngine())
  await createTestTenant(engine, SCHEMA)
  await runAsOwner(
    engine,
    SCHEMA,
    `drop view all_notes; drop function body_of; drop table notes; ${WORLD}`,
  )
  explain = createExplainDeps(engine, createRowReader(engine), new SystemClock())
}, 60_000)
afterAll(() => engine.close())

function identity(
  role: 'anon' | 'authenticated' | 'service_role',
  claims: JsonObject,
): ResolvedIdentity {
  const all = { role, ...claims }
  return {
    identity: { label: role, role, subject: String(claims['sub'] ?? ''), claims: all },
    principal: { schemaName, role, claims: all, claimsText: JSON.stringify(all) },
  }
}

const IDENTITIES = [
  identity('authenticated', { sub: USERS[0], app_metadata: { role: 'admin', clinic: 2 } }),
  identity('authenticated', { sub: USERS[1], app_metadata: {} }),
  identity('anon', { sub: 'apikey:anon' }),
  identity('authenticated', { sub: USERS[2] }),
  identity('service_role', { sub: 'apikey:service_role' }),
]

const tally = { rows: 0, allowed: 0 }

type Outcome = 'allowed' | 'passed by' | 'refused' | 'raises'

async function really(
  who: ResolvedIdentity,
  statement: Sql,
  isWrite: boolean,
): Promise<WorkResult | SqlError> {
  try {
    return await runAs(engine, who.principal, {
      settings: { method: 'GET', path: '/notes', headers: '{}' },
      mode: isWrite ? 'readWrite' : 'readOnly',
      statements: [statement],
      end: 'rollback',
      timeoutMillis: 8_000,
    })
  } catch (error) {
    if (error instanceof SqlError) return error
    throw error
  }
}

function outcomeOf(result: WorkResult | SqlError): Outcome {
  if (result instanceof SqlError) return result.code === '42501' ? 'refused' : 'raises'
  const tag = result.results[0]?.commandTag ?? ''
  return tag.endsWith(' 0') ? 'passed by' : 'allowed'
}

async function explained(
  who: ResolvedIdentity,
  command: 'select' | 'insert' | 'update' | 'delete',
  newRow?: PolicySet['newRow'],
) {
  return explainRows(explain, {
    schemaName,
    relation: 'notes',
    identity: who,
    command,
    selection: { limit: 100, offset: 0 },
    isDetailed: true,
    ...(newRow === undefined ? {} : { newRow }),
  })
}

async function compareSelect(set: PolicySet, who: ResolvedIdentity): Promise<readonly string[]> {
  const explanation = await explained(who, 'select')
  const shown = explanation.rows.filter(({ allowed }) => allowed).map(({ key }) => key['id'])
  tally.rows += explanation.rows.length
  tally.allowed += shown.length
  const all = await really(who, verbatim('select id from notes order by id'), false)
  if (!(all instanceof SqlError)) {
    const seen = all.results[0]?.rows.map(([id]) => cellText(id))
    return JSON.stringify(seen) === JSON.stringify(shown)
      ? []
      : [`select as ${who.identity.label}: Postgres shows ${seen}, explained ${shown}\n${set.sql}`]
  }
  const wrong: string[] = []
  for (const row of explanation.rows) {
    const one = outcomeOf(
      await really(who, verbatim(`select id from notes where id = ${row.key['id']}`), false),
    )
    if ((one === 'allowed') !== row.allowed)
      wrong.push(`select ${row.key['id']}: Postgres ${one}, explained ${row.reason}\n${set.sql}`)
  }
  return wrong
}

function assignments(values: PolicySet['newRow']): string {
  return Object.entries(values)
    .map(([column, value]) => `${column} = ${sqlOf(value)}`)
    .join(', ')
}

function sqlOf(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

async function compareWrites(
  set: PolicySet,
  who: ResolvedIdentity,
  sample: number,
): Promise<readonly string[]> {
  const wrong: string[] = []
  const note = (
    what: string,
    outcome: Outcome,
    row: { allowed: boolean; reason: string } | undefined,
  ) => {
    if ((outcome === 'allowed') !== row?.allowed)
      wrong.push(
        `${what} as ${who.identity.label}: Postgres ${outcome}, explained ${row?.reason}\n${set.sql}`,
      )
  }
  const [update, remove, insert] = [
    await explained(who, 'update', set.changes),
    await explained(who, 'delete'),
    await explained(who, 'insert', { id: 100, ...set.newRow }),
  ]
  for (const id of [1 + (sample % 6), 7 + (sample % 5), 12 + (sample % 7)]) {
    const of = ({ rows }: typeof update) => rows.find(({ key }) => key['id'] === String(id))
    const changed = `update notes set ${assignments(set.changes)} where id = ${id}`
    note(changed, outcomeOf(await really(who, verbatim(changed), true)), of(update))
    const gone = `delete from notes where id = ${id}`
    note(gone, outcomeOf(await really(who, verbatim(gone), true)), of(remove))
  }
  const names = ['id', ...Object.keys(set.newRow)].join(', ')
  const values = [100, ...Object.values(set.newRow)].map(sqlOf).join(', ')
  const added = `insert into notes (${names}) values (${values})`
  note(added, outcomeOf(await really(who, verbatim(added), true)), insert.rows[0])
  return wrong
}

it(`agrees with Postgres over ${SETS} policy sets`, async () => {
  const wrong: string[] = []
  for (const [index, set] of policySets(SETS, SEED).entries()) {
    await runAsOwner(engine, SCHEMA, set.sql)
    for (const step of [0, 1]) {
      const who = IDENTITIES[(index + step * 2) % IDENTITIES.length]
      if (who === undefined) continue
      wrong.push(...(await compareSelect(set, who)))
      if (step === 0) wrong.push(...(await compareWrites(set, who, index)))
    }
    if (wrong.length > 5) break
  }
  expect(wrong).toEqual([])
  // The sets have something to say: neither everything nor nothing passes.
  expect(tally.allowed).toBeGreaterThan(tally.rows / 10)
  expect(tally.allowed).toBeLessThan((tally.rows * 9) / 10)
}, 600_000)
