// `tenantry types` against a running emulator.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import { createGroup, provisionTenant, type TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
  const sql = 'create table items (id integer primary key, name text)'
  await provisionTenant(at, await createGroup(at, 'vendor', { sql }), 'typed')
})
afterAll(() => at[Symbol.asyncDispose]())

it('prints the types of a project', async () => {
  const { code, stdout } = await runCli(['types', '--project', 'typed', '--url', at.url]).ended
  expect(stdout).toMatch(/proj_typed: \{\n {4}Tables: \{\n {6}items: \{\n {8}Row: \{/)
  expect(code).toBe(0)
})

it('prints the types of the first tenant when none is named', async () => {
  const { code, stdout } = await runCli(['types', '--url', at.url]).ended
  expect(stdout).toContain('proj_typed: {')
  expect(code).toBe(0)
})

it('reports an unknown project by its name', async () => {
  const { code, stderr } = await runCli(['types', '--project', 'nobody', '--url', at.url]).ended
  expect(stderr).toMatch(/There is no project nobody/)
  expect(code).toBe(1)
})
