// A comparison names every difference that a proxy plants into the answers of an identical emulator, and nothing else.
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reachEmulator } from '../../../emulator/cli/running-emulator.ts'
import type { Comparison, DifferenceKind } from '../../../emulator/contract/comparisons.ts'
import { SystemClock } from '../../../emulator/core/clock.ts'
import type { ReadyTenant } from '../../../emulator/index.ts'
import { comparisonOf } from '../../../emulator/traffic/compare/comparison.ts'
import {
  comparisonJunit,
  comparisonLines,
} from '../../../emulator/traffic/compare/comparison-report.ts'

import type { HarEntry } from '../../../emulator/traffic/har/har.ts'
import { platformAt } from '../../../emulator/traffic/replay/platform-at.ts'
import { recordedBasesOf, replay } from '../../../emulator/traffic/replay/replay.ts'
import {
  type PlantAnswer,
  type PlantFrames,
  startMutatingProxy,
} from '../../support/mutating-proxy.ts'
import { openBareSocket } from '../../support/realtime-world.ts'
import { startRecordingProxy } from '../../support/recording-proxy.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

type Found = readonly [kind: DifferenceKind, at: string]

interface Plant {
  /** Method and path of the request whose answer is changed. */
  readonly request: string
  readonly change: PlantAnswer
  readonly found: Found
  readonly body?: unknown
  readonly prefer?: string
  readonly range?: string
  readonly as?: 'group' | 'storage' | 'service'
}

const ROWS = 'GET /treatments?select=id,name,price&order=id'
const APPOINTMENTS = 'GET /appointments?select=id,starts_at,treatments(name)&order=id&limit=2'
const SIGN_IN = 'POST /auth/v1/signin'
const ANA = { email: 'ana@patients.test', password: 'aurora-ana' }
const LIST = 'POST /storage/v1/object/list/proj_aurora_documents'
const TEXT = 'GET /storage/v1/object/proj_aurora_documents/ana-ribeiro/prescription-2026-03-02.txt'
const TENANTS = 'GET /groups/v1/:group/tenants'
const HOUR = 3_600

const rows = (change: (list: Json[]) => void): Pick<Plant, 'request' | 'change' | 'as'> => ({
  request: ROWS,
  as: 'service',
  change: ({ body }) => change(body),
})
const session = (change: (answer: Json) => void): Pick<Plant, 'request' | 'change' | 'body'> => ({
  request: SIGN_IN,
  body: ANA,
  change: ({ body }) => change(body),
})
const header =
  (name: string, value?: string): PlantAnswer =>
  ({ headers }) => {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }

