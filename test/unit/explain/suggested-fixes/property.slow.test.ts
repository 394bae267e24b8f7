// Compares suggested fixes with Postgres, for random policy sets. Each applied fix of a refused row shows the row, and exposes
// exactly the stated number of other rows.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SuggestedFix } from '../../../../emulator/contract/suggested-fixes.ts'
import type { RowCommand } from '../../../../emulator/contract/values.ts'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../../emulator/core/json.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { asPrincipal } from '../../../../emulator/database/as-principal.ts'
import {
  cellText,
  type Engine,
  SqlError,
  type WorkResult,
} from '../../../../emulator/database/engine.ts'
import type { EngineRehearsals } from '../../../../emulator/database/rehearsal.ts'
import { createRowReader } from '../../../../emulator/database/row-reader.ts'
import { verbatim } from '../../../../emulator/database/sql.ts'
import type { ResolvedIdentity } from '../../../../emulator/insight/api-kit/identities.ts'
import { explainRows } from '../../../../emulator/insight/explain/rows/explain-rows.ts'
import { createExplainDeps } from '../../../../emulator/insight/explain/rows/routes.ts'
import { findFixes } from '../../../../emulator/insight/explain/suggested-fixes/find-fixes.ts'
import type { MeasuredIdentity } from '../../../../emulator/insight/explain/suggested-fixes/measured-identities.ts'
import { type PolicySet, policySets, SCHEMA, USERS, WORLD } from '../../../support/policy-sets.ts'
import { createTestTenant, openTestEngine, runAsOwner } from '../../../support/test-engine.ts'

const SETS = Number(process.env['TENANTRY_FIX_SETS'] ?? 60)
const SEED = Number(process.env['TENANTRY_POLICY_SEED'] ?? 20261121)
const schemaName = trusted.schemaName(SCHEMA)
const COLUMNS = 'id, owner, clinic, tag, age, data, flag, tags'

let engine: Engine & EngineRehearsals
let explain: ReturnType<typeof createExplainDeps>

beforeAll(async () => {
  ;({ engine } = await openTestEngine())
  await createTestTenant(engine, SCHEMA)
  await runAsOwner(
    engine,
    SCHEMA,
    `drop view all_notes; drop function body_of; drop table notes; ${WORLD}
     create table kept as select ${COLUMNS} from notes`,
  )
  explain = createExplainDeps(engine, createRowReader(engine), new SystemClock())
}, 60_000)
afterAll(() => engine.close())

function identity(role: 'anon' | 'authenticated', claims: JsonObject): ResolvedIdentity {
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
]
function measuredFor(who: ResolvedIdentity): readonly MeasuredIdentity[] {
  return [who, ...IDENTITIES.filter((one) => one !== who)].flatMap((one, index) => {
    const { role } = one.principal
    const audience = index === 0 ? 'asker' : role === 'anon' ? 'anon' : 'user'
    if (role === 'service_role') return []
    return [{ label: one.identity.label, role, principal: one.principal, audience } as const]
  })
}
const COMMANDS: readonly RowCommand[] = ['select', 'update', 'select', 'delete', 'insert']

const tally = { fixes: 0, changes: new Map<string, number>() }

async function really(who: ResolvedIdentity, text: string): Promise<WorkResult | SqlError> {
  try {
    return await engine.run({
      ...asPrincipal(who.principal, { method: 'GET', path: '/notes', headers: '{}' }),
      mode: 'readWrite',
      statements: [verbatim(text)],
      end: 'rollback',
      timeoutMillis: 8_000,
    })
  } catch (error) {
    if (error instanceof SqlError) return error
    throw error
  }
}

async function shown(who: ResolvedIdentity): Promise<readonly string[] | undefined> {
  const result = await really(who, 'select id from notes order by id')
  if (result instanceof SqlError) return undefined
  return result.results[0]?.rows.map(([id]) => cellText(id) ?? '')
}

function sqlOf(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}

