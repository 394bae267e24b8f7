import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Observation } from '../../../../emulator/core/observation.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import {
  ask,
  noNativeServer,
  serverFolder,
  startTestServer,
} from '../../../support/native-server.ts'
import { until } from '../../../support/until.ts'

const isRoot = process.getuid?.() === 0
const open: RunningServer[] = []
// Most tests share one cluster, because initdb takes longer than starting a server.
const shared = serverFolder()
const dataDir = shared.path

afterEach(closeAll)
afterAll(() => shared.remove())

async function closeAll(): Promise<void> {
  for (const server of open.splice(0)) await server.close()
}

async function start(
  folder = dataDir,
  observe?: (observation: Observation) => void,
): Promise<RunningServer> {
  const server = await startTestServer(folder, observe)
  open.push(server)
  return server
}

function ownFolder(mode: number): string {
  const { path, remove } = serverFolder()
  chmodSync(path, mode)
  onTestFinished(async () => {
    await closeAll()
    remove()
  })
  return path
}

const clusterOf = (folder: string) => join(folder, 'postgres-server', 'cluster')
const cluster = clusterOf(dataDir)

function postmaster(folder = dataDir): number {
  return Number.parseInt(readFileSync(join(clusterOf(folder), 'postmaster.pid'), 'utf8'), 10)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Starts the server in another process, which is killed with -9 later. */
async function startElsewhere(folder = dataDir): Promise<ChildProcess> {
  const support = join(import.meta.dirname, '../../../support/native-server.ts')
  const program = `const { startTestServer } = await import(${JSON.stringify(support)})
    await startTestServer(${JSON.stringify(folder)})
    process.stdout.write('ready')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

async function killHard(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe.skipIf(noNativeServer !== undefined)('a native server', () => {
  it('keeps data, port and secret across restarts', async () => {
    const first = await start()
    await ask(first.address, 'create table kept as select 7 as n')
    await first.close()
    const second = await start()
    expect(await ask(second.address, 'select n from kept')).toBe(7)
    expect(second.address).toEqual(first.address)
    expect(second.secret).toEqual(first.secret)
    expect(second.facts).toMatchObject({ isSuperuser: true, missing: [] })
  })

  it('sorts and folds text as the embedded engine does', async () => {
    const { address } = await start()
    const sorted = `select string_agg(t, '' order by t) from unnest(array['b', 'É', 'a', 'B']) t`
    expect(await ask(address, sorted)).toBe('BabÉ')
    expect(await ask(address, `select lower('ÀÉ')`)).toBe('àé')
  })

  it('accepts only its own password on the loopback port', async () => {
    const { address, clientAddress } = await start()
    expect(await ask({ ...address, ...clientAddress }, 'select 1')).toBe(1)
    await expect(
      ask({ ...address, ...clientAddress, password: 'guess' }, 'select 1'),
    ).rejects.toThrow('password authentication failed')
  })

  it('keeps its passwords in a file that only its account can read', async () => {
    await start()
    expect(statSync(join(dataDir, 'postgres-server', 'server.json')).mode & 0o777).toBe(0o600)
  })

  it('restarts with its data after kill -9, and reports the restart', async () => {
    const observations: Observation[] = []
    const server = await start(dataDir, (observation) => observations.push(observation))
    await ask(server.address, 'create table kept_at_kill as select 7 as n')
    const reasons: string[] = []
    server.onDown((reason) => reasons.push(reason))
    process.kill(postmaster(), 'SIGKILL')
    await until(() => reasons.length > 0)
    expect(server.down).toEqual({ reason: reasons[0], retryAfterSeconds: 1 })
    await until(() => server.restarts === 1)
    expect(await ask(server.address, 'select n from kept_at_kill')).toBe(7)
    expect(observations).toMatchObject([
      { kind: 'engineRestarted', reason: 'the database server ended: signal SIGKILL' },
    ])
    expect(server.down).toBeUndefined()
  })

  it('stops when its emulator is killed, and can start again with the data', async () => {
    const emulator = await startElsewhere()
    const pid = postmaster()
    await killHard(emulator)
    await until(() => !isRunning(pid))
    const server = await start()
    expect(await ask(server.address, 'select 1')).toBe(1)
  })

  it('stops when its emulator is killed after the temporary folder was removed', async () => {
    const temporary = ownFolder(0o755)
    const emulator = await startElsewhere(temporary)
    const pid = postmaster(temporary)
    rmSync(temporary, { recursive: true })
    await killHard(emulator)
    await until(() => !isRunning(pid))
  })

  it('stops a server that an earlier emulator left behind', async () => {
    const emulator = await startElsewhere()
    const leftover = postmaster()
    // Stops the server with SIGSTOP, so that it cannot act on the signal of the process that watches the emulator.
    process.kill(leftover, 'SIGSTOP')
    await killHard(emulator)
    const starting = start()
    process.kill(leftover, 'SIGCONT')
    const server = await starting
    // Waits, because an ended process keeps its id until the system has collected it.
    await until(() => !isRunning(leftover))
    expect(await ask(server.address, 'select 1')).toBe(1)
  })

  it('starts although a stale postmaster.pid names another process', async () => {
    await (await start()).close()
    writeFileSync(join(cluster, 'postmaster.pid'), `${process.pid}\n`)
    const server = await start()
    expect(await ask(server.address, 'select 1')).toBe(1)
  })

  it('takes another port when its earlier port is in use', async () => {
    const first = await start()
    await first.close()
    const other = await startOn(first.clientAddress.port)
    onTestFinished(() => void other.close())
    const second = await start()
    expect(second.clientAddress.port).not.toBe(first.clientAddress.port)
    expect(await ask(second.address, 'select 1')).toBe(1)
  })

  it('reports a requested port that is in use', async () => {
    const other = await startOn(0)
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    await expect(startTestServer(dataDir, undefined, port)).rejects.toMatchObject({
      code: 'server_not_started',
      message: `Port ${port}, on which PostgreSQL should listen, is in use.`,
    })
  })

  it('uses the loopback port when the path of a socket would be too long', async () => {
    const long = join(ownFolder(0o755), 'x'.repeat(90))
    mkdirSync(long)
    const { address } = await start(long)
    expect(address.host).toBe('127.0.0.1')
    expect(await ask(address, 'select 1')).toBe(1)
  })

  it('reports why it does not start, with the end of its log', async () => {
    await (await start()).close()
    const version = join(cluster, 'PG_VERSION')
    const right = readFileSync(version)
    writeFileSync(version, '17\n')
    onTestFinished(() => writeFileSync(version, right))
    await expect(start()).rejects.toMatchObject({
      code: 'server_not_started',
      hint: expect.stringContaining('initialized by PostgreSQL version 17'),
    })
  })

  it.runIf(isRoot)('names the folder that blocks its account when root starts it', async () => {
    const closed = ownFolder(0o700)
    const inside = join(closed, 'between', 'data')
    mkdirSync(inside, { recursive: true })
    await expect(start(inside)).rejects.toMatchObject({
      code: 'server_not_started',
      message: expect.stringContaining(`may not pass ${closed}`),
    })
  })

  it.runIf(isRoot)('opens a private data directory for the group of its account only', async () => {
    const closed = ownFolder(0o700)
    await start(closed)
    expect(statSync(closed).mode & 0o777).toBe(0o710)
  })
})

async function startOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
