import { describe, expect, it } from 'vitest'
import type { Platform } from '../../../emulator/assembly/testing/platform.ts'
import { poolClient, servePool } from '../../../emulator/assembly/testing/pool-server.ts'
import { createTenant, type Tenant } from '../../../emulator/assembly/testing/tenant.ts'
import {
  createTenantPool,
  type TenantPool,
} from '../../../emulator/assembly/testing/tenant-pool.ts'

interface World {
  readonly pool: TenantPool
  /** The number of tenants that were provisioned so far. */
  provisioned(): number
  /** Paths of all DELETE requests. */
  readonly deleted: readonly string[]
  refuseNext(): void
}

function worldOf(warm: number): World {
  const deleted: string[] = []
  const platform: Platform = {
    origin: 'http://127.0.0.1',
    adminToken: undefined,
    send: (request) => {
      deleted.push(`${request.method} ${new URL(request.url).pathname}`)
      return Promise.resolve(new Response('{}'))
    },
  }
  let count = 0
  let isRefusing = false
  const provision = (): Promise<Tenant> => {
    if (isRefusing) {
      isRefusing = false
      return Promise.reject(new Error('the group is full'))
    }
    count += 1
    const slug = `test_${count}`
    return Promise.resolve(
      createTenant(platform, {
        slug,
        schemaName: `proj_${slug}`,
        projectId: slug,
        anonKey: 'anon',
        serviceRoleKey: 'service',
        groupId: 'grp',
        groupApiKey: 'key',
      }),
    )
  }
  const pool = createTenantPool(platform, { tenant: provision }, { group: undefined, warm })
  return {
    pool,
    provisioned: () => count,
    deleted,
    refuseNext: () => {
      isRefusing = true
    },
  }
}

describe('the pool of tenants', () => {
  it('refills its prepared tenants, and leases each tenant once', async () => {
    const { pool, provisioned } = worldOf(2)
    const leased = await Promise.all([pool.lease(), pool.lease(), pool.lease()])
    expect(new Set(leased.map(({ slug }) => slug)).size).toBe(3)
    await pool.settle()
    expect(provisioned()).toBe(5)
  })

  it('provisions a tenant on demand when it keeps no prepared tenants', async () => {
    const { pool, provisioned } = worldOf(0)
    expect((await pool.lease()).slug).toBe('test_1')
    expect(provisioned()).toBe(1)
  })

  it('purges a returned tenant once', async () => {
    const { deleted, pool } = worldOf(0)
    const { slug } = await pool.lease()
    pool.giveBack(slug)
    pool.giveBack(slug)
    pool.giveBack('never_leased')
    await pool.settle()
    expect(deleted).toEqual([
      `DELETE /groups/v1/grp/tenants/${slug}`,
      `DELETE /groups/v1/grp/tenants/${slug}/purge`,
    ])
  })

  it('rejects a lease when provisioning fails, and serves the next lease', async () => {
    const { pool, refuseNext } = worldOf(0)
    refuseNext()
    await expect(pool.lease()).rejects.toThrow('the group is full')
    expect((await pool.lease()).slug).toBe('test_1')
  })

  it('serves other processes only at a secret address', async () => {
    const { deleted, pool, refuseNext } = worldOf(0)
    const server = await servePool(pool)
    const client = poolClient(server.url)
    const { slug } = await client.lease()
    await client.giveBack(slug)
    refuseNext()
    await expect(client.lease()).rejects.toThrow(
      'The pool could not provision a tenant: the group is full',
    )
    const elsewhere = await fetch(new URL('/pool_guess', server.url), { method: 'POST' })
    expect(elsewhere.status).toBe(404)
    await pool.settle()
    expect(deleted).toHaveLength(2)
    await server.close()
  })
})
