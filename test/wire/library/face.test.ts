// Functions of the library for a program without a known address: defaults, the URL of a port, and events.
import { expect, it } from 'vitest'
import { createEmulator, type Observation } from '../../../emulator/index.ts'
import { TEST_ENGINE } from '../../support/engine-of-run.ts'

it('listens on a free loopback port, and states its URL', async () => {
  await using emulator = await createEmulator(TEST_ENGINE)
  const { url, port } = await emulator.listen()
  expect(url).toBe(`http://127.0.0.1:${port}`)
  expect((await fetch(`${url}/_emulator/v1/health`)).status).toBe(200)
})

it('states addresses of the port that was opened last', async () => {
  await using emulator = await createEmulator(TEST_ENGINE)
  const { url } = await emulator.listen()
  expect((await emulator.ready()).data_url).toBe(url)
  expect((await emulator.ready('http://elsewhere.test')).data_url).toBe('http://elsewhere.test')
})

it('states the address for Postgres clients, with a free port when the requested port is taken', async () => {
  await using emulator = await createEmulator(TEST_ENGINE)
  await using other = await createEmulator(TEST_ENGINE)
  const { port, url } = await emulator.listenPostgres()
  expect(url).toMatch(new RegExp(`^postgresql://[^/]+:${port}$`))
  const near = await other.listenPostgres({ near: port })
  expect(near.port === port).toBe(TEST_ENGINE.engine === 'postgres')
})

it('calls the configured function `observe` with events of the emulator', async () => {
  const seen: Observation[] = []
  const observe = (observation: Observation): number => seen.push(observation)
  await using emulator = await createEmulator({ ...TEST_ENGINE, observe })
  await emulator.fetch(new Request('http://localhost/nothing'))
  expect(seen.some(({ kind }) => kind === 'requestFinished')).toBe(true)
})
