// The output and exit codes of `tenantry mailbox`, for users and scripts.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthWorld, granted, PASSWORD, startAuthWorld } from '../../support/auth-world.ts'
import { runCli } from '../../support/cli-run.ts'
import type { Json } from '../../support/test-emulator.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
  await world.settings({ confirm_email: true })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.at.call('DELETE', '/_emulator/v1/mailbox'))

const run = (args: readonly string[], url = world.at.url) =>
  runCli(['mailbox', '--url', url, ...args]).ended

async function sendTo(email = world.freshEmail()): Promise<string> {
  granted(await world.auth('POST', '/signup', { email, password: PASSWORD }))
  return email
}

const newest = async () =>
  (await world.at.call('GET', '/_emulator/v1/mailbox?limit=1')).body.messages[0]

describe('tenantry mailbox', () => {
  it('lists messages with their links, the newest last', async () => {
    const [first, second] = [await sendTo(), await sendTo()]
    const { code, stdout, stderr } = await run([])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      new RegExp(`email to ${first}  proj_shop.*email to ${second}  proj_shop`, 's'),
    )
    expect(stdout).toContain(`    link  ${(await newest()).link}\n`)
  })

  it('prints only the newest link for a recipient', async () => {
    const email = await sendTo()
    const { link } = await newest()
    await sendTo()
    const { code, stdout } = await run(['--to', email, '--link'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${link}\n` })
  })

  it('prints the response of the API with --json', async () => {
    const email = await sendTo()
    const listed = await run(['--json', '--project', world.tenant.slug])
    expect(JSON.parse(listed.stdout)).toMatchObject({ messages: [{ to: email }] })
    const waited = await run(['--json', '--wait', '0'])
    expect(JSON.parse(waited.stdout)).toMatchObject({ to: email })
  })

  it('waits for the next message and prints it in full', async () => {
    const email = world.freshEmail()
    const waiting = run(['--wait', '20', '--to', email])
    await sendTo()
    await sendTo(email)
    const { code, stdout } = await waiting
    expect(code).toBe(0)
    expect(stdout).toContain(`email to ${email}`)
    expect(stdout).toContain('    Someone signed up for shop with this address.')
  })

  it('ends with exit code 2 and an error message when no message matches', async () => {
    const email = await sendTo()
    expect(await run(['--to', email, '--code'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `tenantry: There is no message with a code to ${email} in the mailbox.\n`,
    })
    expect(await run(['--to', 'nobody@x.test', '--wait', '0.05'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'tenantry: No message to nobody@x.test came within 0.05 seconds.\n',
    })
  })

  it('empties the mailbox', async () => {
    await sendTo()
    expect(await run(['--clear'])).toMatchObject({ code: 0, stdout: 'Removed 1 message.\n' })
    expect(await run([])).toMatchObject({ code: 2, stdout: 'The mailbox has no such messages.\n' })
  })

  it('reports when no emulator or another program answers at the address', async () => {
    const other = await listening(createServer((_, response) => response.end('<html>')))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    expect(await run([], url)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^tenantry: The program at .* is not an emulator\. .*--url\.\n$/,
      ),
    })
    await new Promise((resolve) => other.close(resolve))
    expect(await run([], url)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `tenantry: No emulator answers at ${url}. Start one with "tenantry start", or choose one of "tenantry list" with --url.\n`,
    })
  })

  it('prints the error message of a refusal by the emulator', async () => {
    const { code, stderr } = await run(['--project', 'nobody'])
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'tenantry: There is no project nobody. Name it by schema name, slug or id.\n',
    })
  })

  it.each([
    [['--url', 'nowhere'], /nowhere is not a valid address/],
    [['--code', '--link'], /'--code' cannot be used with option '--link'/],
    [['--wait', 'x'], /number of seconds/],
    [['--limit', '0'], /1 to 1000/],
    [['--channel', 'fax'], /--channel/],
    [['--clear', '--wait'], /'--clear' cannot be used/],
  ])('refuses %j', async (args, sentence) => {
    const { code, stdout, stderr } = await runCli(['mailbox', ...args]).ended
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
  })
})

describe('tenantry start', () => {
  it('logs each message in one line', async () => {
    const cli = runCli(['start', '--memory', '--port', '0', '--json', '--fixture', 'none'])
    const { auth_url: url, platform } = await cli.ready
    const send = async (method: string, path: string, body: object, headers: HeadersInit = {}) =>
      (
        await fetch(url + path, {
          method,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      ).json() as Promise<Json>
    const project = await send(
      'POST',
      '/platform/v1/projects',
      { name: 'aurora', slug: 'aurora' },
      { authorization: `Bearer ${platform.session_token}` },
    )
    await send('PATCH', '/_emulator/v1/projects/aurora/auth-settings', { confirm_email: true })
    const body = { email: 'new@x.test', password: PASSWORD }
    await send('POST', '/auth/v1/signup', body, { apikey: project.anon_key })
    cli.child.kill('SIGINT')
    const { stderr } = await cli.ended
    expect(stderr).toMatch(
      /^email to new@x\.test \(proj_aurora, confirmation\): http:\/\/127.*\/auth\/v1\/verify\?.*\n$/,
    )
  })
})

function listening(server: Server): Promise<Server> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}
