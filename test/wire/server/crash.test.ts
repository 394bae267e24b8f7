// kill -9 of the emulator, of its server, and of both, while rows are written: no acknowledged row is lost.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type CliProcess, spawnCli } from '../../support/cli-process.ts'
import { noNativeServer, serverFolder } from '../../support/native-server.ts'
import { untilAsync } from '../../support/until.ts'

const WRITERS = 4
const ENOUGH = 150

describe.skipIf(noNativeServer !== undefined)('kill -9 while rows are written', () => {
  const folder = serverFolder('tenantry-crash-')
  afterAll(() => folder.remove())
  const start = (): CliProcess =>
    spawnCli(['start', '--engine', 'postgres', '--data-dir', folder.path, '--port', '0', '--json'])
  const pidFile = join(folder.path, 'postgres-server', 'cluster', 'postmaster.pid')
  const serverPid = (): number =>
    existsSync(pidFile) ? Number.parseInt(readFileSync(pidFile, 'utf8'), 10) : 0
  let killed = 0
  const killServer = (): void => {
    killed = serverPid()
    process.kill(killed, 'SIGKILL')
  }

  it.each([
    ['the emulator', (first: CliProcess) => first.child.kill('SIGKILL')],
    ['its server', () => killServer()],
    [
      'both',
      (first: CliProcess) => {
        killServer()
        first.child.kill('SIGKILL')
      },
    ],
  ])('of %s loses no acknowledged row', async (who, kill) => {
    const first = start()
    const tenant = await tenantOf(first)
    const acknowledged = await writeUntilKilled(tenant, who, () => kill(first))

    const isKilled = who !== 'its server'
    if (isKilled) expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
    const second = isKilled ? start() : first
    const { url, headers } = await tenantOf(second)
    // Waits for a new server process, because sessions of the killed server can still answer before they end.
    let kept: readonly { name: string }[] = []
    await untilAsync(async () => {
      if (serverPid() === killed) return false
      const read = await fetch(`${url}/rooms?select=name`, { headers })
      if (read.status === 200) kept = (await read.json()) as typeof kept
      return read.status === 200
    }, 30_000)
    second.child.kill('SIGINT')
    await second.ended
    const names = new Set(kept.map(({ name }) => name))
    expect(acknowledged.length).toBeGreaterThanOrEqual(ENOUGH)
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
  })
})

interface Tenant {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

async function tenantOf({ ready }: CliProcess): Promise<Tenant> {
  const { data_url: url, groups } = await ready
  const key = groups[0]?.tenants[0]?.service_role_key ?? ''
  return {
    url,
    headers: {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    },
  }
}

/** Lets several writers insert rows. Returns the names of the rows whose insert was answered with 201. */
async function writeUntilKilled(
  { url, headers }: Tenant,
  who: string,
  kill: () => void,
): Promise<readonly string[]> {
  const acknowledged: string[] = []
  let isKilled = false
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let row = 0; !isKilled; row += 1) {
      const name = `${who} ${writer}/${row}`
      const body = JSON.stringify({ name })
      const { status } = await fetch(`${url}/rooms`, { method: 'POST', headers, body })
      if (status === 201) acknowledged.push(name)
      if (acknowledged.length === ENOUGH && !isKilled) {
        isKilled = true
        kill()
      }
    }
  })
  await Promise.allSettled(writers)
  return acknowledged
}
