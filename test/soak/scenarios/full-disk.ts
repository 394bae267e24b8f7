// A data directory on a small file system of its own, filled to its last byte while requests continue.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fillDisk, mountDisk, unmountDisk } from '../../support/small-disk.ts'
import { isLate } from '../machine.ts'
import { killProduct, requireRunning, runProduct, startProduct } from '../product.ts'
import {
  type Outcome,
  requireThat,
  type Scenario,
  type Site,
  serverHeaders,
  tenantAt,
  withFolder,
  withSite,
} from '../scenario.ts'

const DISK_MIB = 192
const FILLED_MILLIS = 8_000
const RECOVERED_WITHIN_MILLIS = 30_000
const SQL = 'create table notes (id integer primary key, body text)'

export const fullDisk: Scenario = {
  name: 'full-disk',
  title: 'the disk is filled under requests, emptied again, and full at the next start',
  run: () =>
    withFolder(async (folder) => {
      if (!mountDisk(folder, DISK_MIB))
        return { skipped: 'only root can mount a small file system' }
      try {
        return await onSmallDisk(folder)
      } finally {
        unmountDisk(folder)
      }
    }),
}

async function onSmallDisk(folder: string): Promise<Outcome> {
  const dataDir = join(folder, 'data')
  const written = new Set<number>()
  const refused = await withSite(SQL, { dataDir }, async (site) => {
    for (let id = 0; id < 100; id += 1) await write(site, id, written)
    const balloon = fillDisk(folder)
    const statuses = await writeFor(site, FILLED_MILLIS, written)
    requireRunning(site.product)
    rmSync(balloon)
    await recovered(site, written)
    return statuses
  })
  const balloon = fillDisk(folder)
  const again = await startOnFullDisk(dataDir)
  const anew = await startOnFullDisk(join(folder, 'new'))
  requireThat(anew !== 'started', 'a first start succeeded; the disk was not full')
  rmSync(balloon)
  const lost = await lostAfterRestart(dataDir, written)
  requireThat(lost.length === 0, `${lost.length} acknowledged rows are lost: ${lost.slice(0, 5)}`)
  return {
    figures: `${written.size} rows kept, ${refused} requests refused while it was full; a later start: ${again}; a first start: ${anew}`,
  }
}

/** Returns `started`, or the message why the product did not start. */
async function startOnFullDisk(dataDir: string): Promise<string> {
  const cli = runProduct({ dataDir })
  const hasStarted = await cli.ready.then(
    () => true,
    () => false,
  )
  if (hasStarted) cli.child.kill('SIGKILL')
  const { code, stderr } = await cli.ended
  if (hasStarted) return 'started'
  requireThat(code !== 0, 'a start on a full disk ended with 0')
  requireThat(!/\n\s+at /.test(stderr), `a start on a full disk prints a stack: ${stderr}`)
  return stderr.trim()
}

async function write(site: Site, id: number, written: Set<number>): Promise<number> {
  const { status } = await site.product.call('POST', '/notes', {
    headers: serverHeaders(tenantAt(site, 0)),
    body: { id, body: 'x'.repeat(2_000) },
  })
  if (status === 201) written.add(id)
  return status
}

/** Writes rows for this time. Returns the number of refused requests. */
async function writeFor(site: Site, millis: number, written: Set<number>): Promise<number> {
  const end = performance.now() + millis
  let refused = 0
  for (let id = 1_000; performance.now() < end; id += 1) {
    const status = await write(site, id, written)
    if (status >= 400) refused += 1
    requireRunning(site.product)
    await pause(50)
  }
  return refused
}

async function recovered(site: Site, written: Set<number>): Promise<void> {
  const started = performance.now()
  for (let id = 100_000; ; id += 1) {
    if ((await write(site, id, written)) === 201) return
    requireRunning(site.product)
    requireThat(
      !isLate(started, RECOVERED_WITHIN_MILLIS),
      'no row could be written although there is room again',
    )
    await pause(200)
  }
}

async function lostAfterRestart(
  dataDir: string,
  written: ReadonlySet<number>,
): Promise<readonly number[]> {
  const product = await startProduct({ dataDir })
  try {
    const tenant = product.ready.groups.flatMap(({ tenants }) => tenants)[0]
    if (tenant === undefined) throw new Error('the tenant is lost')
    const { body } = await product.call('GET', '/notes?select=id', {
      headers: serverHeaders(tenant),
    })
    const found = new Set<number>(body.map(({ id }: { id: number }) => id))
    return [...written].filter((id) => !found.has(id))
  } finally {
    await killProduct(product)
  }
}
