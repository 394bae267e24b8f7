// `tenantry list`, `stop --name` and `--port auto`: several emulators of one machine.
import { afterAll, describe, expect, it } from 'vitest'
import { type CliProcess, spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'

// Sets the user's cache folder, which contains the list of emulators.
const folder = temporaryFolder()
const ENV = { XDG_CACHE_HOME: folder.path }
const running: CliProcess[] = []
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  folder.remove()
})

const SMALL = ['--memory', '--fixture', 'none', '--postgres-port', 'none', '--json']

async function start(...args: string[]) {
  const cli = spawnCli(['start', ...SMALL, ...args], ENV)
  running.push(cli)
  return { cli, ready: await cli.ready }
}
const run = (...args: string[]) => runCli(args, ENV).ended
// Runs `stop` in a separate process. `stop` blocks until the emulator's process has ended, and this process must collect its exit
// code.
const stop = (...args: string[]) => spawnCli(['stop', ...args], ENV).ended
const listed = async () => JSON.parse((await run('list', '--json')).stdout)

describe('tenantry list', () => {
  it('shows nothing when no emulator runs', async () => {
    expect(await run('list')).toMatchObject({
      code: 0,
      stdout: 'No emulator runs on this machine.\n',
    })
  })

  it('shows each emulator, finds and stops an emulator by name, and leaves out killed emulators', async () => {
    const named = await start('--port', '0', '--name', 'agent-1')
    const other = await start('--port', '0')
    expect(await listed()).toEqual([
      {
        pid: named.cli.child.pid,
        url: new URL(named.ready.inspector_url).origin,
        folder: process.cwd(),
        data_dir: null,
        fixture: null,
        name: 'agent-1',
        command: 'start',
        started_at: expect.stringMatching(/Z$/),
        memory_bytes: expect.any(Number),
        age_seconds: expect.any(Number),
      },
      expect.objectContaining({ pid: other.cli.child.pid, name: null }),
    ])
    expect((await run('list')).stdout).toMatch(/^name +address[\s\S]+\nagent-1 +http/)

    const taken = await run('start', ...SMALL, '--port', '0', '--name', 'agent-1')
    expect(taken.stderr).toMatch(/"agent-1" runs already: process \d+, http\S+\. Choose another/)
    const env = await run('env', '--name', 'agent-1', '--format', 'json')
    expect(JSON.parse(env.stdout)).toMatchObject({ TENANTRY_AUTH_URL: named.ready.auth_url })

    expect(await stop('--name', 'agent-1')).toMatchObject({ code: 0 })
    expect(await named.cli.ended).toMatchObject({ code: 0 })
    other.cli.child.kill('SIGKILL')
    await other.cli.ended
    expect(await listed()).toEqual([])
  })

  it('refuses an unknown name, and says when no running emulator has a name', async () => {
    const { code, stderr } = await run('stop', '--name', 'nobody')
    expect(stderr).toBe(
      'tenantry: No emulator with the name "nobody" runs. No running emulator has a name. Choose one of "tenantry list" with --url.\n',
    )
    expect(code).toBe(1)
  })
})

describe('--port auto', () => {
  it('uses a port that is derived from the folder, and the next port when the first is taken', async () => {
    const first = await start('--port', 'auto')
    const second = await start('--port', 'auto')
    const ports = [first, second].map(({ ready }) => Number(new URL(ready.auth_url).port))
    // After the last port of the range, 31998, the next port is the first one.
    expect(ports[1]).toBe(ports[0] === 31_998 ? 20_000 : (ports[0] ?? 0) + 2)
    await stop('--pid', String(first.cli.child.pid))
    const again = await start('--port', 'auto')
    expect(Number(new URL(again.ready.auth_url).port)).toBe(ports[0])
  })
})
