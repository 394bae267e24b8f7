import { describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { parseRouteKey } from '../../../../emulator/core/routes.ts'
import { DataError, refusalOf } from '../../../../emulator/services/data/errors.ts'
import {
  chooseSchema,
  parseRequest,
} from '../../../../emulator/services/data/request/parse-request.ts'
import { parsePreferences } from '../../../../emulator/services/data/request/preferences.ts'
import { DATA_ROUTES } from '../../../../emulator/services/data/routes.ts'
import { tenantSettings } from '../../../../emulator/services/data/settings.ts'

const SETTINGS = tenantSettings(trusted.schemaName('proj_x'), 8_000)
const NO_PREFERENCES = parsePreferences(null, { mayEndTransaction: false, isTimeZone: () => false })

function parse(line: string, headers: Record<string, string> = {}) {
  const [method = '', target = ''] = line.split(' ')
  const [path = '', search = ''] = target.split('?')
  const raw = { method, path, search, headers: new Headers(headers), body: Buffer.from('{}') }
  const chosen = { schema: 'proj_x', isNegotiatedByProfile: false }
  return parseRequest({ ...raw, chosen, settings: SETTINGS }, NO_PREFERENCES)
}

function refusal(act: () => unknown): object {
  try {
    act()
  } catch (error) {
    if (error instanceof DataError) return refusalOf(error)
    throw error
  }
  throw new Error('it was accepted')
}

describe('path', () => {
  it.each(
    Object.keys(DATA_ROUTES).flatMap((key) => {
      const { methods, path } = parseRouteKey(key)
      return methods.map((method) => `${method} ${path.replace(/:\w+/, 'visits')}`)
    }),
  )('parses %s, which the table of operations lists', (line) => {
    expect(parse(line).path).toBe(line.split(' ')[1])
  })

  it.each([
    ['GET /', { kind: 'describeSchema' }],
    ['OPTIONS /', { kind: 'schemaInfo' }],
    ['GET /visits', { kind: 'read', relation: 'visits', isHead: false }],
    ['HEAD /a+b%20c%2Fd', { kind: 'read', relation: 'a+b c/d', isHead: true }],
    ['GET /%C3%A9%zz', { kind: 'read', relation: 'é%zz' }],
    ['GET /rpc', { kind: 'read', relation: 'rpc' }],
    ['POST /rpc/f', { kind: 'call', routine: 'f', method: 'POST' }],
    ['GET /rpc/', { kind: 'call', routine: '', method: 'GET' }],
    ['OPTIONS /rpc/f', { kind: 'routineInfo', routine: 'f' }],
    ['PUT /visits', { kind: 'mutate', mutation: 'singleUpsert' }],
  ])('%s is parsed', (line, action) => {
    expect(parse(line).action).toMatchObject(action)
  })

  it.each(['GET /visits/', 'GET //', 'GET //visits', 'GET /rpc/f/', 'GET /rpc/f/g', 'GET /a/b'])(
    '%s is not a path of the data plane',
    (line) => {
      expect(refusal(() => parse(line))).toMatchObject({
        status: 404,
        code: 'PGRST125',
        message: 'Invalid path specified in request URL',
      })
    },
  )
})

describe('method', () => {
  it.each([
    ['TRACE /visits', 405, 'PGRST117', 'Unsupported HTTP method: TRACE'],
    ['get /visits', 405, 'PGRST117', 'Unsupported HTTP method: get'],
    ['POST /', 405, 'PGRST117', 'Unsupported HTTP method: POST'],
    ['PATCH /rpc/f', 405, 'PGRST101', 'Cannot use the PATCH method on RPC'],
  ])('%s is refused', (line, status, code, message) => {
    expect(refusal(() => parse(line))).toMatchObject({ status, code, message, details: null })
  })
})

describe('profile', () => {
  const schemas = ['one', 'two']

  it('is read from the header that fits the method', () => {
    const headers = new Headers({ 'accept-profile': 'two', 'content-profile': 'one' })
    const schemaOf = (method: string) => chooseSchema(method, headers, schemas).schema
    expect(['GET', 'HEAD', 'OPTIONS'].map(schemaOf)).toEqual(['two', 'two', 'two'])
    expect(['POST', 'PATCH', 'PUT', 'DELETE'].map(schemaOf)).toEqual(['one', 'one', 'one', 'one'])
  })

  it('must be exposed', () => {
    expect(
      refusal(() => chooseSchema('GET', new Headers({ 'accept-profile': 'Two' }), schemas)),
    ).toMatchObject({
      status: 406,
      code: 'PGRST106',
      message: 'Invalid schema: Two',
      details: null,
      hint: 'Only the following schemas are exposed: one, two',
    })
  })
})

describe('the requested range', () => {
  it.each([
    ['GET /v?limit=3', '2-9', { lower: 2n, upper: 2n }],
    ['GET /v?offset=4', '2-9', { lower: 4n, upper: 9n }],
    ['GET /v', '5-', { lower: 5n, upper: undefined }],
    ['GET /v', 'items=0-1', { lower: 0n, upper: undefined }],
    ['GET /v', '-5', { lower: 0n, upper: undefined }],
    ['GET /v?limit=0', '2-9', { lower: 0n, upper: -1n }],
    ['GET /v?offset=-3', '', { lower: 0n, upper: undefined }],
    ['HEAD /v', '2-9', { lower: 0n, upper: undefined }],
    ['DELETE /v', '9-2', { lower: 0n, upper: undefined }],
  ])('is read from %s with Range %j', (line, range, expected) => {
    expect(parse(line, range === '' ? {} : { range }).range).toEqual(expected)
  })

  it.each([
    [
      'GET /v',
      '9-2',
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    ],
    ['GET /v?limit=-1', '', 'Limit should be greater than or equal to zero.'],
    ['GET /v?limit=0&offset=5', '', 'Limit should be greater than or equal to zero.'],
    ['GET /v?limit=2', '5-9', 'Limit should be greater than or equal to zero.'],
    ['DELETE /v?limit=-1', '', 'Limit should be greater than or equal to zero.'],
  ])('is refused for %s with Range %j', (line, range, details) => {
    expect(refusal(() => parse(line, range === '' ? {} : { range }))).toMatchObject({
      status: 416,
      code: 'PGRST103',
      message: 'Requested range not satisfiable',
      details,
    })
  })

  it('cannot be set for a PUT', () => {
    expect(refusal(() => parse('PUT /v?offset=1'))).toMatchObject({
      status: 400,
      code: 'PGRST114',
      message: 'limit/offset querystring parameters are not allowed for PUT',
    })
  })
})
