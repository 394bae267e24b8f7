// `tenantry doctor`: each fault is provoked on a real machine, as far as a test can. Faults of the installation itself are in
// test/unit/cli/doctor.test.ts.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CLI_COMMAND, type Ended, spawnCliIn, temporaryFolder } from '../../support/cli-process.ts'
import { TEST_DATABASE_URL } from '../../support/engine-of-run.ts'
import { noNativeServer } from '../../support/native-server.ts'
import { mountDisk, unmountDisk } from '../../support/small-disk.ts'

interface Report {
  readonly version: string
  readonly ok: boolean
  readonly findings: readonly Finding[]
}
interface Finding {
  readonly check: string
  readonly state: 'ok' | 'note' | 'problem'
  readonly found: string
  readonly repair: string | null
}

const folder = temporaryFolder()
afterAll(() => folder.remove())
/** A folder of its own for each test, as a user's project. */
const project = (): string => mkdtempSync(join(folder.path, 'project-'))
const IS_ROOT = process.getuid?.() === 0
/** An account without rights. */
const OTHER_ACCOUNT = {
  uid: 65_534,
  gid: 65_534,
  env: { ...process.env, HOME: '/nonexistent', TMPDIR: '/tmp' },
}
/** Why the tests cannot use another account. */
const unreachable =
  IS_ROOT &&
  spawnSync(CLI_COMMAND[0] ?? '', ['--version'], { cwd: '/', ...OTHER_ACCOUNT }).status !== 0
    ? ' (skipped: other accounts cannot run this program)'
    : undefined

const foreign: string[] = []
afterAll(() => {
  for (const own of foreign) rmSync(own, { recursive: true, force: true })
})

/** Returns a folder that the account of `asOtherAccount` can read, and cannot write. Another account may not enter TMPDIR. */
function foreignFolder(): string {
  if (IS_ROOT) {
    const own = mkdtempSync('/tmp/tenantry-doctor-')
    foreign.push(own)
    chmodSync(own, 0o755)
    return own
  }
  const own = project()
  chmodSync(own, 0o555)
  return own
}

/** Ports that no test of this machine uses by default, so that a running emulator does not disturb. */
const FREE = ['--port', '0']

async function diagnose(
  cwd: string,
  args: readonly string[] = FREE,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly ended: Ended; readonly report: Report; of(check: string): Finding }> {
  const ended = await spawnCliIn(cwd, ['doctor', '--json', ...args], env).ended
  const report = JSON.parse(ended.stdout) as Report
  const of = (check: string): Finding => {
    const found = report.findings.find((finding) => finding.check === check)
    if (found === undefined) throw new Error(`no finding ${check} in ${ended.stdout}`)
    return found
  }
  return { ended, report, of }
}

/** Runs an emulator of the folder until the test ends it. */
async function running(cwd: string, ...options: readonly string[]) {
  const run = spawnCliIn(cwd, ['start', '--json', '--fixture', 'none', ...options])
  const { auth_url: url } = await run.ready
  return {
    port: Number(new URL(url).port),
    pid: run.child.pid ?? 0,
    async stop() {
      run.child.kill('SIGTERM')
      await run.ended
    },
  }
}

