// Serves the tenant pool to test workers, which are separate processes. POST leases a tenant, and DELETE …/<slug> returns the
// tenant. The server listens on loopback at a random path.
import { createServer, type ServerResponse } from 'node:http'
import { SystemIdSource } from '../../core/id-source.ts'
import { TestingError } from './platform.ts'
import type { TenantFacts } from './tenant.ts'
import type { TenantPool } from './tenant-pool.ts'

export interface PoolServer {
  /** The URL to pass to `poolClient`. */
  readonly url: string
  close(): Promise<void>
}

export async function servePool(pool: TenantPool): Promise<PoolServer> {
  const path = `/${new SystemIdSource().secret('pool_')}`
  const server = createServer((request, response) => {
    const { method, url = '' } = request
    if (!url.startsWith(path)) answer(response, 404, { message: 'This server has no such route.' })
    else if (method === 'DELETE') {
      pool.giveBack(url.slice(path.length + 1))
      answer(response, 200, {})
    } else
      pool.lease().then(
        (facts) => answer(response, 200, facts),
        (error: unknown) => answer(response, 500, { message: messageOf(error) }),
      )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Creates a worker's client of the pool at `url`. @throws {TestingError} `no_pool` when the pool has no tenant */
export function poolClient(url: string): {
  lease(): Promise<TenantFacts>
  giveBack(slug: string): Promise<void>
} {
  return {
    lease: async () => {
      const response = await fetch(url, { method: 'POST' })
      const body = (await response.json()) as TenantFacts & { readonly message?: string }
      if (response.ok) return body
      throw new TestingError('no_pool', `The pool could not provision a tenant: ${body.message}`)
    },
    giveBack: async (slug) => {
      await (await fetch(`${url}/${slug}`, { method: 'DELETE' })).arrayBuffer()
    },
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
