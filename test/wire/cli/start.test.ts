// `tenantry start` for a user: its output, its error messages, and how it ends.

import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCli, runCliIn } from '../../support/cli-run.ts'
import { patiently } from '../../support/patience.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const refusesWith = async (args: readonly string[], sentence: RegExp) => {
  const { code, stdout, stderr } = await runCli(args).ended
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
}

/** Returns what the process printed until `end` was printed. */
function textUntil({ child }: CliRun, end: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes(end)) resolve(text)
    })
  })
}

describe('tenantry start', () => {
  it('prints one JSON line with every address and key, and ends within two seconds of Ctrl-C', async () => {
    const cli = spawnCli(['start', '--memory', '--port', '0', '--json'])
    const ready = await cli.ready
    const group = ready.groups[0]
    const tenant = group?.tenants[0]
    expect(ready).toMatchObject({
      auth_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      data_url: ready.auth_url,
      storage_url: `${ready.auth_url}/storage/v1`,
      realtime_url: expect.stringMatching(/^ws:.*\/realtime\/v1$/),
      inspector_url: `${ready.auth_url}/_emulator/`,
      postgres_url: expect.stringMatching(/^postgresql:\/\/127\.0\.0\.1:\d+\/postgres$/),
      data_dir: null,
      platform: {
        email: 'dev@tenantry.test',
        password: expect.stringMatching(/^sdb_dev_[\w-]{43}$/),
        session_token: expect.stringMatching(/^v4\.public\./),
      },
    })
    expect(group).toMatchObject({
      name: 'Clinics',
      template_project_id: 'proj_clinics',
      group_api_key: expect.stringMatching(/^sdb_gk_[\w-]{43}$/),
    })
    expect(group?.tenants.map(({ slug }) => slug)).toEqual(['aurora', 'boavista'])
    expect(tenant).toMatchObject({
      schema_name: 'proj_aurora',
      management_key: expect.stringMatching(/^sdb_pmk_[\w-]{43}$/),
      postgres_url: expect.stringMatching(/^postgresql:\/\/[\w.]+:sdb_pg_[\w-]{43}@127/),
    })
    expect(tenant?.users[0]).toEqual({
      email: 'reception@aurora.test',
      password: 'aurora-reception',
    })

    const read = await fetch(`${ready.data_url}/treatments?select=name&order=price&limit=1`, {
      headers: { apikey: tenant?.anon_key ?? '', authorization: `Bearer ${tenant?.anon_key}` },
    })
    expect(await read.json()).toEqual([{ name: 'Vaccination' }])
    // The log has a single line: the refused request of the application.
    const key = tenant?.anon_key ?? ''
    await fetch(`${ready.data_url}/treatments?colour=eq.red`, {
      headers: { apikey: key, authorization: `Bearer ${key}` },
    })
    const asked = performance.now()
    cli.child.kill('SIGINT')
    const { code, stderr } = await cli.ended
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /^[\d:.]+ {2}400 {2}\d+ ms {2}GET \/treatments\?colour=eq\.red {2}proj_aurora anon {2}42703: .*\n$/,
    )
    expect(performance.now() - asked).toBeLessThan(patiently(2_000))
  })

  it('shows addresses, tenants, two commands and how to stop on one screen when --json is not given', async () => {
    const cli = runCli(['start', '--memory', '--port', '0', '--fixture', 'fixtures/clinics'])
    const text = await textUntil(cli, 'Ctrl-C')
    cli.child.kill('SIGTERM')
    await cli.ended
    expect(text).toMatch(/dashboard account {4}dev@tenantry\.test \/ sdb_dev_/)
    expect(text).toContain('template proj_clinics: tenants aurora, boavista')
    expect(text).toMatch(/npx tenantry env --url http:\S+ --out \.env/)
    expect(text.split('\n').length).toBeLessThan(24)
    expect(text).not.toMatch(/\bey\w{20}/)
  })

  it('applies the application folder of its working directory instead of the demo', async () => {
    const application = join(folder.path, 'application', 'tenantry')
    mkdirSync(application, { recursive: true })
    writeFileSync(
      join(application, 'fixture.yaml'),
      'groups: [{ name: Farms, template: { slug: farms }, tenants: [{ slug: oak }] }]',
    )
    const cli = runCliIn(dirname(application), ['start', '--memory', '--port', '0', '--json'])
    const { groups } = await cli.ready
    cli.child.kill('SIGTERM')
    await cli.ended
    expect(groups.map(({ name }) => name)).toEqual(['Farms'])
  })

  it('suggests a first request that works with a fixture other than the demo', async () => {
    const application = join(folder.path, 'other', 'tenantry')
    mkdirSync(application, { recursive: true })
    writeFileSync(
      join(application, 'fixture.yaml'),
      'groups: [{ name: Farms, template: { slug: farms }, tenants: [{ slug: oak }] }]',
    )
    const cli = runCliIn(dirname(application), ['start', '--memory', '--port', '0'])
    const text = await textUntil(cli, 'Ctrl-C')
    cli.child.kill('SIGTERM')
    await cli.ended
    expect(text).toContain('curl "$TENANTRY_DATA_URL/" ')
  })

  it.skipIf(process.platform !== 'linux').each([
    ['start', '--data-dir', '/proc/x'],
    ['start', '--detach', '--data-dir', '/proc/x/y'],
  ])('names the data directory that cannot be written: %s %s %s', async (...args) => {
    const { code, stderr } = await runCli([...args, '--port', '0']).ended
    expect(stderr).toMatch(/^tenantry: \/proc\/x\S* cannot be written: ENOENT/)
    expect(code).toBe(1)
  })

  it('keeps data and keys from one start to the next', async () => {
    const dataDir = join(folder.path, 'kept')
    const first = runCli(['start', '--data-dir', dataDir, '--port', '0', '--json'])
    const before = await first.ready
    first.child.kill('SIGINT')
    await first.ended
    const second = runCli(['start', '--data-dir', dataDir, '--port', '0', '--json'])
    const after = await second.ready
    expect(after.groups[0]?.group_api_key).toBe(before.groups[0]?.group_api_key)
    expect(after.groups[0]?.tenants[0]?.management_key).toBe(
      before.groups[0]?.tenants[0]?.management_key,
    )
    const oldKey = before.groups[0]?.tenants[0]?.service_role_key ?? ''
    const patients = await fetch(`${after.data_url}/patients?select=name&order=name`, {
      headers: { apikey: oldKey, authorization: `Bearer ${oldKey}` },
    })
    expect(await patients.json()).toHaveLength(4)
    second.child.kill('SIGINT')
    await second.ended
  })

  it('takes the dashboard password and the allowed origins from options and environment', async () => {
    const first = runCli([
      ...['start', '--memory', '--port', '0', '--fixture', 'none', '--json'],
      ...['--dev-password', 'of the option', '--allow-origin', 'http://localhost:3000'],
      ...['--allow-origin', 'HTTP://Localhost:80/'],
    ])
    const readies = [await first.ready]
    const second = runCli(['start', '--memory', '--port', '0', '--fixture', 'none', '--json'], {
      TENANTRY_DEV_PASSWORD: 'of the environment',
      TENANTRY_ALLOW_ORIGIN: 'http://localhost:3000, http://localhost',
    })
    readies.push(await second.ready)
    expect(readies.map(({ platform }) => platform.password)).toEqual([
      'of the option',
      'of the environment',
    ])
    for (const { auth_url: url, platform } of readies)
      for (const [origin, status] of [
        ['http://localhost:3000', 200],
        ['http://localhost', 200],
        ['http://localhost:3001', 403],
      ] as const) {
        const answer = await fetch(`${url}/platform/v1/session`, {
          method: 'POST',
          headers: { origin },
          body: JSON.stringify(platform),
        })
        expect([origin, answer.status]).toEqual([origin, status])
      }
    first.child.kill('SIGTERM')
    second.child.kill('SIGTERM')
    await Promise.all([first.ended, second.ended])
  })

  it.each([
    [['--allow-origin', 'http://localhost:3000/app'], /must be an origin such as .* got "http/],
    [['--allow-origin', '*'], /must be an origin/],
    [['--dev-password', 'short'], /developer\.password: must have at least 8 characters/],
  ])('refuses %j with one sentence', (options, sentence) =>
    refusesWith(['start', '--memory', '--port', '0', ...options], sentence),
  )

  it('refuses a port that is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    await refusesWith(
      ['start', '--memory', '--port', String(port)],
      new RegExp(`^tenantry: Port ${port} .*--port`),
    )
    other.close()
  })

  it('refuses a data directory that a live process uses, and leaves that process alone', async () => {
    const dataDir = join(folder.path, 'busy')
    const holder = spawnCli([
      'start',
      '--data-dir',
      dataDir,
      '--port',
      '0',
      '--json',
      '--fixture',
      'none',
    ])
    const { auth_url: url } = await holder.ready
    await refusesWith(
      ['start', '--data-dir', dataDir, '--port', '0'],
      new RegExp(`^tenantry: .*${holder.child.pid}`),
    )
    expect((await fetch(`${url}/_emulator/v1/health`)).status).toBe(200)
    holder.child.kill('SIGINT')
    expect((await holder.ended).code).toBe(0)
  })

  it('refuses a fixture that cannot be read', async () => {
    await refusesWith(
      ['start', '--memory', '--port', '0', '--fixture', '/nowhere/at/all'],
      /^tenantry: .*There is no fixture at/,
    )
    const file = join(folder.path, 'fixture.yaml')
    writeFileSync(file, 'groups: [{ name: 7, tenants: no }]\n')
    await refusesWith(
      ['start', '--memory', '--port', '0', '--fixture', file],
      /fixture.yaml:1: groups\[0\]\.name.*groups\[0\]\.template/s,
    )
    await refusesWith(
      ['start', '--memory', '--port', '0', '--fixture', folder.path],
      new RegExp(`/${basename(folder.path)}/fixture.yaml:1: groups`),
    )
  })

  it('refuses an unknown flag', async () => {
    await refusesWith(['start', '--prot', '1'], /^tenantry: unknown option '--prot'/)
  })

  it.each([
    [['start', '--port', '70000'], /0 to 65535/],
    [['start', '--port', 'x'], /0 to 65535/],
    [['start', '--log', 'loud'], /--log/],
    [['start', '--memory', '--public-url', 'ftp://x'], /publicUrl.*http/],
    [['start', '--host', '0.0.0.0'], /--admin-token/],
    [['nonsense'], /unknown command/],
  ])('refuses %j', async (args, sentence) => {
    await refusesWith(args, sentence)
  })
})
