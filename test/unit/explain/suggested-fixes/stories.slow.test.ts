// Suggested fixes in the three stories. For hidden rows of every table and identity, no fix exposes more rows than needed. The
// effect that a fix states equals the effect of applying the fix.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SuggestedFix, SuggestedFixes } from '../../../../emulator/contract/suggested-fixes.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../../support/test-emulator.ts'

/** Number of hidden rows to try for each table and identity. `all` takes half an hour. */
const ROWS = process.env['TENANTRY_STORY_ROWS'] ?? '1'
const TENANTS = ['aurora', 'lumiar', 'serra', 'pico'].slice(0, ROWS === '1' ? 2 : 4)
const STRANGER = { kind: 'user', user: 'eeeeeeee-eeee-4eee-beee-eeeeeeeeeeee' }
const CONSTANT = /\(+\s*(true|1\s*=\s*1|not\s+false|'t'::boolean)\s*\)+|\bor\s+\(*true\b/i

let at: TestEmulator
const tally = { rows: 0, fixes: 0, applied: 0, ofPolicies: 0, advised: 0 }

beforeAll(async () => {
  at = await startTestEmulator()
  for (const fixture of ['clinics', 'shop', ...(ROWS === '1' ? [] : ['quota-edge'])])
    await post('/fixtures/apply', { fixture })
})
afterAll(() => at.emulator.close())

async function post(path: string, body: Json): Promise<Json> {
  const answer = await at.call('POST', `/_emulator/v1${path}`, { body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

const get = async (path: string): Promise<Json> =>
  (await at.call('GET', `/_emulator/v1${path}`)).body

/** The rows of a table that an identity sees, as texts `identity key`. */
async function cells(tenant: string, relation: string, who: readonly Json[]): Promise<Set<string>> {
  const matrix = await post(`/projects/${tenant}/explain/matrix`, {
    relation,
    command: 'select',
    identities: who,
    limit: 1_000,
  })
  return new Set(
    matrix.rows.flatMap(({ cells: all, key }: Json) =>
      all.flatMap(({ allowed }: Json, index: number) =>
        allowed ? [`${index} ${JSON.stringify(key)}`] : [],
      ),
    ),
  )
}

async function run(tenant: string, sql: string): Promise<void> {
  const { error } = await post(`/projects/${tenant}/sql`, { sql, identity: 'owner' })
  expect(error, sql).toBeNull()
}

const literal = (text: string | null): string =>
  text === null ? 'null' : `'${text.replaceAll("'", "''")}'`

interface Place {
  readonly tenant: string
  readonly relation: string
  readonly row: Json
  readonly who: readonly Json[]
}

/** Returns SQL that undoes the fix. */
async function undoing({ relation, row, tenant }: Place, fix: SuggestedFix): Promise<string> {
  if (fix.changes === 'row') {
    const [, column = ''] = /^Set the row’s (\S+) to/.exec(fix.title) ?? []
    const where = Object.entries(row.key).map(
      ([name, cell]) => `${name} = ${literal(String(cell))}`,
    )
    return `update ${relation} set ${column} = ${literal(row.row[column])} where ${where.join(' and ')}`
  }
  const { policies } = (await get(`/projects/${tenant}/policies`)).tables.find(
    ({ name }: Json) => name === relation,
  )
  const [, name] = /^create policy "(\w+)"/.exec(fix.sql) ?? []
  if (name !== undefined) return `drop policy ${name} on ${relation}`
  const altered = policies.filter((one: Json) => fix.sql.includes(`"${one.name}"`))
  return altered
    .map(
      ({ check, name: old, using }: Json) =>
        `alter policy ${old} on ${relation}${using === null ? '' : ` using (${using})`}${check === null ? '' : ` with check (${check})`}`,
    )
    .join(';')
}

/** Applies the fix. Returns the differences between the stated and the real effect. */
async function applied(place: Place, fix: SuggestedFix): Promise<readonly string[]> {
  const { relation, tenant, who } = place
  const before = await cells(tenant, relation, who)
  const undo = await undoing(place, fix)
  await run(tenant, fix.sql)
  const after = await cells(tenant, relation, who)
  await run(tenant, undo)
  tally.applied += 1
  expect(await cells(tenant, relation, who)).toEqual(before)
  const said = fix.effect.changes
    .filter((one) => one.table === relation && one.command === 'select')
    .reduce((sum, { gained }) => sum + gained, 0)
  const gained = [...after].filter((cell) => !before.has(cell))
  const isOfAnon = gained.some((cell) => cell.startsWith('0 '))
  const ofStranger = gained.filter((cell) => cell.startsWith(`${who.length - 1} `))
  return [
    ...(gained.length === said ? [] : [`opens ${gained.length}, said ${said}: ${fix.sql}`]),
    ...(isOfAnon === (fix.effect.opens_to === 'anon') ? [] : [`anon: ${fix.sql}`]),
    ...(fix.changes === 'policy' && ofStranger.length > 0 ? [`stranger: ${fix.sql}`] : []),
  ]
}

function wrongIn({ advice, suggested_fixes: fixes }: SuggestedFixes, isAnon: boolean): string[] {
  const all = fixes.map(({ effect }) => effect.cells ?? Number.POSITIVE_INFINITY)
  const hasPolicy = fixes.some(({ changes }) => changes === 'policy' || changes === 'grant')
  return [
    ...(isAnon ? [] : fixes.filter(({ effect }) => effect.opens_to === 'anon')).map(
      ({ sql }) => `opens to anon: ${sql}`,
    ),
    ...fixes.filter(({ sql }) => CONSTANT.test(sql)).map(({ sql }) => `always true: ${sql}`),
    ...(all.every((one) => (all[0] ?? 0) <= one) ? [] : [`ranking: ${all.join(', ')}`]),
    ...(hasPolicy === (advice === null) ? [] : [`advice: ${advice}`]),
  ]
}

interface Asker {
  readonly tenant: string
  readonly relation: string
  readonly identity: Json
  readonly who: readonly Json[]
}

async function checkRow(asker: Asker, row: Json, isApplied: boolean): Promise<readonly string[]> {
  const { identity, relation, tenant, who } = asker
  const found: SuggestedFixes = await post(`/projects/${tenant}/explain/suggested-fixes`, {
    relation,
    identity: identity.reference,
    command: 'select',
    key: row.key,
  })
  const fixes = found.suggested_fixes
  tally.rows += 1
  tally.fixes += fixes.length
  tally.ofPolicies += fixes.filter(({ changes }) => changes === 'policy').length
  tally.advised += found.advice === null ? 0 : 1
  const wrong = wrongIn(found, identity.role === 'anon')
  const real = fixes.filter(({ changes }) => changes === 'row' || changes === 'policy')
  for (const fix of isApplied ? real : [])
    wrong.push(...(await applied({ tenant, relation, row, who }, fix)))
  return wrong.map((text) => `${tenant}.${relation} ${identity.label}: ${text}`)
}

async function askersOf(tenant: string): Promise<readonly Asker[]> {
  const { identities } = await get(`/projects/${tenant}/identities`)
  const asking = identities.filter(({ role }: Json) => role !== 'service_role')
  const who = [...asking.map(({ reference }: Json) => reference), STRANGER]
  const { tables } = await get(`/projects/${tenant}/policies`)
  return tables
    .filter((table: Json) => !table.is_closed && table.policies.length > 0)
    .flatMap(({ name: relation }: Json) =>
      asking.map((identity: Json) => ({ tenant, relation, identity, who })),
    )
}

it('suggested fixes are narrow and ranked, and have the stated effect', async () => {
  const wrong: string[] = []
  const askers = (await Promise.all(TENANTS.map(askersOf))).flat()
  for (const asker of askers) {
    const { identity, relation, tenant } = asker
    const question = { relation, identity: identity.reference, command: 'select' }
    const { rows } = await post(`/projects/${tenant}/explain`, question)
    const hidden = rows.filter(({ allowed }: Json) => !allowed)
    const some = hidden.slice(0, ROWS === 'all' ? hidden.length : Number(ROWS))
    for (const [index, row] of some.entries())
      wrong.push(...(await checkRow(asker, row, index === 0)))
  }
  expect(wrong).toEqual([])
  // The stories have both kinds of rows: with and without a narrow fix.
  expect(tally.ofPolicies).toBeGreaterThan(4)
  expect(tally.advised).toBeGreaterThan(4)
  expect(tally.applied).toBeGreaterThan(10)
  if (ROWS !== '1') console.log(tally)
}, 3_600_000)