function statementOf(command: RowCommand, id: string, set: PolicySet): string {
  const { changes, newRow } = set
  switch (command) {
    case 'select':
      return `select id from notes where id = ${id}`
    case 'delete':
      return `delete from notes where id = ${id}`
    case 'update': {
      const assigned = Object.entries(changes).map(([name, value]) => `${name} = ${sqlOf(value)}`)
      return `update notes set ${assigned.join(', ')} where id = ${id}`
    }
    case 'insert':
      return `insert into notes (id, ${Object.keys(newRow).join(', ')}) values (100, ${Object.values(newRow).map(sqlOf).join(', ')})`
  }
}

/** Applies the fix. Returns the identity with which the test then repeats the request. */
async function apply(
  { sql, changes }: SuggestedFix,
  who: ResolvedIdentity,
): Promise<ResolvedIdentity> {
  if (changes !== 'claims') {
    await runAsOwner(engine, SCHEMA, sql)
    return who
  }
  const [grants, text] = sql.split(/^select set_config\('request\.jwt\.claims', '(.*)', true\);$/ms)
  if (grants?.trim()) await runAsOwner(engine, SCHEMA, grants)
  const claims = parseJson((text ?? '').replaceAll("''", "'"))
  if (!isJsonObject(claims)) throw new Error(sql)
  return { ...who, principal: { ...who.principal, claims, claimsText: JSON.stringify(claims) } }
}

async function restore(set: PolicySet, fix: SuggestedFix): Promise<void> {
  if (fix.changes === 'row')
    await runAsOwner(
      engine,
      SCHEMA,
      `update notes as n set (owner, clinic, tag, age, data, flag, tags) =
         (select owner, clinic, tag, age, data, flag, tags from kept as k where k.id = n.id)`,
    )
  await runAsOwner(engine, SCHEMA, set.sql)
}

async function check(set: PolicySet, who: ResolvedIdentity, command: RowCommand) {
  const newRow =
    command === 'insert'
      ? { newRow: { id: 100, ...set.newRow } }
      : command === 'update'
        ? { newRow: set.changes }
        : {}
  const question = { schemaName, relation: 'notes', identity: who, command }
  const selection = { limit: 100, offset: 0 }
  const explained = await explainRows(explain, {
    ...question,
    selection,
    isDetailed: false,
    ...newRow,
  })
  const refused = explained.rows.find(({ allowed }) => !allowed)
  if (refused === undefined) return []
  const wrong: string[] = []
  const before = await shown(who)
  const id = refused.key['id'] ?? ''
  const { suggested_fixes: offered } = await findFixes(
    { explain, rehearsals: engine },
    { ...question, key: refused.key, newRow: newRow.newRow, measured: measuredFor(who) },
  )
  for (const fix of offered) {
    tally.fixes += 1
    tally.changes.set(fix.changes, (tally.changes.get(fix.changes) ?? 0) + 1)
    const then = await apply(fix, who)
    const result = await really(then, statementOf(command, id, set))
    const tag = result instanceof SqlError ? result.message : (result.results[0]?.commandTag ?? '')
    if (result instanceof SqlError || tag.endsWith(' 0'))
      wrong.push(`${command} ${id}: ${tag} after ${fix.sql}\n${set.sql}`)
    const after = await shown(then)
    if (command === 'select' && fix.exposes_rows !== null && after !== undefined) {
      const opened = after.filter((one) => one !== id && before?.includes(one) !== true)
      if (before !== undefined && opened.length !== fix.exposes_rows)
        wrong.push(`opens ${opened.length}, said ${fix.exposes_rows}: ${fix.sql}\n${set.sql}`)
    }
    await restore(set, fix)
  }
  return wrong
}

it(`every suggested fix works, over ${SETS} policy sets`, async () => {
  const wrong: string[] = []
  for (const [index, set] of policySets(SETS, SEED).entries()) {
    await runAsOwner(engine, SCHEMA, set.sql)
    const who = IDENTITIES[index % IDENTITIES.length]
    const command = COMMANDS[index % COMMANDS.length]
    if (who === undefined || command === undefined) continue
    wrong.push(...(await check(set, who, command)))
    if (wrong.length > 5) break
  }
  expect(wrong).toEqual([])
  // The policy sets need enough fixes, of every kind.
  expect(tally.fixes).toBeGreaterThan(SETS / 3)
  expect([...tally.changes.keys()].sort()).toEqual(expect.arrayContaining(['claims', 'policy']))
}, 300_000)
