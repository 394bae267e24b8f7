// The tail latency of one tenant's reads at a steady rate. Measured on an otherwise idle emulator, and while another tenant sends
// as many requests as it can. During the flood, the first tenant's p99 may be at most twice its value on the idle emulator.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FloodOrder } from './flood.ts'
import { type BenchConnection, openConnection, requestText } from './http-client.ts'
import { type Steady, steadyLoop } from './measure.ts'
import { prepareWorkload } from './rest.ts'
import type { BenchServer } from './server.ts'
import { ownId } from './workload.ts'

export interface FairnessFigures {
  readonly quiet: Steady
  readonly flooded: Steady
}

const PER_SECOND = 100
const MILLIS = 10_000
const FLOOD_CONNECTIONS = 16

/** @param headers of the user of the workload (rest.ts) */
export async function measureFairness(
  server: BenchServer,
  headers: Record<string, string>,
): Promise<FairnessFigures> {
  const loud = await prepareWorkload(server, 'floodbench')
  const quiet = await measureTail(server, headers)
  const order: FloodOrder = {
    port: server.port,
    connections: FLOOD_CONNECTIONS,
    request: requestText('GET', '/items?select=*&order=score.desc&limit=20', loud),
  }
  const flood = new Worker(new URL('./flood.ts', import.meta.url), { workerData: order })
  try {
    await once(flood, 'message')
    return { quiet, flooded: await measureTail(server, headers) }
  } finally {
    await flood.terminate()
  }
}

/** Reads a row by key at a steady rate. A request opens another connection when all connections are in use. */
async function measureTail(server: BenchServer, headers: Record<string, string>): Promise<Steady> {
  const free: BenchConnection[] = []
  let turn = 0
  const steady = await steadyLoop(PER_SECOND, MILLIS, async () => {
    turn += 1
    const request = requestText('GET', `/items?select=*&id=eq.${ownId(turn)}`, headers)
    const connection = free.pop() ?? (await openConnection('127.0.0.1', server.port))
    const { body, status } = await connection.send(request)
    if (status !== 200) throw new Error(`expected 200, got ${status}: ${body}`)
    free.push(connection)
  })
  for (const connection of free) connection.close()
  return steady
}
