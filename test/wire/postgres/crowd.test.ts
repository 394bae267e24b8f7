// More connections than the port accepts: connections without a login are closed, and logged-in clients stay.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type PostgresWorld, startPostgresWorld } from '../../support/postgres-world.ts'
import { until } from '../../support/until.ts'

const MAX_CLIENTS = 100

let world: PostgresWorld
beforeEach(async () => {
  world = await startPostgresWorld('select 1')
})
afterEach(() => world[Symbol.asyncDispose]())

const crowd = (count: number) => Promise.all(Array.from({ length: count }, () => world.socket()))

it('admits a client while the maximum number of sockets is open without a login', async () => {
  await crowd(MAX_CLIENTS + 20)
  const client = await world.client()
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('closes the oldest socket without a login at the limit, and sends a reason', async () => {
  const [first, second] = await crowd(2)
  const others = await crowd(MAX_CLIENTS - 1)
  await until(() => first?.isClosed() === true)
  expect(first?.received()).toMatch(/53300.*have not logged in/s)
  expect([second, ...others].some((bare) => bare?.isClosed())).toBe(false)
})

it('keeps every client that has logged in, and refuses a client above the limit', async () => {
  const clients = await Promise.all(Array.from({ length: MAX_CLIENTS }, () => world.client()))
  const silent = await crowd(MAX_CLIENTS + 20)
  await until(() => silent.filter((bare) => bare.isClosed()).length === 20)
  await expect(world.client()).rejects.toMatchObject({ code: '53300' })
  const answers = await Promise.all(clients.map((client) => client.query('select 1 as one')))
  expect(answers.every(({ rows }) => rows[0].one === 1)).toBe(true)
})
