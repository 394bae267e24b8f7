// An emulator in a separate process whose disk is full. On Linux, a kernel limit on file sizes simulates the full disk. As root,
// the test fills a small file system.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type CliProcess, spawnCli, temporaryFolder } from '../../support/cli-process.ts'
import { fillDisk, mountDisk, unmountDisk } from '../../support/small-disk.ts'
import { untilAsync } from '../../support/until.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const start = (dataDir: string) =>
  spawnCli(['start', '--data-dir', dataDir, '--port', '0', '--json'])

/** Sets a limit, so that no file can grow. Existing data can still be read. */
function takeRoomAway({ child }: CliProcess): void {
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=1:unlimited'])
}

function giveRoomBack({ child }: CliProcess): void {
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited'])
}

function canLimitFiles(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    return false
  }
}

interface Entry {
  readonly target: string
}

async function journalOf(url: string, search: string): Promise<readonly Entry[]> {
  const answer = await fetch(`${url}/_emulator/v1/journal?limit=200&search=${search}`)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { entries: readonly Entry[] }).entries
}

/** Sends a request that writes to the platform's own database. */
function makeProject(url: string, session: string): Promise<Response> {
  return fetch(`${url}/platform/v1/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'No room', slug: 'noroom' }),
  })
}

async function end(running: CliProcess): Promise<void> {
  running.child.kill('SIGTERM')
  expect(await running.ended).toMatchObject({ code: 0 })
}

describe.skipIf(!canLimitFiles())(
  'a process whose files cannot grow (needs prlimit of Linux)',
  () => {
    it('keeps answering, keeps its journal in memory, and writes the journal when files can grow again', async () => {
      const dataDir = join(folder.path, 'limited')
      const first = start(dataDir)
      const { auth_url: url, platform } = await first.ready
      takeRoomAway(first)
      for (let request = 0; request < 20; request += 1) await fetch(`${url}/lost/${request}`)
      expect(await journalOf(url, '/lost/')).toHaveLength(20)

      const refused = await fetch(`${url}/platform/v1/projects`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${platform.session_token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ name: 'No room', slug: 'noroom' }),
      })
      expect(refused.status).toBe(503)
      expect(await refused.json()).toMatchObject({ error: { code: 'disk_failed' } })

      giveRoomBack(first)
      await fetch(`${url}/lost/afterwards`)
      await end(first)
      const { stderr } = await first.ended
      expect(stderr.match(/write the journal/g)).toHaveLength(2)
      expect(stderr).not.toContain('    at ')

      const second = start(dataDir)
      const again = await second.ready
      expect(await journalOf(again.auth_url, '/lost/')).toHaveLength(21)
      await end(second)
    })
  },
)

const mounted = join(folder.path, 'small')
mkdirSync(mounted)
const isMounted = mountDisk(mounted, 160)
afterAll(() => {
  if (isMounted) unmountDisk(mounted)
})

describe.skipIf(!isMounted)('a full disk (needs the right to mount a file system)', () => {
  it('does not stop the process or the journal, and loses no acknowledged change', async () => {
    const dataDir = join(mounted, 'data')
    const first = start(dataDir)
    const { auth_url: url, data_url: data, groups, platform } = await first.ready
    const key = groups[0]?.tenants[0]?.service_role_key ?? ''
    const headers = {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    }
    const acknowledged: string[] = []
    const insert = async (name: string): Promise<number> => {
      const body = JSON.stringify({ name })
      const { status } = await fetch(`${data}/rooms`, { method: 'POST', headers, body })
      if (status === 201) acknowledged.push(name)
      return status
    }
    expect(await insert('before')).toBe(201)
    const balloon = fillDisk(mounted)
    const refused: number[] = []
    for (let row = 0; refused.length < 3; row += 1) {
      const status = await insert(`row ${row} ${'x'.repeat(4_000)}`)
      if (status !== 201) refused.push(status)
    }
    const made = acknowledged.length + refused.length
    expect(await journalOf(url, '/rooms')).toHaveLength(Math.min(made, 200))
    expect((await makeProject(url, platform.session_token)).status).toBe(507)
    expect(first.child.exitCode).toBeNull()

    rmSync(balloon)
    await untilAsync(async () => (await insert('after')) === 201)
    await end(first)
    const second = start(dataDir)
    const again = await second.ready
    const kept = (await (
      await fetch(`${again.data_url}/rooms?select=name`, { headers })
    ).json()) as { name: string }[]
    const names = new Set(kept.map(({ name }) => name))
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
    await end(second)
  })

  it('makes a start fail with one error message', async () => {
    const balloon = fillDisk(mounted)
    for (const dataDir of ['data', 'new']) {
      const { code, stderr } = await start(join(mounted, dataDir)).ended
      expect(code).toBe(1)
      expect(stderr).toMatch(/^tenantry: The emulator cannot start: the disk of .* is full\..*\n$/)
    }
    rmSync(balloon)
  })
})
