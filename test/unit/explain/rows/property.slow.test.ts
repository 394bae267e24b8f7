// Compares explanations with Postgres, for random policy sets. The explained verdict on each row must equal the result of real
// statements of the same identity, which are rolled back.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import type { JsonObject } from '../../../../emulator/core/json.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { asPrincipal } from '../../../../emulator/database/as-principal.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type StatementResult,
} from '../../../../emulator/database/engine.ts'
import { createRowReader } from '../../../../emulator/database/row-reader.ts'
import { literal, verbatim } from '../../../../emulator/database/sql.ts'
import type { ResolvedIdentity } from '../../../../emulator/insight/api-kit/identities.ts'
import { explainRows } from '../../../../emulator/insight/explain/rows/explain-rows.ts'
import { createExplainDeps } from '../../../../emulator/insight/explain/rows/routes.ts'
import { loadSecuredTables, type SecuredTable } from '../../../../emulator/insight/tables/table.ts'
import { type PolicySet, policySets, SCHEMA, USERS, WORLD } from '../../../support/policy-sets.ts'
import { createTestTenant, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const SETS = Number(process.env['TENANTRY_POLICY_SETS'] ?? 500)
const SEED = Number(process.env['TENANTRY_POLICY_SEED'] ?? 20261121)
const schemaName = trusted.schemaName(SCHEMA)

let engine: Engine
let explain: ReturnType<typeof createExplainDeps>
/** The facts about tables, cached while the policy set does not change. */
let facts: Promise<readonly SecuredTable[]> | undefined

beforeAll(async () => {
  ;({ engine } = await openTestEngine())
  await createTestTenant(engine, SCHEMA)
  await runAsOwner(
    engine,
    SCHEMA,
    `drop view all_notes; drop function body_of; drop table notes; ${WORLD}`,
  )
  const reader = createRowReader(engine)
  explain = createExplainDeps(engine, reader, new SystemClock(), {
    find: async (_, relation) => {
      facts ??= loadSecuredTables(reader, schemaName, relation)
      return (await facts)[0]
    },
  })
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

const SAID = 'tenantry.said'

/** Tries each statement separately, all in one round trip, and rolls everything back. */
async function really(
  who: ResolvedIdentity,
  statements: readonly string[],
): Promise<readonly Outcome[]> {
  const tries = statements.map(
    (statement) => `begin
      execute ${literal(statement).text};
      get diagnostics n = row_count;
      raise exception using errcode = 'TT000', message = n::text;
    exception when others then
      said := said || case when sqlstate = '42501' then 'refused' when sqlstate <> 'TT000' then 'raises'
        when sqlerrm = '0' then 'passed by' else 'allowed' end::text;
    end;`,
  )
  const block = `do $do$ declare n bigint; said text[] := '{}'; begin
    ${tries.join('\n')} perform set_config('${SAID}', array_to_json(said)::text, true); end $do$`
  const [, said] = await run(who, [block, `select current_setting('${SAID}')`], 'readWrite')
  return JSON.parse(cellText(said?.rows[0]?.[0]) ?? '[]') as Outcome[]
}

async function run(
  who: ResolvedIdentity,
  statements: readonly string[],
  mode: 'readOnly' | 'readWrite',
): Promise<readonly StatementResult[]> {
  const { results } = await engine.run({
    ...asPrincipal(who.principal, { method: 'GET', path: '/notes', headers: '{}' }),
    mode,
    statements: statements.map((statement) => verbatim(statement)),
    end: 'rollback',
    timeoutMillis: 8_000,
  })
  return results
}

/** Returns the rows that a SELECT shows; `undefined` when it raises an error. */
async function reallyShown(who: ResolvedIdentity): Promise<string | undefined> {
  try {
    const [all] = await run(who, ['select id from notes order by id'], 'readOnly')
    return JSON.stringify(all?.rows.map(([id]) => cellText(id)))
  } catch (error) {
    if (error instanceof SqlError) return undefined
    throw error
  }
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
  const seen = await reallyShown(who)
  if (seen !== undefined)
    return seen === JSON.stringify(shown)
      ? []
      : [`select as ${who.identity.label}: Postgres shows ${seen}, explained ${shown}\n${set.sql}`]
  const one = await really(
    who,
    explanation.rows.map(({ key }) => `select id from notes where id = ${key['id']}`),
  )
  return explanation.rows.flatMap((row, index) =>
    (one[index] === 'allowed') === row.allowed
      ? []
      : [`select ${row.key['id']}: Postgres ${one[index]}, explained ${row.reason}\n${set.sql}`],
  )
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
  const [update, remove, insert] = [
    await explained(who, 'update', set.changes),
    await explained(who, 'delete'),
    await explained(who, 'insert', { id: 100, ...set.newRow }),
  ]
  const ids = [1 + (sample % 6), 7 + (sample % 5), 12 + (sample % 7)]
  const names = ['id', ...Object.keys(set.newRow)].join(', ')
  const values = [100, ...Object.values(set.newRow)].map(sqlOf).join(', ')
  const rowOf = ({ rows }: typeof update, id: number) =>
    rows.find(({ key }) => key['id'] === String(id))
  const tried = [
    ...ids.map((id) => ({
      statement: `update notes set ${assignments(set.changes)} where id = ${id}`,
      row: rowOf(update, id),
    })),
    ...ids.map((id) => ({
      statement: `delete from notes where id = ${id}`,
      row: rowOf(remove, id),
    })),
    { statement: `insert into notes (${names}) values (${values})`, row: insert.rows[0] },
  ]
  const outcomes = await really(
    who,
    tried.map(({ statement }) => statement),
  )
  return tried.flatMap(({ statement, row }, index) =>
    (outcomes[index] === 'allowed') === row?.allowed
      ? []
      : [
          `${statement} as ${who.identity.label}: Postgres ${outcomes[index]}, explained ${row?.reason}\n${set.sql}`,
        ],
  )
}

it(`explained verdicts agree with Postgres over ${SETS} policy sets`, async () => {
  const wrong: string[] = []
  for (const [index, set] of policySets(SETS, SEED).entries()) {
    facts = undefined
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
  // The policy sets are useful: they allow some rows and refuse others.
  expect(tally.allowed).toBeGreaterThan(tally.rows / 10)
  expect(tally.allowed).toBeLessThan((tally.rows * 9) / 10)
}, 600_000)
