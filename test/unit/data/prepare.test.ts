// A cached prepared request must equal the request that would be prepared without the cache.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import { planAndCompile, prepare } from '../../../emulator/services/data/answer.ts'
import type { Parsable } from '../../../emulator/services/data/request/api-request.ts'
import { parseRequest } from '../../../emulator/services/data/request/parse-request.ts'
import { parsePreferences } from '../../../emulator/services/data/request/preferences.ts'
import type { SchemaCache } from '../../../emulator/services/data/schema-cache/schema-cache.ts'
import { type DataSettings, tenantSettings } from '../../../emulator/services/data/settings.ts'
import type { Prepared } from '../../../emulator/services/data/shape-memory.ts'
import { clinicCache } from './sql/clinic-cache.ts'

const settings = tenantSettings(trusted.schemaName('proj_x'), 8_000)
const chosen = { schema: 'proj_x', isNegotiatedByProfile: false }
const options = { mayEndTransaction: true, isTimeZone: () => false }

function raw(
  method: string,
  target: string,
  body = '',
  headers: Record<string, string> = {},
): Parsable {
  const [path = '', ...rest] = target.split('?')
  const search = rest.length === 0 ? '' : `?${rest.join('?')}`
  return {
    method,
    path,
    search,
    headers: new Headers(headers),
    body: Buffer.from(body),
    settings,
    chosen,
  }
}

function preferencesOf(request: Parsable) {
  return parsePreferences(request.headers.get('prefer'), options)
}

/** Prepares a request with the cache. Returns whether the cache knew the request's shape. */
async function ask(cache: SchemaCache, request: Parsable, under: DataSettings = settings) {
  let isKnown = true
  const prepared = await prepare(cache, { ...request, settings: under }, async () => {
    isKnown = false
    return preferencesOf(request)
  })
  return { isKnown, told: told(prepared) }
}

function afresh(cache: SchemaCache, request: Parsable) {
  return told(planAndCompile(cache, parseRequest(request, preferencesOf(request)), settings))
}

/** Returns the parts of a prepared request that execution and answer use. */
function told({ request, plan, compiled }: Prepared) {
  return {
    kind: plan.kind,
    range: request.range,
    preferences: request.preferences,
    canonical: request.query.canonical,
    main: compiled && [compiled.main.text, compiled.main.params],
    explainCount: compiled?.explainCount && [
      compiled.explainCount.text,
      compiled.explainCount.params,
    ],
  }
}

async function knownAfter(...requests: readonly Parsable[]): Promise<boolean> {
  const cache = clinicCache()
  let isKnown = false
  for (const request of requests) ({ isKnown } = await ask(cache, request))
  return isKnown
}

describe('a remembered plan', () => {
  it.each<[string, (turn: number) => Parsable]>([
    ['a read by another key', (turn) => raw('GET', `/visits?select=*&id=eq.${turn}`)],
    ['an update of another row', (turn) => raw('PATCH', `/visits?id=eq.${turn}`, '{"note":"a"}')],
    ['an insert of another row', (turn) => raw('POST', '/visits', `{"id":${turn},"note":"x"}`)],
    ['several rows', (turn) => raw('POST', '/visits', `[{"id":${turn}},{"id":7}]`)],
  ])('serves %s from the third time on', async (_, request) => {
    expect(await knownAfter(request(1), request(2), request(3))).toBe(true)
  })

  it.each<[string, Parsable, Parsable]>([
    ['another column', raw('GET', '/visits?id=eq.1'), raw('GET', '/visits?clinic_id=eq.1')],
    ['another operator', raw('GET', '/visits?id=eq.1'), raw('GET', '/visits?id=gt.1')],
    ['another limit', raw('GET', '/visits?limit=1'), raw('GET', '/visits?limit=2')],
    [
      'another range',
      raw('GET', '/visits', '', { range: '0-1' }),
      raw('GET', '/visits', '', { range: '0-2' }),
    ],
    [
      'another preference',
      raw('GET', '/visits', '', { prefer: 'count=exact' }),
      raw('GET', '/visits'),
    ],
    ['other keys', raw('POST', '/visits', '{"id":1}'), raw('POST', '/visits', '{"note":"x"}')],
    ['a list', raw('POST', '/visits', '{"id":1}'), raw('POST', '/visits', '[{"id":1}]')],
  ])('does not serve %s', async (_, one, other) => {
    expect(await knownAfter(one, one, one, other)).toBe(false)
  })

  it('is not used with another schema cache', async () => {
    const request = raw('GET', '/visits?id=eq.1')
    await knownAfter(request, request, request)
    expect((await ask(clinicCache(), request)).isKnown).toBe(false)
  })

  it('is kept separately for each set of settings', async () => {
    const cache = clinicCache()
    const request = raw('GET', '/visits?limit=9')
    const bounded = { ...settings, maxRows: 1 }
    for (const _ of [1, 2])
      for (const under of [settings, bounded]) await ask(cache, request, under)
    const one = await ask(cache, request)
    const other = await ask(cache, request, bounded)
    expect([one.isKnown, other.isKnown, one.told.main, other.told.main]).toEqual([
      true,
      true,
      [expect.anything(), ['9', '0']],
      [expect.anything(), ['1', '0']],
    ])
  })

  it('refuses an invalid body of a known shape', async () => {
    const cache = clinicCache()
    for (const id of [1, 2, 3]) await ask(cache, raw('POST', '/visits', `{"id":${id}}`))
    await expect(ask(cache, raw('POST', '/visits', '{"id":'))).rejects.toMatchObject({
      code: 'PGRST102',
    })
  })
})

const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer().map(String),
  fc.constantFrom('null', '', '(1,2)', '"a"', "'; --", '$1', '\u{e000}0\u{e000}', '*', 'é', '\\'),
)
const makers: readonly ((one: string, other: string) => Parsable)[] = [
  (one, other) => raw('GET', `/visits?note=eq.${one}&id=not.gt.${other}&order=id&limit=5`),
  (one, other) => raw('GET', `/visits?note=like.*${one}*&id=neq.${other}`),
  (one, other) =>
    raw('HEAD', `/clinics?select=id,visits(note)&visits.note=gte.${one}&name=lt.${other}`),
  (one, other) => raw('GET', `/visits?or=(note.eq.${one},id.eq.1)&note=eq.${other}`),
  (one, other) =>
    raw('GET', `/visits?note=eq.${one}`, '', { prefer: `count=planned, x=${other.length}` }),
  (one, other) => raw('PATCH', `/visits?note=eq.${one}`, JSON.stringify({ note: decoded(other) })),
  (one, other) =>
    raw('POST', '/visits', JSON.stringify([{ note: decoded(one) }, { note: decoded(other) }])),
  (one, other) =>
    raw('PUT', `/visits?id=eq.${one}`, JSON.stringify({ id: decoded(one), note: decoded(other) })),
]

function decoded(text: string): string {
  return decodeURIComponent(text)
}

describe('a remembered request', () => {
  it('has the same response as a request that is not remembered', async () => {
    const cache = clinicCache()
    const encoded = value.map((text) => encodeURIComponent(text.toWellFormed()))
    await fc.assert(
      fc.asyncProperty(fc.nat(makers.length - 1), encoded, encoded, async (maker, one, other) => {
        const request = makers[maker]?.(one, other) ?? raw('GET', '/visits')
        let expected: unknown
        try {
          expected = afresh(cache, request)
        } catch (error) {
          await expect(ask(cache, request)).rejects.toEqual(error)
          return
        }
        expect((await ask(cache, request)).told).toEqual(expected)
      }),
      { numRuns: 5_000, seed: 7 },
    )
  })
})
