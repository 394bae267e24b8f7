// How long the fleet of a group with 1,000 tenants takes to load, first and on later requests.
import { median } from './measure.ts'
import { type BenchServer, manage } from './server.ts'

const TENANTS = 1_000
/**
 * The largest number of active tenants of a group (docs/wire/limits.md#platform). The others are removed ones.
 */
const ACTIVE = 100
const ROUNDS = 5
const STEP = {
  file: '20260101000000_notes.sql',
  sql: 'create table notes (id int primary key, title text not null);\nalter table notes enable row level security;\n',
}

export interface FleetFigures {
  readonly tenants: number
  readonly firstMillis: number
  readonly laterMillis: number
}

export async function measureFleet(server: BenchServer): Promise<FleetFigures> {
  const session = server.ready.platform.session_token
  const post = <Body>(path: string, body: object, credential = session) =>
    manage<Body>(server, credential, 'POST', path, body)
  await post('/platform/v1/projects', { name: 'Fleet', slug: 'fleet', plan: 'scale' })
  const { id } = await post<{ id: string }>('/platform/v1/groups', {
    name: 'fleet',
    template_project_id: 'proj_fleet',
  })
  await post(`/_emulator/v1/groups/${id}/migrations/apply`, { steps: [STEP], publish: true })
  const { key } = await post<{ key: string }>(`/platform/v1/groups/${id}/keys`, {})
  for (let number = 1; number <= TENANTS; number += 1) {
    await post(`/groups/v1/${id}/tenants`, { slug: `fleet_${number}` }, key)
    if (number <= TENANTS - ACTIVE)
      await manage(server, key, 'DELETE', `/groups/v1/${id}/tenants/fleet_${number}`)
  }
  const rounds: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begun = performance.now()
    const path = `/_emulator/v1/groups/${id}/fleet`
    const { tenants } = await manage<{ tenants: readonly object[] }>(server, session, 'GET', path)
    rounds.push(performance.now() - begun)
    if (tenants.length !== TENANTS) throw new Error(`the fleet has ${tenants.length} tenants`)
  }
  const [firstMillis = Number.NaN, ...later] = rounds
  return { tenants: TENANTS, firstMillis, laterMillis: median(later) }
}
