// A thread that floods one tenant with requests on several connections until it is terminated (fairness.ts).
import { parentPort, workerData } from 'node:worker_threads'
import { openConnection } from './http-client.ts'

export interface FloodOrder {
  readonly port: number
  readonly connections: number
  readonly request: string
}

const { connections, port, request } = workerData as FloodOrder

/** Reports the first answer, so that the measurement begins under load. */
async function flood(): Promise<never> {
  const connection = await openConnection('127.0.0.1', port)
  for (let turn = 0; ; turn += 1) {
    const { body, status } = await connection.send(request)
    if (status !== 200) throw new Error(`the flood got ${status}: ${body}`)
    if (turn === 0) parentPort?.postMessage('begun')
  }
}

await Promise.all(Array.from({ length: connections }, flood))
