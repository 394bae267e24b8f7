// `tenantry logs` prints the requests of an application as they are answered, and the reasons of refusals.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'
import { type CliProcess, spawnCli } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'
import type { Json } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

const SQL = `
  create table notes (id int primary key, owner uuid default auth.uid());
  alter table notes enable row level security;
  create policy own_notes on notes using (owner = auth.uid()) with check (owner = auth.uid());
  grant select, insert on notes to authenticated`

let world: AuthWorld
let ana: Json
beforeAll(async () => {
  world = await startAuthWorld()
  await world.execute(SQL)
  ana = await world.freshUser()
})
afterAll(() => world[Symbol.asyncDispose]())

const command = () => ['logs', '--url', world.at.url]
/** Runs in a separate process, because Ctrl-C ends this command by the default action of the signal. */
const logs = (...options: readonly string[]) => spawnCli([...command(), ...options])
const once = async (...options: readonly string[]) =>
  (await runCli([...command(), '--no-follow', ...options]).ended).stdout

const read = (mark: string) => world.data('GET', `/notes?id=eq.1&select=${mark}:id`, token())
const write = () =>
  world.data('POST', '/notes', token(), { id: 1, owner: '00000000-0000-4000-8000-00000000000b' })
const token = (): string => ana.data_plane_token

/** What the process has printed so far. */
function outputOf({ child }: CliProcess): () => string {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  return () => text
}

const REFUSAL =
  /^\d\d:\d\d:\d\d\.\d{3} {2}403 {2}\d+ ms {2}POST \/notes {2}proj_shop user1@example\.com {2}42501\n {4}The new row is refused for user1@example\.com: own_notes/m

describe('tenantry logs', () => {
  it('prints the newest requests, then each new request, with the reason below a refusal', async () => {
    await read('before')
    const cli = logs()
    const output = outputOf(cli)
    await until(() => output().includes('before:id'), 50_000)
    await read('after')
    await write()
    await until(() => output().includes('own_notes'), 20_000)
    cli.child.kill('SIGINT')
    expect(output().match(/before:id|after:id|own_notes/g)).toEqual([
      'before:id',
      'after:id',
      'own_notes',
    ])
    expect(output()).toMatch(REFUSAL)
    // A command that follows the log does not count as an open inspector, so the emulator keeps no bodies of successful requests.
    const { entries } = (await world.at.call('GET', '/_emulator/v1/journal?search=after&limit=1'))
      .body
    const path = `/_emulator/v1/journal/${entries[0].request_id}`
    const { recording } = (await world.at.call('GET', path)).body
    expect(recording.response_body.state).toBe('unwatched')
  })

  it('selects by refusal, tenant, path, status and identity', async () => {
    await read('picked')
    await write()
    await world.at.call('GET', '/nowhere')
    const [all, refused, path, status, identity, tenant] = await Promise.all([
      once('--last', '3'),
      once('--last', '3', '--refused'),
      once('--last', '3', '--path', 'picked'),
      once('--last', '3', '--status', '403'),
      once('--last', '3', '--identity', 'USER1@example.com', '--status', '2xx'),
      once('--last', '3', '--tenant', 'another'),
    ])
    const targets = (text: string) => text.match(/(GET|POST) \/\w+/g)
    expect(targets(all)).toEqual(['GET /notes', 'POST /notes', 'GET /nowhere'])
    expect(targets(refused)?.slice(-2)).toEqual(['POST /notes', 'GET /nowhere'])
    expect(targets(path)).toEqual(['GET /notes'])
    expect(targets(status)?.at(-1)).toBe('POST /notes')
    expect(targets(identity)?.at(-1)).toBe('GET /notes')
    expect(tenant).toBe('')
  })

  it('counts only the selected requests, however old they are', async () => {
    await world.at.call('GET', '/first-of-two')
    await world.at.call('GET', '/second-of-two')
    for (let more = 0; more < 12; more += 1) await read('newer')
    const [refused, newest] = await Promise.all([
      once('--refused', '--path', 'of-two'),
      once('--refused', '--path', 'of-two', '--last', '1'),
    ])
    expect(refused.match(/GET \/\S+/g)).toEqual(['GET /first-of-two', 'GET /second-of-two'])
    expect(newest.match(/GET \/\S+/g)).toEqual(['GET /second-of-two'])
    const cli = logs('--refused', '--path', 'of-two')
    const output = outputOf(cli)
    await until(() => output().includes('/second-of-two'), 50_000)
    cli.child.kill('SIGINT')
  })

  it('prints a line of JSON for each request', async () => {
    await write()
    expect(JSON.parse(await once('--last', '1', '--json'))).toMatchObject({
      status: 403,
      error_code: '42501',
      email: 'user1@example.com',
      reason: expect.stringContaining('own_notes'),
    })
  })

  it('refuses an invalid status, and ends with exit code 1 when no emulator answers', async () => {
    expect(await logs('--status', '9xx').ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Write a status such as 404'),
    })
    const nowhere = await runCli(['logs', '--url', 'http://127.0.0.1:9']).ended
    expect(nowhere).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No emulator answers'),
    })
  })
})
