// An endless body, a compressed bomb and a huge result, each while another tenant reads.
import { request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { memoryOf } from '../../bench/measure.ts'
import { isLate } from '../machine.ts'
import { settledMemory } from '../product.ts'
import {
  requireThat,
  type Scenario,
  type Site,
  serverHeaders,
  tenantAt,
  timed,
  withFolder,
  withSite,
} from '../scenario.ts'

const MIB = 1 << 20
const ENDLESS_MIB = 1_024
const BOMB_MIB = 600
/** The largest allowed growth of the process's memory during one attack. */
const MAY_GROW_MIB = 500
const ANSWERED_WITHIN_MILLIS = 5_000
/**
 * Number of statements before the attacks. After the first uses of the SQL parser, V8 optimises it once. The optimisation
 * temporarily takes 500 MiB for any statement, which must not count as memory of an attack.
 */
const FIRST_USES = 40
const RESULT = "select repeat('x', 1048576) from generate_series(1, 1000)"

export const largeBodies: Scenario = {
  name: 'large-bodies',
  title: 'a body without end, a gzip bomb of 600 MB and a result of 1 GB',
  run: () =>
    withFolder((folder) =>
      withSite(
        'create table notes (id integer primary key)',
        { dataDir: join(folder, 'data') },
        async (site) => {
          const figures: string[] = []
          for (let use = 0; use < FIRST_USES; use++) await ownerReads(site, 'select 1')
          await settledMemory(site.product)
          for (const [name, attack] of Object.entries(ATTACKS))
            figures.push(`${name} ${await beside(site, name, () => attack(site))}`)
          return { figures: figures.join('; ') }
        },
      ),
    ),
}

const ATTACKS: Readonly<Record<string, (site: Site) => Promise<number>>> = {
  'an endless body': endlessBody,
  'a gzip bomb': async ({ product }) => {
    const response = await fetch(`${product.url}/_emulator/v1/fixtures/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/gzip' },
      body: new Uint8Array(bomb()),
    })
    await response.text()
    return response.status
  },
  'a huge result': (site) => ownerReads(site, RESULT),
}

async function ownerReads({ product, ...site }: Site, sql: string): Promise<number> {
  const { project_id: id, management_key: credential } = tenantAt(site, 0)
  const path = `/platform/v1/projects/${id}/db/exec`
  const { status } = await product.call('POST', path, { credential, body: { sql } })
  return status
}

/** Runs an attack while another tenant reads, and checks memory and the reads' duration. */
async function beside(site: Site, name: string, attack: () => Promise<number>): Promise<string> {
  const memory = () => memoryOf(site.product.pid)?.rssMib ?? 0
  const before = memory()
  let [most, longest, isSlow] = [before, 0, false]
  let isOver = false
  const attacking = attack().finally(() => {
    isOver = true
  })
  do {
    const started = performance.now()
    const { millis, result } = await timed(() =>
      site.product.call('GET', '/notes', { headers: serverHeaders(tenantAt(site, 1)) }),
    )
    requireThat(result.status === 200, `${name}: another tenant got ${result.status}`)
    most = Math.max(most, memory())
    longest = Math.max(longest, millis)
    isSlow ||= isLate(started, ANSWERED_WITHIN_MILLIS)
  } while (!isOver)
  const status = await attacking
  const grown = most - before
  requireThat(status !== 500, `${name}: answered ${status}`)
  requireThat(grown < MAY_GROW_MIB, `${name}: ${grown.toFixed(0)} MiB of memory`)
  requireThat(!isSlow, `${name}: another tenant's read waited ${Math.round(longest)} ms`)
  return `${status === 0 ? 'hung up' : status}, +${grown.toFixed(0)} MiB, reads at most ${Math.round(longest)} ms`
}

/** Sends one gibibyte of JSON text as an anonymous caller. Returns the status, or 0 when the server closes the connection. */
function endlessBody({ product, ...site }: Site): Promise<number> {
  const { anon_key: key, schema_name: schema } = tenantAt(site, 0)
  const chunk = Buffer.alloc(MIB, 'x')
  return new Promise((resolve) => {
    const sent = request(`${product.url}/notes`, {
      method: 'POST',
      headers: {
        apikey: key,
        authorization: `Bearer ${key}`,
        'content-profile': schema,
        'content-type': 'application/json',
      },
    })
    let left = ENDLESS_MIB
    const write = (): void => {
      while (left > 0) {
        left -= 1
        if (!sent.write(left === ENDLESS_MIB - 1 ? Buffer.from('"') : chunk)) {
          sent.once('drain', write)
          return
        }
      }
      sent.end('"')
    }
    sent.on('response', (answer) => {
      left = 0
      answer.resume()
      resolve(answer.statusCode ?? 0)
      sent.destroy()
    })
    sent.on('error', () => resolve(0))
    write()
  })
}

function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(50 * MIB))
  return Buffer.concat(Array.from({ length: BOMB_MIB / 50 }, () => member))
}
