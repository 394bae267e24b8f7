// A conformance run against a proxy that changes answers fails exactly the rules about the changed answers.
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SeededIdSource } from '../../../emulator/core/id-source.ts'
import { createHttpClient } from '../../../emulator/platform/http-client/http-client.ts'
import type { ConformanceResult } from '../../../emulator/workflow/conformance/model/result.ts'
import { runConformance } from '../../../emulator/workflow/conformance/run/run-conformance.ts'
import { basesOf } from '../../../emulator/workflow/traffic/planes.ts'
import { Impatience } from '../../support/impatience.ts'
import {
  type PlantAnswer,
  type PlantedAnswer,
  type PlantFrames,
  startMutatingProxy,
} from '../../support/mutating-proxy.ts'
import { type Json, startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

interface Plant {
  /** Matches method and path of the requests whose answers `change` changes. */
  readonly request: RegExp
  readonly change: PlantAnswer
  /** Rules that must fail. */
  readonly rules: readonly string[]
}

const body =
  (change: (body: Json) => void): PlantAnswer =>
  ({ body }) =>
    change(body)
const when =
  (applies: (answer: PlantedAnswer) => boolean, change: PlantAnswer): PlantAnswer =>
  (answer) => {
    if (applies(answer)) change(answer)
  }
const status =
  (code: number): PlantAnswer =>
  (answer) => {
    answer.status = code
  }
const header =
  (name: string, value?: string): PlantAnswer =>
  ({ headers }) => {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }

const PLANTS: Readonly<Record<string, Plant>> = {
  'a stage without its duration': {
    request: /^GET \/platform\/v1\/groups$/,
    change: when(
      ({ headers }) => headers['server-timing'] !== undefined,
      header('server-timing', 'total'),
    ),
    rules: ['README.md#timing'],
  },
  'another status for an unknown group': {
    request: /^GET \/platform\/v1\/groups\/grp_a{20}$/,
    change: status(410),
    rules: ['platform.md#group', 'errors.md#management'],
  },
  'another page': {
    request: /\/tenants\?limit=1$/,
    change: body((page) => {
      page.tenants = []
    }),
    rules: ['platform.md#list-tenants'],
  },
  'another code for a missing confirmation': {
    request: /^DELETE .*_home\/purge$/,
    change: when(
      ({ status: code }) => code === 400,
      body(({ error }) => {
        error.code = 'invalid_request'
      }),
    ),
    rules: ['platform.md#purge'],
  },
  'an extra member': {
    request: /^DELETE .*_offline$/,
    change: when(
      ({ status: code }) => code === 200,
      body((answer) => {
        answer.more = 1
      }),
    ),
    rules: ['platform.md#remove'],
  },
  'no line of an SQL error': {
    request: /\/db\/exec$/,
    change: when(
      ({ body: answer }) => answer?.error?.line === 2,
      body(({ error }) => {
        delete error.line
      }),
    ),
    rules: ['platform.md#db-exec'],
  },
  'a CORS header for a foreign page': {
    request: /^GET \/platform\/v1\/groups$/,
    change: when(({ status: code }) => code === 403, header('access-control-allow-origin', '*')),
    rules: ['platform.md#origins'],
  },
  'another limit of a bucket': {
    request: /^POST \/platform\/v1\/projects\/.*\/buckets$/,
    change: when(
      ({ body: answer }) => String(answer?.id).endsWith('_short'),
      body((bucket) => {
        bucket.file_size_limit -= 1
      }),
    ),
    rules: ['platform.md#buckets'],
  },
  'a replaced key that still works': {
    request: /^GET \/open_notes$/,
    change: when(
      ({ body: answer }) => /regenerated/.test(answer?.message),
      (answer) => {
        answer.status = 200
        answer.body = []
      },
    ),
    rules: ['credentials.md#key-version'],
  },
  'a private key': {
    request: /jwks\.json$/,
    change: body(({ keys }) => {
      keys[0].d = 'secret'
    }),
    rules: ['credentials.md#project-keys'],
  },
  'no pode_escrever': {
    request: /^POST \/st\/v1\/token$/,
    change: when(
      ({ body: answer }) => answer?.role === 'anon',
      body((answer) => {
        delete answer.pode_escrever
      }),
    ),
    rules: ['credentials.md#storage-token'],
  },
  'a gate that does not name the header': {
    request: /^GET \/conformance_table$/,
    change: when(
      ({ body: answer }) => /apikey/.test(answer?.message),
      body((answer) => {
        answer.message = 'unauthorized'
      }),
    ),
    rules: ['data-plane.md#gate'],
  },
  'rows of another schema': {
    request: /^GET \/conformance_table$/,
    change: when(
      ({ body: answer }) => /conformance_other/.test(answer?.message),
      (answer) => {
        answer.status = 200
        answer.body = []
      },
    ),
    rules: ['data-plane.md#profile'],
  },
  'a row that was not requested': {
    request: /^POST \/inbox$/,
    change: (answer) => {
      answer.body = [{ id: 1 }]
    },
    rules: ['data-plane.md#returning'],
  },
  'another message of an exception': {
    request: /^POST \/rpc\/writes_then_fails$/,
    change: body((answer) => {
      answer.message = 'failed'
    }),
    rules: ['data-plane.md#transaction'],
  },
  'another SQLSTATE': {
    request: /^GET \/shared\?id=eq\.x$/,
    change: body((answer) => {
      answer.code = '22023'
    }),
    rules: ['errors.md#data'],
  },
  'another lifetime of a reset': {
    request: /\/password\/forgot$/,
    change: when(
      ({ status: code }) => code === 200,
      body((answer) => {
        answer.expires_in = 600
      }),
    ),
    rules: ['auth.md#recovery'],
  },
  'a number as text': {
    request: /\/otp\/send$/,
    change: body((answer) => {
      answer.expires_in = String(answer.expires_in)
    }),
    rules: ['auth.md#otp', 'limits.md#credentials'],
  },
  'a pair of its own for each refresh': {
    request: /\/token\/refresh$/,
    change: (() => {
      let count = 0
      return body((answer) => {
        if (answer.refresh_token !== undefined) answer.refresh_token += ++count
      })
    })(),
    rules: ['auth.md#refresh'],
  },
  'a session too many': {
    request: /\/signout$/,
    change: when(
      ({ status: code }) => code === 200,
      body((answer) => {
        answer.sessions_revoked += 1
      }),
    ),
    rules: ['auth.md#signout'],
  },
  'no QR code': {
    request: /\/mfa\/enroll$/,
    change: body((answer) => {
      delete answer.qr
    }),
    rules: ['auth.md#mfa'],
  },
  'no count of identities': {
    request: /^DELETE \/auth\/v1\/user$/,
    change: body((answer) => {
      delete answer.identities_deleted
    }),
    rules: ['auth.md#user'],
  },
  'an open redirect': {
    request: /^GET \/auth\/v1\/authorize\/google\?.*evil/,
    change: (answer) => {
      answer.status = 200
      answer.body = { url: 'http://evil.example/' }
    },
    rules: ['auth.md#redirects'],
  },
  'another code of storage': {
    request: /^GET \/storage\/v1\/bucket\/.*_nowhere$/,
    change: body((answer) => {
      answer.code = 'NoSuchKey'
    }),
    rules: ['storage.md#errors'],
  },
  'a key without its reason': {
    request: /^POST .*\/a%C3%A7%C3%A3o\.txt$/,
    change: body((answer) => {
      answer.message = 'Invalid key'
    }),
    rules: ['storage.md#keys'],
  },
  'a range off by one': {
    request: /\/download\/range\.txt$/,
    change: when(({ status: code }) => code === 206, header('content-range', 'bytes 0-2/5')),
    rules: ['storage.md#download'],
  },
  'an etag without quotes': {
    request: /^GET .*\/info\/a\.txt$/,
    change: when(
      ({ status: code }) => code === 200,
      body((answer) => {
        answer.etag = answer.etag?.replaceAll('"', '')
      }),
    ),
    rules: ['storage.md#info'],
  },
  'swapped names': {
    request: /\/object\/list\/.*_lists$/,
    change: body((names) => names.reverse()),
    rules: ['storage.md#lists'],
  },
  'a token that opens another file': {
    request: /^GET .*\/tokens\/d\.txt/,
    change: (answer) => {
      answer.status = 200
      answer.body = { secret: 1 }
    },
    rules: ['storage.md#signed-tokens'],
  },
  'no offset': {
    request: /^PATCH .*\/upload\/resumable\//,
    change: header('upload-offset'),
    rules: ['storage.md#tus'],
  },
  'another picture format': {
    request: /\/render\/image\/.*format=webp/,
    change: header('content-type', 'image/png'),
    rules: ['storage.md#pictures'],
  },
  'a page that may run': {
    request: /\/inert\/style\.xsl$/,
    change: header('content-security-policy'),
    rules: ['storage.md#inert'],
  },
}

interface FramePlant {
  readonly change: PlantFrames
  readonly rule: string
}

const on =
  (event: string, change: (frame: Json) => readonly Json[]): PlantFrames =>
  (frame) =>
    frame[3] === event ? change(frame) : [frame]

/** Changes of frames, by the end of the channel's name. */
const FRAMES: Readonly<Record<string, FramePlant>> = {
  order: {
    change: on('postgres_changes', (frame) => (frame[4].data.type === 'INSERT' ? [] : [frame])),
    rule: 'realtime.md#changes',
  },
  // Sends a row that the filter excludes before the row that the filter selects.
  filtered: {
    change: on('postgres_changes', (frame) => {
      const extra = structuredClone(frame)
      extra[4].data.record.id = 31
      return [extra, frame]
    }),
    rule: 'realtime.md#filters',
  },
  presence: {
    change: on('presence_diff', (frame) => {
      delete frame[4].leaves
      return [frame]
    }),
    rule: 'realtime.md#presence',
  },
  entries: {
    change: on('phx_reply', (frame) => {
      frame[4].response.postgres_changes?.reverse()
      return [frame]
    }),
    rule: 'realtime.md#join',
  },
  again: { change: on('phx_close', () => []), rule: 'realtime.md#leave' },
  column: {
    change: on('system', (frame) => {
      frame[4].message = 'error'
      return [frame]
    }),
    rule: 'realtime.md#subscription-errors',
  },
  echo: { change: on('broadcast', () => []), rule: 'realtime.md#broadcast' },
}

const impatience = new Impatience()

/** Same as `change`, and shortens the wait of checks for frames after `change` has changed a frame. */
function noted(change: PlantFrames): PlantFrames {
  return (frame) => {
    const before = JSON.stringify([frame])
    const sent = change(frame)
    if (JSON.stringify(sent) !== before) impatience.begin()
    return sent
  }
}

const SEED = 'planted'
/** Slug of everything that the run creates. */
const PREFIX = `conformance_${new SeededIdSource(SEED).id('').slice(0, 8)}`

let emulator: TestEmulator
beforeAll(async () => {
  emulator = await startTestEmulator()
})
afterAll(() => emulator[Symbol.asyncDispose]())

function check(url: string): Promise<ConformanceResult> {
  return runConformance(
    { bases: basesOf(url), credentials: {}, write: 'own group', only: [] },
    {
      http: createHttpClient({ wallClock: impatience }),
      ids: new SeededIdSource(SEED),
      stop: new AbortController().signal,
    },
  )
}

function failedRules({ rules }: ConformanceResult): readonly string[] {
  return rules.filter(({ status: each }) => each === 'failed').map(({ rule }) => rule)
}

describe('a run with --write', () => {
  it('fails exactly the rules whose answers a proxy alters', async () => {
    const requestLine = ({ method, url }: IncomingMessage): string => `${method} ${url}`
    const frames = Object.fromEntries(
      Object.entries(FRAMES).map(([name, { change }]) => [`${PREFIX}-${name}`, noted(change)]),
    )
    const plantsOf = (request: IncomingMessage): readonly PlantAnswer[] => {
      // A request begins the next check, or causes the next frame that the check waits for.
      impatience.end()
      return Object.values(PLANTS).flatMap((plant) =>
        plant.request.test(requestLine(request)) ? [plant.change] : [],
      )
    }
    await using proxy = await startMutatingProxy(emulator.url, plantsOf, frames)
    const result = await check(proxy.url)
    const planted = [
      ...Object.values(PLANTS).flatMap(({ rules }) => rules),
      ...Object.values(FRAMES).map(({ rule }) => rule),
    ]
    expect(failedRules(result).toSorted()).toEqual([...new Set(planted)].toSorted())
    expect(result.left).toEqual([])
  }, 300_000)
})
