// Code of copied requests runs: code with `fetch` runs in Node.js, and tests run with vitest as in an application.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../emulator/assembly/testing/actor.ts'
import type { RequestDetail } from '../../../../emulator/contract/recording.ts'
import { fetchCode } from '../../../../renderer/parts/fetch-code.ts'
import { testCode } from '../../../../renderer/parts/test-code.ts'
import {
  createGroup,
  type Json,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
} from '../../../support/test-emulator.ts'
import { untilAsync } from '../../../support/until.ts'

const ANA = '00000000-0000-4000-8000-00000000000a'
const SCHEMA = `create table notes (id bigint generated always as identity primary key,
  owner uuid not null default auth.uid(), body text not null);
alter table notes enable row level security;
create policy own on notes to authenticated using (owner = auth.uid())
  with check (owner = auth.uid() and auth.jwt() ->> 'aal' = 'aal2');
create table secrets (id bigint primary key);
revoke all on secrets from anon, authenticated;`

const VITEST = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
)

let at: TestEmulator
let app: string
let ana: Actor
let anonKey: string
let reader: AbortController
const details: RequestDetail[] = []

beforeAll(async () => {
  at = await startTestEmulator()
  const group = await createGroup(at, 'copied', { sql: SCHEMA })
  const { slug, anonKey: key } = await provisionTenant(at, group, 'acme')
  anonKey = key
  ana = await at.emulator.as({
    tenant: slug,
    user: ANA,
    claims: { aal: 'aal2', user_metadata: { name: 'O’Hara' } },
  })
  // Opens the event stream, because the emulator keeps bodies while a client reads the stream.
  reader = new AbortController()
  await fetch(`${at.url}/_emulator/v1/events`, { signal: reader.signal })
  const body = JSON.stringify({ body: `it's "quoted" \\ and\nlong \${x}` })
  const headers = { 'content-type': 'application/json', prefer: 'return=representation' }
  await ana.fetch(`${at.url}/notes`, { method: 'POST', headers, body })
  await ana.fetch(`${at.url}/notes?select=body&order=id`)
  await ana.fetch(`${at.url}/secrets`)
  const anon = await at.emulator.as({ tenant: slug })
  await anon.fetch(`${at.url}/notes?id=eq.nonsense`)
  for (const entry of await recorded(4))
    details.push((await at.call('GET', `/_emulator/v1/journal/${entry.request_id}`)).body)
  app = makeApplication()
}, 60_000)
afterAll(async () => {
  reader.abort()
  rmSync(app, { recursive: true, force: true })
  await at[Symbol.asyncDispose]()
})

/** The newest requests to the data plane, oldest first. */
async function recorded(count: number): Promise<readonly Json[]> {
  const find = async () =>
    (await at.call('GET', '/_emulator/v1/journal?service=data')).body.entries.filter(
      ({ target }: Json) => /^\/(notes|secrets)/.test(target),
    )
  await untilAsync(async () => (await find()).length >= count)
  return (await find()).toReversed()
}

/** Makes an application that uses `tenantry/vitest` from this repository's source. */
function makeApplication(): string {
  mkdirSync('.cache', { recursive: true })
  const folder = mkdtempSync(join(resolve('.cache'), 'copied-tests-'))
  const source = (path: string) => JSON.stringify(resolve(path))
  writeFileSync(join(folder, 'schema.sql'), SCHEMA)
  writeFileSync(
    join(folder, 'platform.ts'),
    "import { platformSetup } from 'tenantry/vitest/setup'\nexport const setup = platformSetup({ sql: ['schema.sql'] })\n",
  )
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default {
      resolve: { alias: [
        { find: /^tenantry\\/vitest\\/setup$/, replacement: ${source('emulator/assembly/testing/vitest-setup.ts')} },
        { find: /^tenantry\\/vitest$/, replacement: ${source('emulator/assembly/testing/vitest.ts')} },
      ] },
      test: { globalSetup: ['platform.ts'], maxWorkers: 1, hookTimeout: 120_000, testTimeout: 60_000,
        server: { deps: { external: [/\\/emulator\\//] } } },
    }\n`,
  )
  return folder
}

function run(args: readonly string[], cwd: string): Promise<{ said: string }> {
  const { VITEST_POOL_ID: _pool, VITEST_WORKER_ID: _worker, VITEST: _vitest, ...env } = process.env
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd, env }, (_error, stdout, stderr) =>
      done({ said: stdout + stderr }),
    )
  })
}

describe('a request copied as a test', () => {
  it('passes in its own tenant, and fails when the answer differs', async () => {
    const codes = details.map((detail) => testCode(detail) ?? '')
    expect(codes.map((code) => /toBe\((\d+)\)/.exec(code)?.[1])).toEqual([
      '201',
      '200',
      '403',
      '400',
    ])
    for (const [index, code] of codes.entries())
      writeFileSync(join(app, `copied-${index}.test.ts`), code)
    writeFileSync(join(app, 'wrong.test.ts'), codes[1]?.replace('toBe(200)', 'toBe(204)') ?? '')
    const { said } = await run([VITEST, 'run', '--root', app], app)
    expect(said).toContain('4 passed')
    expect(said).toContain('1 failed')
    expect(said).toContain('expected 200 to be 204')
  }, 180_000)

  it('is not offered for a request without a tenant', () => {
    const [first] = details
    const entry = { ...first?.entry, target: '/platform/v1/session', schema_name: null }
    expect(testCode({ entry, recording: null } as Json)).toBeUndefined()
  })

  it('is not offered when the body of the request was not kept', () => {
    const [written] = details as [RequestDetail]
    const { recording } = written
    const body = { state: 'unwatched', text: null, size_bytes: 9 } as const
    expect(testCode({ ...written, recording: { ...recording, request_body: body } } as Json)).toBe(
      undefined,
    )
  })

  it('is not offered for a request of auth, whose user the test’s tenant lacks', () => {
    const entry = { ...details[3]?.entry, target: '/auth/v1/signin' } as Json
    expect(testCode({ entry, recording: null })).toBe(undefined)
  })

  it('uses its own tenant instead of the recorded tenant in a path', () => {
    const entry = { ...details[3]?.entry, target: `/storage/v1/proj_acme/user?x=\`\${y}\`` } as Json
    expect(testCode({ entry, recording: null })).toContain(
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the copied test contains the placeholder
      'fetch(`/storage/v1/${tenant.schemaName}/user?x=\\`\\${y}\\``)',
    )
  })
})

describe('a request copied as fetch', () => {
  it('runs in Node and gets the recorded status', async () => {
    const [written] = details
    const code = fetchCode(written as RequestDetail, at.url, { token: ana.token, apikey: anonKey })
    const { said } = await run(['--input-type=module', '--eval', code], app)
    expect(said).toMatch(/^201 /)
  })
})
