// kill -9 at critical moments: no acknowledged change is lost, no half-made tenant remains, and slugs are free again.
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const start = (dataDir: string) =>
  spawnCli(['start', '--data-dir', dataDir, '--port', '0', '--json'])

describe('a process killed without warning', () => {
  it('loses no row that was acknowledged', async () => {
    const dataDir = join(folder.path, 'rows')
    const first = start(dataDir)
    const { data_url: url, groups } = await first.ready
    const key = groups[0]?.tenants[0]?.service_role_key ?? ''
    const headers = {
      apikey: key,
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    }
    const acknowledged: string[] = []
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let row = 0; ; row += 1) {
        const name = `room ${writer}/${row}`
        const { status } = await fetch(`${url}/rooms`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ name }),
        })
        if (status === 201) acknowledged.push(name)
        if (acknowledged.length === 150) first.child.kill('SIGKILL')
      }
    })
    await Promise.allSettled(writers)
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })

    const second = start(dataDir)
    const again = await second.ready
    const kept = (await (
      await fetch(`${again.data_url}/rooms?select=name`, { headers })
    ).json()) as { name: string }[]
    const names = new Set(kept.map(({ name }) => name))
    expect(acknowledged.length).toBeGreaterThanOrEqual(150)
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
    second.child.kill('SIGINT')
    await second.ended
  })

  it('leaves complete tenants or free slugs when it was provisioning tenants', async () => {
    const dataDir = join(folder.path, 'tenants')
    const first = start(dataDir)
    const { auth_url: url, groups } = await first.ready
    const [group] = groups
    const headers = {
      authorization: `Bearer ${group?.group_api_key}`,
      'content-type': 'application/json',
    }
    const provision = (base: string, slug: string) =>
      fetch(`${base}/groups/v1/${group?.id}/tenants`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ slug }),
      })
    const wanted = Array.from({ length: 12 }, (_, index) => `victim_${index}`)
    const acknowledged = new Map<string, { anon_key: string; service_role_key: string }>()
    await Promise.allSettled(
      wanted.map(async (slug) => {
        const response = await provision(url, slug)
        const body = (await response.json()) as { anon_key: string; service_role_key: string }
        if (response.status === 201) acknowledged.set(slug, body)
        if (acknowledged.size === 4) first.child.kill('SIGKILL')
      }),
    )
    await first.ended
    expect(acknowledged.size).toBeLessThan(wanted.length)

    const second = start(dataDir)
    const { auth_url: base } = await second.ready
    for (const slug of wanted) {
      const keys = acknowledged.get(slug)
      const response = await provision(base, slug)
      if (keys === undefined) {
        expect({ slug, status: [201, 409].includes(response.status) }).toEqual({
          slug,
          status: true,
        })
        continue
      }
      expect(response.status).toBe(409)
      const read = await fetch(`${base}/treatments`, {
        headers: { apikey: keys.anon_key, authorization: `Bearer ${keys.service_role_key}` },
      })
      expect(read.status).toBe(200)
    }
    const listed = await fetch(`${base}/groups/v1/${group?.id}/tenants?limit=200`, { headers })
    const { total, tenants } = (await listed.json()) as {
      total: number
      tenants: { slug: string }[]
    }
    expect(new Set(tenants.map(({ slug }) => slug)).size).toBe(total)
    expect(tenants.map(({ slug }) => slug)).toEqual(expect.arrayContaining(wanted))
    second.child.kill('SIGINT')
    await second.ended
  })
})
