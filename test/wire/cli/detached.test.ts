// `tenantry start --detach`, and the commands that find the emulator again: `status`, `wait` and `stop`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { runCli } from '../../support/cli-run.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const onFolder =
  (dataDir: string, cli: typeof runCli | typeof spawnCli = runCli) =>
  (command: string, ...args: readonly string[]) =>
    cli([command, '--data-dir', dataDir, ...args]).ended

const FREE = ['--port', '0', '--fixture', 'none']

describe('a detached emulator', () => {
  it('runs when the command returns, and is found and stopped through its data directory', async () => {
    const dataDir = join(folder.path, 'detached')
    const run = onFolder(dataDir)
    const spawned = onFolder(dataDir, spawnCli)
    const started = await spawned('start', '--detach', '--json', ...FREE)
    expect(started).toMatchObject({ code: 0, stderr: '' })
    const { auth_url: url, pid, log } = JSON.parse(started.stdout)
    expect((await fetch(`${url}/_emulator/v1/health`)).status).toBe(200)
    expect(readFileSync(log, 'utf8')).toBe('')

    const status = await run('status', '--json')
    expect(status.code).toBe(0)
    expect(JSON.parse(status.stdout)).toEqual({
      running: true,
      url,
      pid,
      version: expect.stringMatching(/^\d/),
      data_dir: dataDir,
      log,
      platform: {
        email: 'dev@tenantry.test',
        password: expect.stringMatching(/^sdb_dev_/),
      },
      tenants: [],
    })
    expect(await run('wait')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(new RegExp(`runs at ${url}, process ${pid}; no tenants`)),
    })
    expect(await spawned('start', '--detach', ...FREE)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`already: process ${pid}, ${url}\\. Stop it with`)),
    })
    expect(await run('stop')).toMatchObject({ code: 0, stdout: `Stopped process ${pid}.\n` })
    expect(await run('stop', '--json')).toMatchObject({
      code: 2,
      stdout: '{"stopped":false,"pid":null}\n',
    })
    expect(await run('status')).toMatchObject({
      code: 2,
      stdout: `No emulator runs on ${dataDir}.\n`,
    })
  })

  it('that was killed counts as not running', async () => {
    const dataDir = join(folder.path, 'killed')
    const run = onFolder(dataDir)
    const { stdout } = await onFolder(dataDir, spawnCli)(
      'start',
      '--detach',
      '--memory',
      '--json',
      ...FREE,
    )
    process.kill(JSON.parse(stdout).pid, 'SIGKILL')
    expect(await run('wait', '--timeout', '0.2', '--json')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('"running":false'),
    })
  })

  it('that cannot start prints the reason', async () => {
    const run = onFolder(join(folder.path, 'refused'), spawnCli)
    expect(await run('start', '--detach', '--fixture', '/nowhere', '--port', '0')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^tenantry: .*There is no fixture at .*\n$/),
    })
  })
})

describe('an emulator in the foreground', () => {
  it('can be waited for and stopped through its data directory', async () => {
    const dataDir = join(folder.path, 'foreground')
    const run = onFolder(dataDir)
    const cli = spawnCli(['start', '--data-dir', dataDir, '--json', ...FREE])
    const waited = await run('wait', '--json')
    const { auth_url: url } = await cli.ready
    expect(JSON.parse(waited.stdout)).toMatchObject({ url, pid: cli.child.pid })
    // Runs `stop` in a separate process. `stop` blocks until the emulator's process has ended, and this process must collect its
    // exit code.
    expect((await onFolder(dataDir, spawnCli)('stop')).code).toBe(0)
    expect(await cli.ended).toMatchObject({ code: 0, stderr: '' })
    const byAddress = await runCli(['status', '--url', url]).ended
    expect(byAddress).toMatchObject({ code: 2, stdout: `No emulator answers at ${url}.\n` })
  })
})
