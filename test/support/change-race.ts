// Runs many writers and many subscribers at the same time, and compares the changes that each subscriber received with the rows
// that it may read.
import type { BareSocket } from './realtime-world.ts'
import type { RowWorld } from './row-world.ts'
import { type Json, userToken } from './test-emulator.ts'
import { until } from './until.ts'

export interface RaceSize {
  readonly writers: number
  readonly subscribers: number
  /** The number of identities, including `anon` and `service_role`. */
  readonly identities: number
  readonly changes: number
}

/** The table of the race. Some rows are visible to one user, others to all users. */
export const RACE_SQL = `
  create table race (id integer primary key, owner uuid, is_public boolean not null, version integer not null default 1);
  alter table race enable row level security;
  create policy own on race for select to authenticated using (owner = auth.uid());
  create policy everybody on race for select to anon, authenticated using (is_public)`

export interface RaceOutcome {
  /** The results of each subscriber. */
  readonly told: readonly Told[]
  /** Keys of rows that were deleted. */
  readonly deleted: ReadonlySet<number>
  readonly writingMillis: number
  /** Milliseconds from the last response to the last delivery. */
  readonly trailingMillis: number
}

export interface Told {
  readonly identity: string
  /** Received events in the order of arrival, such as `INSERT 17`, `UPDATE 17 2` and `DELETE 17`. */
  readonly events: readonly string[]
  /** Ids of the rows that a query with the same credential returns afterwards. */
  readonly readable: readonly number[]
}

/** The faults of a race, one line for each affected subscriber. */
export interface RaceFaults {
  /** Subscribers that received unreadable rows, or did not receive readable rows. */
  readonly rows: readonly string[]
  readonly deletions: readonly string[]
  readonly repetitions: readonly string[]
  /** Subscribers that received changes in another order than that of the commits. */
  readonly order: readonly string[]
}

export function raceFaults(outcome: RaceOutcome): RaceFaults {
  const { told, deleted } = outcome
  const faultsOf = (isFaulty: (one: Told) => boolean): readonly string[] =>
    told.filter(isFaulty).map(({ identity, events }) => `${identity}: ${events.length} events`)
  const keys = ({ events }: Told, kind: string): readonly number[] =>
    events
      .filter((event) => event.startsWith(`${kind} `))
      .map((event) => Number(event.slice(kind.length + 1)))
  // Ignores insertions and updates of rows that were deleted meanwhile. Only some subscribers receive them, because the row's
  // current state decides.
  const lasting = ({ events }: Told): readonly string[] =>
    events.filter((event) => {
      const [kind, id] = event.split(' ')
      return kind === 'DELETE' || !deleted.has(Number(id))
    })
  const [longest = []] = told.map(lasting).toSorted((one, other) => other.length - one.length)
  const places = new Map(longest.map((event, place) => [event, place]))
  return {
    rows: faultsOf((one) => {
      const kept = new Set(keys(one, 'INSERT').filter((id) => !deleted.has(id)))
      return !isSameSet(kept, new Set(one.readable))
    }),
    deletions: faultsOf((one) => !isSameSet(new Set(keys(one, 'DELETE')), deleted)),
    repetitions: faultsOf(({ events }) => new Set(events).size < events.length),
    order: faultsOf((one) => {
      const order = lasting(one).map((event) => places.get(event) ?? -1)
      return order.some((place, at) => place < 0 || place < (order[at - 1] ?? 0))
    }),
  }
}

function isSameSet(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((each) => other.has(each))
}

interface Identity {
  readonly name: string
  readonly credential: string
}

