// A comparison reports every difference that a proxy makes in the answers of an identical emulator, and nothing else.
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../../../emulator/contract/comparisons.ts'
import { SystemClock } from '../../../emulator/core/clock.ts'
import type { ReadyTenant } from '../../../emulator/index.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import { reachEmulator } from '../../../emulator/platform/http-client/running-emulator.ts'
import { comparisonOf } from '../../../emulator/workflow/traffic/compare/comparison.ts'
import {
  comparisonJunit,
  comparisonLines,
} from '../../../emulator/workflow/traffic/compare/comparison-report.ts'

import type { HarEntry } from '../../../emulator/workflow/traffic/har/har.ts'
import { platformAt } from '../../../emulator/workflow/traffic/replay/platform-at.ts'
import { recordedBasesOf, replay } from '../../../emulator/workflow/traffic/replay/replay.ts'
import {
  type PlantAnswer,
  type PlantFrames,
  startMutatingProxy,
} from '../../support/mutating-proxy.ts'
import { openBareSocket } from '../../support/realtime-world.ts'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'
import { EVENTS, ROW_EVENTS } from './planted-events.ts'
import { PLANTS, type Plant } from './plants.ts'

const http = createHttpClient({ wallClock: new SystemClock() })

const emulators: TestEmulator[] = []
let entries: readonly HarEntry[]
let other: TestEmulator

beforeAll(async () => {
  const hosted = await startTestEmulator()
  other = await startTestEmulator()
  emulators.push(hosted, other)
  for (const { emulator } of emulators) await emulator.applyFixture('clinics')
  await using proxy = await startRecordingProxy(hosted.url)
  await run(hosted, proxy.url)
  const ended = (): boolean => proxy.entries.some(({ response }) => response.status === 101)
  await until(ended)
  entries = [...proxy.entries]
})
afterAll(async () => {
  for (const emulator of emulators) await emulator[Symbol.asyncDispose]()
})

/** Sends the requests of all plants, and receives the events. */
async function run({ emulator, url: origin }: TestEmulator, url: string): Promise<void> {
  const [group] = (await emulator.ready(origin)).groups
  const [aurora] = group?.tenants ?? []
  if (group === undefined || aurora === undefined) throw new Error('no tenant')
  const service = aurora.service_role_key
  const exchange = async (path: string): Promise<string> => {
    const headers = { authorization: `Bearer ${service}` }
    return ((await (await fetch(url + path, { method: 'POST', headers })).json()) as Json).token
  }
  const storage = await exchange('/st/v1/token')
  const bearers = { anon: aurora.anon_key, group: group.group_api_key, storage, service }
  for (const [name, plant] of Object.entries(PLANTS)) {
    const [method = '', path = ''] = plant.request.replace(':group', group.id).split(' ')
    const headers = headersOf(name, plant, bearers[plant.as ?? 'anon'])
    const { body } = plant
    const answer = await fetch(url + path, {
      method,
      headers: { apikey: aurora.anon_key, 'accept-profile': aurora.schema_name, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    await answer.arrayBuffer()
  }
  await receiveEvents(url, await exchange('/rt/v1/token'), aurora)
}

function headersOf(
  name: string,
  { body, prefer, range }: Plant,
  bearer: string,
): Record<string, string> {
  return {
    'x-plant': name,
    authorization: `Bearer ${bearer}`,
    ...(prefer === undefined ? {} : { prefer }),
    ...(range === undefined ? {} : { range, 'range-unit': 'items' }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
}

async function receiveEvents(
  url: string,
  token: string,
  { anon_key, service_role_key }: ReadyTenant,
): Promise<void> {
  const socketUrl = `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${token}&vsn=2.0.0`
  const socket = await openBareSocket(socketUrl, '2.0.0')
  const heard = (event: string, name: string): number =>
    socket.frames.filter((frame) => frame.topic === `realtime:${name}` && frame.event === event)
      .length
  const changes = [{ event: 'UPDATE', schema: 'proj_aurora', table: 'appointments' }]
  for (const name of ROW_EVENTS) {
    await socket.join(name, { postgres_changes: changes })
    await until(() => heard('system', name) === 1)
  }
  for (const name of Object.keys(EVENTS).filter((each) => !ROW_EVENTS.includes(each))) {
    await socket.join(name, { broadcast: { self: true } })
    for (const number of [1, 2]) {
      const payload = { type: 'broadcast', event: 'count', payload: { number } }
      socket.send(`realtime:${name}`, 'broadcast', payload)
      await until(() => heard('broadcast', name) === number)
    }
  }
  await fetch(`${url}/appointments?id=eq.1`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${service_role_key}`,
      apikey: anon_key,
      'content-type': 'application/json',
    },
    body: '{"state":"arrived"}',
  })
  await until(() => ROW_EVENTS.every((name) => heard('postgres_changes', name) === 1))
  socket.disconnect()
}

async function compareThrough(
  answers: Readonly<Record<string, PlantAnswer>>,
  frames: Readonly<Record<string, PlantFrames>>,
): Promise<Comparison> {
  const plantsOf = ({ headers }: IncomingMessage): readonly PlantAnswer[] => {
    const change = answers[String(headers['x-plant'])]
    return change === undefined ? [] : [change]
  }
  await using proxy = await startMutatingProxy(other.url, plantsOf, frames)
  const platform = await platformAt(proxy.url, reachEmulator(other.url, undefined, http), http)
  return comparisonOf(
    await replay({
      entries,
      recordedBases: recordedBasesOf(entries, {}),
      maxBodyBytes: 1 << 20,
      platform,
    }),
  )
}

/** Returns the name of a recorded request's plant. `request` is the request's number in the recording. */
const plantOf = (request: number): string | undefined =>
  [...entries]
    .sort((a, b) => a._order - b._order)
    [request - 1]?.request.headers.find(({ name }) => name === 'x-plant')?.value

describe('a comparison with planted differences', () => {
  it('finds no difference when none is planted', async () => {
    const { differences, score, skipped } = await compareThrough({}, {})
    expect({ differences, score, skipped }).toEqual({ differences: [], score: 100, skipped: [] })
  })

  it('finds exactly the planted differences', async () => {
    await other.emulator.reset()
    const answers = Object.entries(PLANTS).map(([name, { change }]) => [name, change] as const)
    const frames = Object.entries(EVENTS).map(([name, { change }]) => [name, change] as const)
    const comparison = await compareThrough(Object.fromEntries(answers), Object.fromEntries(frames))
    const found = comparison.differences.map(({ at, kind, request }) => [
      plantOf(request),
      kind,
      at,
    ])
    const planted = [
      ...Object.entries(PLANTS).map(([name, plant]) => [name, ...plant.found]),
      ...Object.entries(EVENTS).map(
        ([
          name,
          {
            found: [kind, at],
          },
        ]) => [undefined, kind, `event realtime:${name}${at}`],
      ),
    ]
    expect(planted.length).toBeGreaterThanOrEqual(40)
    expect(found.map(String).sort()).toEqual(planted.map(String).sort())
    expect(comparison.score).toBeLessThan(20)
    expect(comparisonLines(comparison)).toContain('    body[1].price  (missing)\n      - ')
    expect(comparisonJunit(comparison).match(/<failure /g)).toHaveLength(
      Object.keys(PLANTS).length + 1,
    )
  })
})