describe('tenantry doctor', () => {
  it('ends with 0 on a healthy machine, and shows one line for each check', async () => {
    const { code, stderr, stdout } = await spawnCliIn(project(), ['doctor', ...FREE]).ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Tenantry \d+\.\d+\.\d+, Node \d+\.\d+\.\d+, \w+ \w+\n/)
    expect(stdout).toMatch(/\n✓ Node +/)
    expect(stdout).toMatch(/\n✓ Data folder +.*first start creates it/)
    expect(stdout).toMatch(/\nNo problems\.( \d+ notes?\.)?\n$/)
    expect(stdout.split('\n').length).toBeLessThan(25)
  })

  it('starts the database engine, and leaves no file behind', async () => {
    const cwd = project()
    const { of, report } = await diagnose(cwd)
    expect(of(TEST_DATABASE_URL === undefined ? 'engine' : 'server').state).toBe('ok')
    expect(report.ok).toBe(true)
    expect(readdirSync(cwd)).toEqual([])
  })

  it('names the program’s port that is taken, and how to choose another one', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { ended, of } = await diagnose(project(), ['--port', String(port)])
    other.close()
    expect(of('http_port')).toEqual({
      check: 'http_port',
      state: 'problem',
      found: `Port ${port} on 127.0.0.1 is in use by another program.`,
      repair: expect.stringContaining('--port auto'),
    })
    expect(ended.code).toBe(1)
  })

  it('names the port of Postgres clients that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as { port: number }
    const { of } = await diagnose(project(), [...FREE, '--postgres-port', String(port)])
    other.close()
    expect(of('postgres_port').state).toBe('problem')
    expect(of('postgres_port').repair).toContain('--postgres-port')
  })

  it('reads a fixture with problems, and names the command that lists them', async () => {
    const cwd = project()
    mkdirSync(join(cwd, 'tenantry'))
    writeFileSync(join(cwd, 'tenantry', 'fixture.yaml'), 'gruops: []\n')
    const { ended, of } = await diagnose(cwd)
    expect(of('application').found).toContain('gruops')
    expect(of('application').repair).toContain('tenantry fixture check tenantry')
    expect(ended.code).toBe(1)
  })

  it('reports a browser that CHROMIUM names and that does not exist', async () => {
    const { of } = await diagnose(project(), FREE, { CHROMIUM: '/nowhere/chromium' })
    expect(of('browser').state).toBe('problem')
    expect(of('browser').found).toContain('/nowhere/chromium')
  })

  it('notes an address in the environment at which no emulator answers', async () => {
    const { of } = await diagnose(project(), FREE, { TENANTRY_AUTH_URL: 'http://127.0.0.1:9' })
    expect(of('environment').state).toBe('note')
    expect(of('environment').repair).toContain('unset TENANTRY_AUTH_URL')
  })

  it('reports a database server that does not answer, without its password', async () => {
    const { ended, of } = await diagnose(project(), FREE, {
      TENANTRY_DATABASE_URL: 'postgres://app:secret-word@127.0.0.1:1/work',
    })
    expect(of('server').state).toBe('problem')
    expect(of('server').found).toContain('127.0.0.1:1')
    expect(ended.stdout + ended.stderr).not.toContain('secret-word')
    expect(ended.code).toBe(1)
  })
})

