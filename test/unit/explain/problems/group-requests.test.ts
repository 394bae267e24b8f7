// Which requests have the same cause, so that the list of problems groups them.
import { describe, expect, it } from 'vitest'
import type { EpochMillis } from '../../../../emulator/core/time.ts'
import { groupSlow } from '../../../../emulator/insight/explain/problems/group-requests.ts'

const slow = (service: string, schema: string | null, path: string, millis: number) => ({
  sequence: millis,
  arrived_at: millis as EpochMillis,
  duration_ms: millis,
  schema_name: schema,
  service,
  method: service === 'control' ? 'POST' : 'GET',
  path,
})

describe('slow requests', () => {
  it('to the same platform route have one cause, even when they belong to different tenants', () => {
    const path = '/groups/v1/7e8b6f0e-0000-4000-8000-000000000001/tenants'
    const causes = groupSlow([
      slow('control', 'proj_north', path, 700),
      slow('control', 'proj_south', path, 900),
      slow('control', null, path, 600),
    ])
    expect(causes).toMatchObject([
      {
        where: 'POST /groups/v1/:group/tenants',
        count: 3,
        schemaName: null,
        schemaNames: ['proj_north', 'proj_south'],
        slowestMillis: 900,
      },
    ])
    // Each tenant's route is kept, so that a later success of any of them is found.
    expect(causes[0]?.routes).toHaveLength(3)
  })

  it('to the same table have one cause for each project', () => {
    const causes = groupSlow([
      slow('data', 'proj_north', '/rooms', 700),
      slow('data', 'proj_south', '/rooms', 900),
    ])
    expect(causes.map(({ schemaNames }) => schemaNames)).toEqual([['proj_north'], ['proj_south']])
  })
})
