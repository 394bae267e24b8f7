// `tenantry exec -- <command>` in a CI job: the environment of the command, the remaining files and processes, and exit codes.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { connectionSettings, type ReadyLine } from '../../../emulator/index.ts'
import {
  type CliProcess,
  spawnCli,
  spawnCliIn,
  temporaryFolder,
} from '../../support/cli-process.ts'
import { onlyEmbedded } from '../../support/engine-of-run.ts'
import { writeFixture } from '../../support/fixture-folder.ts'
import { until } from '../../support/until.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const exec = (options: readonly string[], script: string): CliProcess =>
  spawnCli(['exec', ...options, '--', process.execPath, '-e', script])

const BARE = ['--fixture', 'none']

describe('tenantry exec', () => {
  it('passes addresses and keys to the command, prints nothing itself, and ends with the command’s exit code', async () => {
    const report = join(folder.path, 'passed.json')
    const { code, stdout, stderr } = await exec(
      ['--tenant', 'boavista', '--report', report],
      `const { TENANTRY_INFO, TENANTRY_ANON_KEY: key, TENANTRY_DATA_URL: url } = process.env
       const own = Object.entries(process.env).filter(([name]) => name.startsWith('TENANTRY_'))
       fetch(url + '/treatments?limit=1', { headers: { apikey: key, authorization: 'Bearer ' + key } })
         .then((answer) => answer.json())
         .then((rows) => console.log(JSON.stringify({ rows, own: Object.fromEntries(own) })))`,
    ).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { rows, own } = JSON.parse(stdout)
    expect(rows).toHaveLength(1)
    const { TENANTRY_INFO: info, ...settings } = own
    const ready = JSON.parse(info) as ReadyLine
    // Ignores the variables that choose the engine of this run, which the command also gets.
    const given = Object.entries(settings).filter(([name]) => !/ENGINE|DATABASE_URL/.test(name))
    expect(Object.fromEntries(given)).toEqual(connectionSettings(ready, 'boavista'))
    expect(ready.groups[0]?.tenants.map(({ slug }) => slug)).toEqual(['aurora', 'boavista'])
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ exit_code: 0, refused: [] })
  })

  it('shows the last refused requests with their reasons when the command fails', async () => {
    const script = `const { TENANTRY_DATA_URL: url, TENANTRY_ANON_KEY: key } = process.env
       const headers = { apikey: key, authorization: 'Bearer ' + key }
       await fetch(url + '/treatments', { headers })
       await fetch(url + '/nowhere', { headers })
       process.exit(7)`
    const { code, stdout, stderr } = await exec([], script).ended
    expect({ code, stdout }).toEqual({ code: 7, stdout: '' })
    expect(stderr).toMatch(/^tenantry: The command ended with 7\. The request that was refused:\n/)
    expect(stderr).toMatch(/ {2}404 PGRST205 {2}GET \/nowhere {2}proj_aurora anon\n {6}\S.*nowhere/)
    expect(stderr).not.toContain('treatments?')
    expect(stderr.trimEnd().split('\n')).toHaveLength(3)
  })

  it('explains refusals of tenants that the command has purged, with the reasons at the time of the refusal', async () => {
    const script = `const { TENANTRY_AUTH_URL: url, TENANTRY_GROUP_ID: group, TENANTRY_GROUP_API_KEY: key } = process.env
       const call = async (method, path, headers, body) =>
         (await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })).json()
       const asGroup = { authorization: 'Bearer ' + key }
       const tenants = '/groups/v1/' + group + '/tenants'
       const { anon_key: apikey } = await call('POST', tenants, asGroup, { slug: 'shortlived' })
       const account = { email: 'new@patients.test', password: 'correct horse' }
       const { data_plane_token: token } = await call('POST', '/auth/v1/signup', { apikey }, account)
       await call('POST', '/treatments', { apikey, authorization: 'Bearer ' + token }, { name: 'x', minutes: 30, price: 1 })
       await call('POST', '/auth/v1/signin', { apikey }, { ...account, password: 'another one' })
       await call('DELETE', tenants + '/shortlived/purge', asGroup, { confirm_slug: 'shortlived' })
       process.exit(1)`
    const { stderr } = await exec([], script).ended
    const [, , policy, , password] = stderr.trimEnd().split('\n').slice(-5)
    expect(stderr).toMatch(/403 42501 {2}POST \/treatments {2}proj_shortlived authenticated\n/)
    expect(policy).toMatch(/new@patients\.test: managers_edit_treatments/)
    expect(password).toMatch(/The user new@patients\.test exists in proj_shortlived: the password/)
    expect(stderr).not.toMatch(/purged|recorded only/)
  })

  it('exits with the signal’s code when a signal ended the command, and prints JSON on request', async () => {
    const { code, stderr } = await exec([...BARE, '--json'], "process.kill(process.pid, 'SIGKILL')")
      .ended
    expect(code).toBe(137)
    expect(JSON.parse(stderr)).toEqual({
      exit_code: 137,
      signal: 'SIGKILL',
      started_ms: expect.any(Number),
      command_ms: expect.any(Number),
      refused: [],
    })
  })

  it('passes a signal on to the command, and waits until the command ends', async () => {
    const started = join(folder.path, 'started')
    const cli = exec(
      BARE,
      `process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1e6); require('fs').writeFileSync('${started}', '')`,
    )
    await until(() => existsSync(started), 50_000)
    cli.child.kill('SIGTERM')
    expect((await cli.ended).code).toBe(5)
  })

  it('leaves no process running, neither the command nor its child processes, even when exec itself is killed', async () => {
    const pids = join(folder.path, 'pids')
    const left = await spawnCli(['exec', ...BARE, '--', 'sh', '-c', 'sleep 1000 & echo $!']).ended
    expect(isAlive(Number(left.stdout))).toBe(false)

    // The command kills the process that started it as soon as it runs.
    const script = `sleep 1000 & echo $$ $! > ${pids}; kill -s KILL $PPID; wait`
    const killed = await spawnCli(['exec', ...BARE, '--', 'sh', '-c', script]).ended
    expect(killed.signal).toBe('SIGKILL')
    const [command, grandchild] = readFileSync(pids, 'utf8').trim().split(' ')
    await until(() => !(isAlive(Number(command)) || isAlive(Number(grandchild))), 20_000)
  })

  it('exits with 127, 125 or 1 when the command never ran', async () => {
    const run = (args: readonly string[]) => spawnCli(['exec', ...args]).ended
    expect(await run(['--fixture', '/nowhere', '--', 'no-such-command-here'])).toMatchObject({
      code: 127,
      stderr: 'tenantry: There is no command no-such-command-here.\n',
    })
    expect(await run(['--tenant', 'nobody', '--', 'true'])).toMatchObject({
      code: 125,
      stderr: 'tenantry: There is no tenant nobody. Choose one of: aurora, boavista.\n',
    })
    expect(await run(['--fixture', '/nowhere', '--', 'true'])).toMatchObject({
      code: 125,
      stderr: expect.stringMatching(/^tenantry: .*There is no fixture/),
    })
    expect(await run([])).toMatchObject({ code: 1, stderr: expect.stringContaining('command') })
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie process counts as ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const { describe: describeImage } = onlyEmbedded('only the embedded engine starts from an image')

describeImage('the image of an application’s steps', () => {
  it('is made by the first run in a folder, and used by later runs', async () => {
    const project = temporaryFolder()
    onTestFinished(() => project.remove())
    mkdirSync(join(project.path, 'node_modules'))
    const fixture = writeFixture(project.path, {
      'fixture.yaml': `groups:
  - name: Shop
    template: { slug: shop, migrations: migrations }
    tenants: [{ slug: acme }, { slug: globex }]
`,
      'migrations/20260101000000_marks.sql': `create table marks (id uuid default gen_random_uuid());
insert into marks default values;
`,
    })
    const mark = async (): Promise<string> => {
      const script = `const { inspector_url: url } = JSON.parse(process.env.TENANTRY_INFO)
const answer = await fetch(new URL('/_emulator/v1/projects/shop/sql', url), {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ sql: 'select id from marks', identity: 'owner' }),
})
console.log((await answer.json()).results[0].rows[0][0])`
      const command = [process.execPath, '--input-type=module', '-e', script]
      const options = ['exec', '--fixture', fixture, '--', ...command]
      const { code, stderr, stdout } = await spawnCliIn(project.path, options, { CI: '' }).ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      return stdout
    }
    const first = await mark()
    const second = await mark()
    expect(second).not.toBe(first)
    // If the step had run again, the random value would differ.
    expect(await mark()).toBe(second)
    const cache = join(project.path, 'node_modules', '.cache', 'tenantry')
    expect(readdirSync(cache).filter((name) => name.endsWith('.img'))).toHaveLength(1)
  })
})
