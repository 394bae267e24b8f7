// The differences that planted-differences.test.ts plants into answers: which request, what changes, and what a comparison reports.
import type { DifferenceKind } from '../../../emulator/contract/comparisons.ts'
import type { PlantAnswer } from '../../support/mutating-proxy.ts'
import type { Json } from '../../support/test-emulator.ts'

export type Found = readonly [kind: DifferenceKind, at: string]

/** A request, and the difference that is planted into its answer. */
export interface Plant {
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

/** Plants by name. Each request has its plant's name in the header `x-plant`. */
export const PLANTS: Readonly<Record<string, Plant>> = {
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
