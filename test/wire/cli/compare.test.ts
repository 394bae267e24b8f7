// `tenantry compare` replays what `tenantry record` wrote. One emulator plays the hosted platform; the comparison runs its own.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionSettings } from '../../../emulator/index.ts'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import { executeSql, startTestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
const recording = join(folder.path, 'traffic.har')
beforeAll(async () => {
  await using hosted = await startTestEmulator({ deterministicSeed: 'hosted' })
  await hosted.emulator.applyFixture('clinics')
  const settings = connectionSettings(await hosted.emulator.ready(hosted.url), 'aurora')
  const application = resolve('test/support/recorded-application.ts')
  const args = ['--target', hosted.url, '--out', recording, '--', process.execPath, application]
  const { code, stderr } = await spawnCli(['record', ...args], settings).ended
  expect({ code, stderr }).toMatchObject({ code: 0 })
})
afterAll(() => folder.remove())

describe('tenantry compare', () => {
  it.each(['once', 'twice'])(
    'finds no difference between two emulators for an application with the client libraries, %s',
    async () => {
      const args = ['compare', recording, '--fixture', 'clinics', '--json']
      const { code, stdout } = await runCli(args).ended
      const { differences, endpoints, score, skipped } = JSON.parse(stdout)
      expect({ code, score, differences, skipped }).toEqual({
        code: 0,
        score: 100,
        differences: [],
        skipped: [],
      })
      expect(endpoints).toContainEqual({
        method: 'GET',
        route: '/realtime/v1/websocket',
        requests: 1,
        agreeing: 1,
      })
      expect(endpoints).toContainEqual({
        method: 'GET',
        route: '/appointments',
        requests: 3,
        agreeing: 3,
      })
    },
  )

  it('ends with exit code 1 and a diff when the answers of a running emulator differ, and writes JUnit', async () => {
    await using other = await startTestEmulator()
    await other.emulator.applyFixture('clinics')
    const { groups } = await other.emulator.ready(other.url)
    const [aurora] = groups.flatMap(({ tenants }) => tenants)
    if (aurora === undefined) throw new Error('no tenant')
    const tenant = {
      ...aurora,
      schemaName: aurora.schema_name,
      anonKey: aurora.anon_key,
      serviceRoleKey: aurora.service_role_key,
    }
    const sql = "update treatments set price = 1 where name = 'Follow-up'"
    expect((await executeSql(other, tenant, sql)).body).toMatchObject({ rows_affected: 1 })
    const junit = join(folder.path, 'junit.xml')
    const args = ['compare', recording, '--url', other.url, '--junit', junit]
    const { code, stdout } = await runCli(args).ended
    expect(code).toBe(1)
    expect(stdout).toContain(
      [
        '#1 GET /treatments?select=name%2Cprice&order=name.asc&limit=3  as anon in aurora',
        '    body[1].price  (value)',
        '      - 15000',
        '      + 1',
        '',
        'Score 94.7 %: 18 of 19 requests agree, 1 difference.',
      ].join('\n'),
    )
    expect(readFileSync(junit, 'utf8')).toContain(
      '<failure message="value at body[1].price">    body[1].price  (value)\n      - 15000\n      + 1</failure>',
    )
  })

  it('ends with exit code 1 and an error message for a file other than a recording', async () => {
    expect(await runCli(['compare', 'package.json', '--fixture', 'none']).ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^tenantry: package\.json is not a recording of "tenantry record"/,
      ),
    })
  })
})
