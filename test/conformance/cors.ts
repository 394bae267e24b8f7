// Decides which web pages may read responses (PostgREST, "CORS"; Fetch §3.2). The platform's edge has its own CORS rules for all
// services. Pure.

const EXPOSED = [
  'Content-Encoding',
  'Content-Location',
  'Content-Range',
  'Content-Type',
  'Date',
  'Location',
  'Server',
  'Transfer-Encoding',
  'Range-Unit',
].join(', ')

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']
const ALWAYS_ALLOWED = ['Accept', 'Accept-Language', 'Content-Language']

type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The headers to add to a response; none for an origin that is not allowed. */
export function readingHeaders(headers: Headers, allowed: readonly string[] | null): HeaderPairs {
  const origin = originHeaders(headers, allowed)
  return origin === undefined ? [] : [...origin, ['Access-Control-Expose-Headers', EXPOSED]]
}

/**
 * The headers of the response to a preflight. `undefined` when the request is not a preflight, or the origin or method is not
 * allowed.
 */
export function preflightAnswer(
  request: Pick<Request, 'method' | 'headers'>,
  allowed: readonly string[] | null,
): HeaderPairs | undefined {
  const { method, headers } = request
  const origin = originHeaders(headers, allowed)
  const wanted = headers.get('access-control-request-method') ?? ''
  if (method !== 'OPTIONS' || origin === undefined || !METHODS.includes(wanted)) return undefined
  return [
    ...origin,
    ['Access-Control-Allow-Methods', METHODS.join(', ')],
    ...allowedHeaders(headers.get('access-control-request-headers')),
    ['Access-Control-Max-Age', '86400'],
  ]
}

// Without a list of origins, pages of any origin may read responses, but only without credentials.
function originHeaders(
  headers: Headers,
  allowed: readonly string[] | null,
): HeaderPairs | undefined {
  const origin = headers.get('origin')
  if (origin === null) return undefined
  if (allowed === null) return [['Access-Control-Allow-Origin', '*']]
  if (!allowed.includes(origin)) return undefined
  return [
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Credentials', 'true'],
  ]
}

function allowedHeaders(requested: string | null): HeaderPairs {
  if (requested === null) return []
  const names = ['Authorization', ...requested.split(',').map((name) => name.trim())]
  const all = [...names, ...ALWAYS_ALLOWED.filter((name) => !hasName(names, name))]
  return [['Access-Control-Allow-Headers', all.join(', ')]]
}

function hasName(names: readonly string[], name: string): boolean {
  return names.some((each) => each.toLowerCase() === name.toLowerCase())
}
