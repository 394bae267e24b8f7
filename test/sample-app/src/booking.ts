// A sample application in which people book rooms by the day.
import { type Client, createClient } from 'tenantry/client'

export interface Booking {
  readonly id: number
  readonly day: string
}

/** The result of an attempt to book a room. */
export type Outcome = { readonly booked: Booking } | { readonly refused: 'taken' | 'not_allowed' }

/** Address, key and project of the application's backend. */
export interface Backend {
  readonly url: string
  readonly key: string
  readonly project: string
  readonly fetch?: typeof fetch
}

const UNIQUE_VIOLATION = '23505'
const FORBIDDEN = '42501'

export function connect({ url, key, project, fetch }: Backend): Client {
  return createClient(url, key, {
    project,
    autoRefreshToken: false,
    ...(fetch === undefined ? {} : { fetch }),
  })
}

export async function book(client: Client, roomId: number, day: string): Promise<Outcome> {
  const { data, error } = await client
    .from('bookings')
    .insert({ room_id: roomId, day })
    .select('id, day')
    .single()
  if (error?.code === UNIQUE_VIOLATION) return { refused: 'taken' }
  if (error?.code === FORBIDDEN) return { refused: 'not_allowed' }
  if (error !== null) throw new Error(error.message)
  return { booked: data as Booking }
}

export async function ownDays(client: Client): Promise<readonly string[]> {
  const { data, error } = await client.from('bookings').select('day').order('day')
  if (error !== null) throw new Error(error.message)
  return (data as Booking[]).map(({ day }) => day)
}

/** Counts the rooms with at least this number of seats. */
export async function roomsFor(client: Client, people: number): Promise<number> {
  const { count, error } = await client
    .from('rooms')
    .select('*', { count: 'exact', head: true })
    .gte('seats', people)
  if (error !== null) throw new Error(error.message)
  return count ?? 0
}
