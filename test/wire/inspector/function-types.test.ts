// Compares generated types of functions with the results of REST. Each answer must compile as a value of its generated type.
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  createGroup,
  provisionTenant,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'
import { typedApplication } from '../../support/typed-application.ts'
import { TYPES_SQL, type TypedFunction, typedFunctions } from '../../support/typed-functions.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const COUNT = 200
const SEED = Number(process.env['TYPES_SEED'] ?? 20_261_127)
const LONG_MILLIS = 120_000

const functions = typedFunctions(COUNT, SEED)
let at: TestEmulator
let tenant: TestTenant
beforeAll(async () => {
  at = await workerEmulator()
  const sql = [TYPES_SQL, ...functions.map((one) => one.sql)].join('\n')
  tenant = await provisionTenant(at, await createGroup(at, 'vendor', { sql }), 'typed')
}, LONG_MILLIS)
afterAll(() => at[Symbol.asyncDispose]())

/** Lines that compile when the call and its answer have the generated types. */
async function claimOf({ name, call, parameters, sql }: TypedFunction, index: number) {
  const answer = await at.call('POST', `/rest/v1/rpc/${name}`, {
    credential: tenant.serviceRoleKey,
    headers: { apikey: tenant.anonKey },
    body: call,
  })
  expect(answer, sql).toMatchObject({ status: expect.toBeOneOf([200, 204]) })
  const type = `Extract<Functions['${name}'], { Args: { ${parameters.map((one) => `${one}?: unknown`).join('; ')} } }>`
  const chosen = parameters.length === 0 ? `Functions['${name}']` : type
  return [
    `// ${sql}`,
    `export const r${index}: ${chosen}['Returns'] = ${answer.status === 204 ? 'undefined' : answer.text}`,
    ...(parameters.length === 0
      ? []
      : [`export const a${index}: ${chosen}['Args'] = ${JSON.stringify(call)}`]),
  ]
}

it(
  `types the results of ${COUNT} functions as REST returns them`,
  async () => {
    const { text } = await at.call('GET', '/_emulator/v1/projects/typed/types')
    const claims: string[] = []
    for (const [index, one] of functions.entries()) claims.push(...(await claimOf(one, index)))
    const program = [
      "import type { Database } from './types.ts'",
      "type Functions = Database['proj_typed']['Functions']",
      ...claims,
    ].join('\n')
    using application = typedApplication({ 'types.ts': text, 'program.ts': program })
    expect(await application.compile()).toBe('')
    // Only functions that return `record` may have the type `unknown`, which accepts every value.
    const vague = functions.filter(({ sql }) =>
      /^create function f\d+\(\) returns (setof )?record /.test(sql),
    )
    expect(text.match(/\bunknown\b/g)).toHaveLength(vague.length)
  },
  LONG_MILLIS,
)