const PLANTS: Readonly<Record<string, Plant>> = {
  status: {
    request: ROWS,
    change: (answer) => {
      answer.status = 206
    },
    found: ['status', 'status'],
  },
  'status of an error': {
    request: 'GET /nowhere',
    change: (answer) => {
      answer.status = 400
    },
    found: ['status', 'status'],
  },
  'missing member': { ...rows(([, row]) => delete row.price), found: ['missing', 'body[1].price'] },
  'extra member': {
    ...rows(([row]) => {
      row.more = 1
    }),
    found: ['extra', 'body[0].more'],
  },
  'number as text': {
    ...rows(([row]) => {
      row.price = String(row.price)
    }),
    found: ['type', 'body[0].price'],
  },
  'null as text': {
    ...rows(([row]) => {
      row.name = null
    }),
    found: ['type', 'body[0].name'],
  },
  'another text': {
    ...rows(([row]) => {
      row.name += '.'
    }),
    found: ['value', 'body[0].name'],
  },
  'a number off by one': {
    ...rows(([, row]) => {
      row.price += 1
    }),
    found: ['value', 'body[1].price'],
  },
  'swapped rows': {
    ...rows((list) => list.unshift(list.splice(1, 1)[0])),
    found: ['order', 'body'],
  },
  'reversed rows': { ...rows((list) => list.reverse()), found: ['order', 'body'] },
  'no first row': { ...rows((list) => list.shift()), found: ['missing', 'body[0]'] },
  'no last row': { ...rows((list) => list.pop()), found: ['missing', 'body[3]'] },
  'an extra row': {
    ...rows((list) => list.push({ ...list[0], id: 99, name: 'Massage' })),
    found: ['extra', 'body[4]'],
  },
  'a row twice': { ...rows((list) => list.push(list[0])), found: ['extra', 'body[4]'] },
  'an object for a list': {
    request: ROWS,
    change: (answer) => {
      answer.body = answer.body[0]
    },
    found: ['type', 'body'],
  },
  'a range off by one': {
    request: ROWS,
    range: '0-1',
    change: header('content-range', '0-2/*'),
    found: ['header', 'header content-range'],
  },
  'a count off by one': {
    request: `${ROWS}&limit=1`,
    prefer: 'count=exact',
    change: ({ headers }) => {
      headers['content-range'] = String(headers['content-range']).replace(/\d+$/, '9')
    },
    found: ['header', 'header content-range'],
  },
  'another content type': {
    request: ROWS,
    change: header('content-type', 'application/json'),
    found: ['header', 'header content-type'],
  },
  'no profile': {
    request: ROWS,
    change: header('content-profile'),
    found: ['header', 'header content-profile'],
  },
  'no applied preference': {
    request: `${ROWS}&limit=2`,
    prefer: 'count=exact',
    change: header('preference-applied'),
    found: ['header', 'header preference-applied'],
  },
  'an extra header': {
    request: ROWS,
    change: header('retry-after', '1'),
    found: ['header', 'header retry-after'],
  },
  'no CORS header': {
    request: ROWS,
    change: header('access-control-allow-origin'),
    found: ['header', 'header access-control-allow-origin'],
  },
  'another code': {
    request: 'GET /nowhere',
    change: ({ body }) => {
      body.code = 'PGRST200'
    },
    found: ['value', 'body.code'],
  },
  'another message': {
    request: 'GET /treatments?select=nothing',
    change: ({ body }) => {
      body.message = 'no'
    },
    found: ['value', 'body.message'],
  },
  'a hint for null': {
    request: 'GET /nowhere',
    change: ({ body }) => {
      body.details = 'some'
    },
    found: ['type', 'body.details'],
  },
  'a stored instant an hour later': {
    request: APPOINTMENTS,
    as: 'service',
    change: ({ body }) => {
      body[0].starts_at = '2026-03-02T23:00:00+00:00'
    },
    found: ['value', 'body[0].starts_at'],
  },
  'another embedded text': {
    request: APPOINTMENTS,
    as: 'service',
    change: ({ body }) => {
      body[1].treatments.name = 'Nothing'
    },
    found: ['value', 'body[1].treatments.name'],
  },
  'an embedded list for an object': {
    request: APPOINTMENTS,
    as: 'service',
    change: ({ body }) => {
      body[1].treatments = [body[1].treatments]
    },
    found: ['type', 'body[1].treatments'],
  },
  'a shorter lifetime': {
    ...session((answer) => {
      answer.expires_in -= 1
    }),
    found: ['value', 'body.expires_in'],
  },
  'an expiry an hour later': {
    ...session((answer) => {
      answer.expires_at += HOUR
    }),
    found: ['value', 'body.expires_at'],
  },
  'an address in other letters': {
    ...session(({ user }) => {
      user.email = 'Ana@patients.test'
    }),
    found: ['value', 'body.user.email'],
  },
  'an id of another form': {
    ...session(({ user }) => {
      user.id = 'user-1'
    }),
    found: ['value', 'body.user.id'],
  },
  'the id of another user': {
    ...session(({ user }) => {
      user.id = '00000000-0000-4000-8000-000000000001'
    }),
    found: ['value', 'body.user.id'],
  },
  'no provider': {
    ...session(({ user }) => delete user.app_metadata.provider),
    found: ['missing', 'body.user.app_metadata.provider'],
  },
  'an instant of another form': {
    ...session(({ user }) => {
      user.last_sign_in_at = user.last_sign_in_at.replace('T', ' ')
    }),
    found: ['value', 'body.user.last_sign_in_at'],
  },
  'another code of a sign-in': {
    request: SIGN_IN,
    body: { ...ANA, password: 'not hers' },
    change: ({ body }) => {
      body.error.code = 'user_banned'
    },
    found: ['value', 'body.error.code'],
  },
  'a flag': {
    request: 'POST /st/v1/token',
    body: {},
    change: ({ body }) => {
      body.pode_escrever = !body.pode_escrever
    },
    found: ['value', 'body.pode_escrever'],
  },
  'an extra object': {
    request: LIST,
    as: 'storage',
    body: { prefix: 'ana-ribeiro' },
    change: ({ body }) => {
      body.push({ ...body[0], name: 'other.txt' })
    },
    found: ['extra', 'body[2]'],
  },
  'another size': {
    request: LIST,
    as: 'storage',
    body: { prefix: 'ana-ribeiro' },
    change: ({ body }) => {
      body[1].metadata.size += 1
    },
    found: ['value', 'body[1].metadata.size'],
  },
  'another file': {
    request: TEXT,
    as: 'storage',
    change: (answer) => {
      answer.body = Buffer.from(answer.body.toString().replace('penicillin', 'pollen'))
    },
    found: ['value', 'body line 3'],
  },
  'no hash': {
    request: TEXT,
    as: 'storage',
    change: header('etag'),
    found: ['header', 'header etag'],
  },
  'another cache time': {
    request: 'GET /storage/v1/object/public/proj_aurora_site/logo.png',
    change: header('cache-control', 'max-age=60'),
    found: ['header', 'header cache-control'],
  },
  'a byte of a picture': {
    request: 'GET /storage/v1/object/public/proj_aurora_site/logo.png',
    change: ({ body }) => {
      body[100] ^= 1
    },
    found: ['value', 'body'],
  },
  'another logical status': {
    request: 'GET /storage/v1/object/proj_aurora_documents/nothing.txt',
    as: 'storage',
    change: ({ body }) => {
      body.statusCode = '400'
    },
    found: ['value', 'body.statusCode'],
  },
  'another total': {
    request: TENANTS,
    as: 'group',
    change: ({ body }) => {
      body.total += 1
    },
    found: ['value', 'body.total'],
  },
  'another slug': {
    request: TENANTS,
    as: 'group',
    change: ({ body }) => {
      body.tenants[0].slug = 'bela'
    },
    found: ['value', 'body.tenants[0].slug'],
  },
}

