// A tenant with tables of the test file's own. Provides row changes over REST and db/exec, and channels of the unmodified
// client that collect the changes they receive.
import { PostgrestClient } from '@supabase/postgrest-js'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { EmulatorConfig, Observation } from '../../emulator/index.ts'
import { type RealtimeWorld, startRealtimeWorld, subscribed, type Vsn } from './realtime-world.ts'
import { type Json, type TestTenant, userToken } from './test-emulator.ts'
import { until } from './until.ts'

type ChangeJudged = Extract<Observation, { readonly kind: 'changeJudged' }>
type Rest = PostgrestClient<Json, { PostgrestVersion: '14' }, Json>

export interface RowWorld extends RealtimeWorld {
  /** Runs SQL as the owner of the given tenant's project, by default of `tenant`. */
  exec(sql: string, tenant?: TestTenant): Promise<Json>
  /** Returns a REST client with the service_role key, or with a user's token. */
  rest(userId?: string): Promise<Rest>
  /** Subscribes to changes. Resolves when the subscription is ready, so that the test can write rows. */
  watch(token: string, wanted: Json | readonly Json[], options?: WatchOptions): Promise<Watcher>
  /** Returns the changes of the table since the last call, each with its verdicts. */
  verdicts(table: string): readonly Judged[]
}

export interface WatchOptions {
  readonly vsn?: Vsn
  readonly name?: string
}

export interface Judged {
  readonly change: string
  readonly verdicts: ReturnType<ChangeJudged['verdicts']>
}

export interface Watcher {
  readonly client: RealtimeClient
  readonly channel: RealtimeChannel
  /** The payloads that the callbacks received, each with the index of its binding. */
  readonly events: readonly (Json & { readonly binding: number })[]
  /** Messages of the event `system`. */
  readonly system: readonly Json[]
  readonly statuses: readonly string[]
  /** Waits for this number of events in total. */
  count(wanted: number): Promise<void>
  /** Returns each event as a text such as `INSERT 1`, with the id of the row. */
  lines(): readonly string[]
}

/** Starts the world and makes the tenant's tables. */
export async function startRowWorld(sql: string, config?: EmulatorConfig): Promise<RowWorld> {
  const world = await startRealtimeWorld(config)
  const { at, tenant } = world
  const exec: RowWorld['exec'] = async (text, of = tenant) => {
    const path = `/platform/v1/projects/${projectIdOf(of)}/db/exec`
    const answer = await at.call('POST', path, { credential: at.session, body: { sql: text } })
    if (answer.status !== 200 || answer.body.error !== undefined) throw new Error(answer.text)
    return answer.body
  }
  await exec(sql)
  let taken = 0
  return {
    ...world,
    exec,
    rest: async (userId) => {
      const token =
        userId === undefined ? tenant.serviceRoleKey : await userToken(at, tenant.slug, userId)
      return new PostgrestClient<Json, { PostgrestVersion: '14' }, Json>(at.url, {
        headers: { apikey: tenant.anonKey, Authorization: `Bearer ${token}` },
      })
    },
    watch: (token, wanted, { vsn, name = world.freshName() } = {}) =>
      watch(world.client(token, vsn), name, Array.isArray(wanted) ? wanted : [wanted]),
    verdicts: (table) => {
      const fresh = world.seen.slice(taken)
      taken = world.seen.length
      return fresh.flatMap((observation) =>
        observation.kind === 'changeJudged' && observation.table === table
          ? [{ change: observation.change, verdicts: observation.verdicts() }]
          : [],
      )
    },
  }
}

function projectIdOf({ anonKey }: TestTenant): string {
  const payload = Buffer.from(anonKey.split('.')[1] ?? '', 'base64url').toString()
  return JSON.parse(payload).project_id
}

async function watch(
  client: RealtimeClient,
  name: string,
  wanted: readonly Json[],
): Promise<Watcher> {
  const channel = client.channel(name)
  const events: (Json & { readonly binding: number })[] = []
  const system: Json[] = []
  const statuses: string[] = []
  for (const [binding, filter] of wanted.entries())
    channel.on('postgres_changes', filter, (payload: Json) => events.push({ ...payload, binding }))
  channel.on('system', {}, (message: Json) => system.push(message))
  statuses.push(await subscribed(channel))
  await until(() => system.length > 0)
  return {
    client,
    channel,
    events,
    system,
    statuses,
    count: (count) => until(() => events.length >= count),
    lines: () => events.map(({ eventType, new: row, old }) => `${eventType} ${row.id ?? old.id}`),
  }
}