const userOf = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`

/** Must be shorter than a minute of wall time, after which the emulator closes an idle socket. */
const HEARTBEAT_MILLIS = 20_000

/** Runs the race. Every tenth change updates a row of the same writer, and every twentieth deletes one. */
export async function runRace(world: RowWorld, size: RaceSize): Promise<RaceOutcome> {
  const identities = await identitiesOf(world, size.identities)
  const subscribers = await subscribe(world, identities, size.subscribers)
  const beating = setInterval(() => {
    for (const { socket } of subscribers) socket.send('phoenix', 'heartbeat')
  }, HEARTBEAT_MILLIS)
  try {
    return await race(world, size, { identities, subscribers })
  } finally {
    clearInterval(beating)
  }
}

interface Started {
  readonly identities: readonly Identity[]
  readonly subscribers: readonly RaceSubscriber[]
}

async function race(
  world: RowWorld,
  size: RaceSize,
  { identities, subscribers }: Started,
): Promise<RaceOutcome> {
  const deleted = new Set<number>()
  const started = performance.now()
  const perWriter = size.changes / size.writers
  const writers = Array.from({ length: size.writers }, (_, writer) =>
    write(world, { writer, first: writer * perWriter + 1, count: perWriter }, size, deleted),
  )
  await Promise.all(writers)
  const written = performance.now()
  const last = size.changes + 1
  await insert(world, last, null, true)
  await until(() => subscribers.every(({ socket }) => hasHeard(socket, last)), 120_000)
  const readable = new Map<string, readonly number[]>()
  for (const { name, credential } of identities) readable.set(name, await query(world, credential))
  return {
    told: subscribers.map(({ identity, socket }) => ({
      identity: identity.name,
      events: eventsOf(socket),
      readable: readable.get(identity.name) ?? [],
    })),
    deleted,
    writingMillis: written - started,
    trailingMillis: performance.now() - written,
  }
}

async function identitiesOf(world: RowWorld, count: number): Promise<readonly Identity[]> {
  const { at, tenant } = world
  const users = Array.from({ length: count - 2 }, async (_, place) => ({
    name: userOf(place),
    credential: await userToken(at, tenant.slug, userOf(place)),
  }))
  return [
    { name: 'service_role', credential: tenant.serviceRoleKey },
    { name: 'anon', credential: tenant.anonKey },
    ...(await Promise.all(users)),
  ]
}

interface RaceSubscriber {
  readonly identity: Identity
  readonly socket: BareSocket
}

async function subscribe(
  world: RowWorld,
  identities: readonly Identity[],
  count: number,
): Promise<readonly RaceSubscriber[]> {
  const subscribers: RaceSubscriber[] = []
  for (let place = 0; place < count; place++) {
    const identity = identities[place % identities.length]
    if (identity === undefined) continue
    const vsn = place % 2 === 0 ? '2.0.0' : '1.0.0'
    const socket = await world.bare(await world.tokenFor(identity.credential), vsn)
    const wanted = { event: '*', schema: 'public', table: 'race' }
    await socket.join(`race${place % 7}`, { postgres_changes: [wanted] })
    await socket.frame(({ event }) => event === 'system')
    subscribers.push({ identity, socket })
  }
  return subscribers
}

interface WriterShare {
  readonly writer: number
  readonly first: number
  readonly count: number
}

async function write(
  world: RowWorld,
  { writer, first, count }: WriterShare,
  { identities }: RaceSize,
  deleted: Set<number>,
): Promise<void> {
  let previous = 0
  for (let step = 0; step < count; step++) {
    const id = first + step
    if (previous !== 0 && step % 20 === 19) {
      await send(world, 'DELETE', `/race?id=eq.${previous}`)
      deleted.add(previous)
      previous = 0
    } else if (previous !== 0 && step % 10 === 9) {
      await send(world, 'PATCH', `/race?id=eq.${previous}`, { version: 2 })
    } else {
      const owner = userOf((writer + step) % (identities - 2))
      await insert(world, id, owner, step % 31 === 0)
      previous = id
    }
  }
}

function insert(world: RowWorld, id: number, owner: string | null, isPublic: boolean) {
  return send(world, 'POST', '/race', { id, owner, is_public: isPublic })
}

async function send(world: RowWorld, method: string, path: string, body?: Json): Promise<void> {
  const { at, tenant } = world
  const answer = await at.call(method, path, {
    credential: tenant.serviceRoleKey,
    headers: { apikey: tenant.anonKey, prefer: 'return=minimal' },
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
}

async function query({ at, tenant }: RowWorld, credential: string): Promise<readonly number[]> {
  const answer = await at.call('GET', '/race?select=id&order=id', {
    credential,
    headers: { apikey: tenant.anonKey },
  })
  return answer.body.map(({ id }: { id: number }) => id)
}

function hasHeard({ frames }: BareSocket, id: number): boolean {
  const last = frames.findLast(({ event }) => event === 'postgres_changes')
  return last?.payload.data.record?.id === id
}

function eventsOf({ frames }: BareSocket): readonly string[] {
  return frames
    .filter(({ event }) => event === 'postgres_changes')
    .map(({ payload: { data } }) => {
      const { type, record, old_record: old } = data
      const version = type === 'UPDATE' ? ` ${record.version}` : ''
      return `${type} ${record?.id ?? old.id}${version}`
    })
}