interface EventPlant {
  readonly change: PlantFrames
  readonly found: Found
}

const BROADCAST = (frame: Json): boolean => frame[3] === 'broadcast'
const EVENTS: Readonly<Record<string, EventPlant>> = {
  twice: {
    change: (frame) =>
      BROADCAST(frame) && frame[4].payload.number === 1 ? [frame, frame] : [frame],
    found: ['extra_event', '[2]'],
  },
  lost: {
    change: (frame) => (BROADCAST(frame) && frame[4].payload.number === 2 ? [] : [frame]),
    found: ['missing_event', '[2]'],
  },
  swapped: {
    change: (() => {
      let held: Json
      return (frame: Json) => {
        if (!BROADCAST(frame)) return [frame]
        if (frame[4].payload.number === 2) return [frame, held]
        held = frame
        return []
      }
    })(),
    found: ['event_order', ''],
  },
  altered: {
    change: (frame) => {
      if (BROADCAST(frame) && frame[4].payload.number === 1) frame[4].payload.number = 7
      return [frame]
    },
    found: ['value', '[1].payload.payload.number'],
  },
  refused: {
    change: (frame) => {
      if (frame[3] === 'phx_reply') frame[4].status = 'error'
      return [frame]
    },
    found: ['value', '[0].payload.status'],
  },
  columns: {
    change: (frame) => {
      if (frame[3] === 'postgres_changes') delete frame[4].data.record.state
      return [frame]
    },
    found: ['missing', '[2].payload.data.record.state'],
  },
  late: {
    change: (frame) => {
      if (frame[3] === 'postgres_changes')
        frame[4].data.commit_timestamp = '2030-01-01T00:00:00.000Z'
      return [frame]
    },
    found: ['value', '[2].payload.data.commit_timestamp'],
  },
}

/** Channels of row changes. */
const ROW_EVENTS: readonly string[] = ['columns', 'late']

const emulators: TestEmulator[] = []
let entries: readonly HarEntry[]
let other: TestEmulator

beforeAll(async () => {
  const hosted = await startTestEmulator({ deterministicSeed: 'hosted' })
  other = await startTestEmulator({ deterministicSeed: 'other' })
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
  const platform = await platformAt(proxy.url, reachEmulator(other.url, undefined))
  return comparisonOf(
    await replay({
      entries,
      recordedBases: recordedBasesOf(entries, {}),
      maxBodyBytes: 1 << 20,
      platform,
      wallClock: new SystemClock(),
    }),
  )
}

/** The plant of each request of the recording, by its number. */
const plantOf = (request: number): string | undefined =>
  [...entries]
    .sort((a, b) => a._order - b._order)
    [request - 1]?.request.headers.find(({ name }) => name === 'x-plant')?.value

describe('a comparison with planted differences', () => {
  it('finds nothing when nothing is planted', async () => {
    const { differences, score, skipped } = await compareThrough({}, {})
    expect({ differences, score, skipped }).toEqual({ differences: [], score: 100, skipped: [] })
  })

  it('names every one of them and nothing else', async () => {
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