describe('tenantry doctor, for a data folder', () => {
  let cwd: string
  beforeAll(async () => {
    cwd = project()
    await (await running(cwd, '--port', '0')).stop()
  })
  /** A copy of a data folder that a start has left. */
  const copy = (): string => {
    const made = project()
    cpSync(join(cwd, '.tenantry'), join(made, '.tenantry'), { recursive: true })
    return made
  }

  it('finds no fault in the data folder of an ended start, and does not change it', async () => {
    const before = readdirSync(join(cwd, '.tenantry'))
    const { of } = await diagnose(cwd)
    expect(of('data_dir').state).toBe('ok')
    expect(readdirSync(join(cwd, '.tenantry'))).toEqual(before)
  })

  it('names the emulator that runs on it, and counts its ports as healthy', async () => {
    const own = project()
    const emulator = await running(own, '--port', '0')
    const { report, of } = await diagnose(own, ['--port', String(emulator.port)])
    await emulator.stop()
    expect(of('data_dir').found).toContain(`process ${emulator.pid}`)
    expect(of('http_port').state).toBe('ok')
    expect(report.ok).toBe(true)
  })

  it('names the folder whose emulator has the port', async () => {
    const own = project()
    const emulator = await running(own, '--port', '0')
    const { of } = await diagnose(project(), ['--port', String(emulator.port)])
    await emulator.stop()
    expect(of('http_port').found).toContain(own)
    expect(of('http_port').repair).toContain(`tenantry stop --pid ${emulator.pid}`)
  })

  it('names the process that locked it and does not answer', async () => {
    const own = copy()
    writeFileSync(join(own, '.tenantry', 'tenantry.lock'), JSON.stringify({ pid: process.pid }))
    const { ended, of } = await diagnose(own)
    expect(of('data_dir').state).toBe('problem')
    expect(of('data_dir').found).toContain(`process ${process.pid}`)
    expect(ended.code).toBe(1)
  })

  it('refuses a data folder of a newer release', async () => {
    const own = copy()
    const db = new Database(join(own, '.tenantry', 'platform.db'))
    db.prepare("update schema_versions set version = 999 where layer = 'storage'").run()
    db.close()
    const { ended, of } = await diagnose(own)
    expect(of('data_dir').found).toContain('written by a newer release (storage is at version 999')
    expect(of('data_dir').repair).toContain('Use the newer release')
    expect(ended.code).toBe(1)
  })

  it.skipIf(TEST_DATABASE_URL !== undefined)(
    'refuses a data folder whose database another PostgreSQL version wrote',
    async () => {
      const own = copy()
      writeFileSync(join(own, '.tenantry', 'postgres', 'PG_VERSION'), '12\n')
      const { of } = await diagnose(own)
      expect(of('data_dir').state).toBe('problem')
      expect(of('data_dir').found).toContain('PostgreSQL 12')
    },
  )

  it.skipIf(TEST_DATABASE_URL !== undefined)(
    'refuses another engine than that of the data folder',
    async () => {
      const { of } = await diagnose(cwd, [...FREE, '--engine', 'postgres'])
      expect(of('data_dir').found).toContain('is in the embedded engine')
      expect(of('data_dir').repair).toContain('--engine embedded')
    },
  )

  it.skipIf(unreachable !== undefined)(
    `reports a folder that this account may not write${unreachable ?? ''}`,
    async () => {
      const own = foreignFolder()
      const report = await asOtherAccount(own)
      const found = report.findings.find(({ check }) => check === 'data_dir')
      expect(found).toMatchObject({
        state: 'problem',
        repair: expect.stringContaining('--data-dir'),
      })
      expect(report.ok).toBe(false)
    },
  )
})

/** Runs the command as an account that may not write the folder. */
async function asOtherAccount(cwd: string): Promise<Report> {
  const [program = '', ...args] = CLI_COMMAND
  const child = spawn(program, [...args, 'doctor', '--json', ...FREE], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(IS_ROOT ? OTHER_ACCOUNT : {}),
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(text) as Report
}

const small = mkdtempSync(join(folder.path, 'disk-'))
const hasDisk = mountDisk(small, 16)
afterAll(() => {
  if (hasDisk) unmountDisk(small)
})

describe.skipIf(!hasDisk)(
  `tenantry doctor${hasDisk ? '' : ' (skipped: only root mounts a disk)'}`,
  () => {
    it('reports a disk with too little space', async () => {
      const { ended, of } = await diagnose(small)
      expect(of('disk')).toMatchObject({
        state: 'problem',
        repair: expect.stringContaining('Free'),
      })
      expect(ended.code).toBe(1)
    })

    it('reports a disk that can only be read', async () => {
      mkdirSync(join(small, '.tenantry'))
      execFileSync('mount', ['-o', 'remount,ro', small])
      const { of } = await diagnose(small)
      expect(of('data_dir').found).toMatch(/can only be read/)
    })
  },
)

describe.skipIf(noNativeServer !== undefined)('tenantry doctor --engine postgres', () => {
  it('finds the native server of the package', async () => {
    const { of } = await diagnose(project(), [...FREE, '--engine', 'postgres'])
    expect(of('server')).toMatchObject({ state: 'ok' })
    expect(of('server').found).toMatch(/PostgreSQL 1[78]/)
  })
})
