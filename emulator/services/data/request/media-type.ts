// Parses media types of requests and responses, and sorts `Accept` by preference (RFC 9110 §12.5.1). Pure.

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal'

export type MediaType =
  | { readonly kind: 'json' }
  | { readonly kind: 'geojson' }
  | { readonly kind: 'csv' }
  | { readonly kind: 'text' }
  | { readonly kind: 'xml' }
  | { readonly kind: 'openapi' }
  | { readonly kind: 'form' }
  | { readonly kind: 'octetStream' }
  | { readonly kind: 'any' }
  | { readonly kind: 'strippedArray' }
  | { readonly kind: 'object'; readonly isStripped: boolean }
  | {
      readonly kind: 'plan'
      readonly of: MediaType
      readonly format: 'text' | 'json'
      readonly options: readonly PlanOption[]
    }
  | { readonly kind: 'other'; readonly name: string }

const BY_NAME: Readonly<Record<string, MediaType>> = {
  'application/json': { kind: 'json' },
  'application/geo+json': { kind: 'geojson' },
  'text/csv': { kind: 'csv' },
  'text/plain': { kind: 'text' },
  'text/xml': { kind: 'xml' },
  'application/openapi+json': { kind: 'openapi' },
  'application/x-www-form-urlencoded': { kind: 'form' },
  'application/octet-stream': { kind: 'octetStream' },
  '*/*': { kind: 'any' },
}

const PLAN_OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal']

/** Parses one media type with its parameters. The kind of an unknown type is `other`, with its name. */
export function parseMediaType(text: string): MediaType {
  const match = /^([A-Za-z0-9.*]+)\/([A-Za-z0-9.*+-]+)/.exec(text)
  if (match === null) return { kind: 'other', name: text }
  const name = match[0].toLowerCase()
  const known = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined
  if (known !== undefined) return known
  const parameters = parametersOf(text.slice(match[0].length))
  const isStripped = parameters.get('nulls') === 'stripped'
  switch (name) {
    case 'application/vnd.pgrst.plan':
    case 'application/vnd.pgrst.plan+text':
      return planOf('text', parameters)
    case 'application/vnd.pgrst.plan+json':
      return planOf('json', parameters)
    case 'application/vnd.pgrst.object':
    case 'application/vnd.pgrst.object+json':
      return { kind: 'object', isStripped }
    case 'application/vnd.pgrst.array':
    case 'application/vnd.pgrst.array+json':
      return isStripped ? { kind: 'strippedArray' } : { kind: 'json' }
    default:
      return { kind: 'other', name: text }
  }
}

/**
 * Parses `Accept` and sorts it by weight, then by number of parameters, then by position. Ignores spaces, and parameters that
 * follow the weight. If the header is absent, any type is accepted.
 */
export function parseAccept(header: string | null): readonly MediaType[] {
  if (header === null) return [{ kind: 'any' }]
  if (header === '') return []
  if (header === '*/*' || header === 'application/json') return [parseMediaType(header)]
  return header
    .split(',')
    .map(weigh)
    .sort((first, second) => second.weight - first.weight || second.detail - first.detail)
    .map(({ text }) => parseMediaType(text))
}

/** Returns the media type's name, without `charset`. */
export function nameOf(media: MediaType): string {
  switch (media.kind) {
    case 'json':
      return 'application/json'
    case 'geojson':
      return 'application/geo+json'
    case 'csv':
      return 'text/csv'
    case 'text':
      return 'text/plain'
    case 'xml':
      return 'text/xml'
    case 'openapi':
      return 'application/openapi+json'
    case 'form':
      return 'application/x-www-form-urlencoded'
    case 'octetStream':
      return 'application/octet-stream'
    case 'any':
      return '*/*'
    case 'strippedArray':
      return 'application/vnd.pgrst.array+json;nulls=stripped'
    case 'object':
      return `application/vnd.pgrst.object+json${media.isStripped ? ';nulls=stripped' : ''}`
    case 'plan':
      return planName(media)
    case 'other':
      return media.name
    default:
      return media satisfies never
  }
}

/** Returns the media type as a `Content-Type` value. */
export function contentTypeOf(media: MediaType): string {
  const hasNoCharset = media.kind === 'octetStream' || media.kind === 'other'
  return hasNoCharset ? nameOf(media) : `${nameOf(media)}; charset=utf-8`
}

function planName(media: Extract<MediaType, { kind: 'plan' }>): string {
  const options = media.options.length === 0 ? '' : `; options=${media.options.join('|')}`
  return `application/vnd.pgrst.plan+${media.format}; for="${nameOf(media.of)}"${options}`
}

function planOf(format: 'text' | 'json', parameters: ReadonlyMap<string, string>): MediaType {
  const asked = (parameters.get('options') ?? '').split('|')
  const subject = parseMediaType(parameters.get('for') ?? 'application/json')
  return {
    kind: 'plan',
    of: subject.kind === 'plan' ? { kind: 'json' } : subject,
    format,
    options: PLAN_OPTIONS.filter((option) => asked.includes(option)),
  }
}

function parametersOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const pattern = /^\s*;\s*([A-Za-z0-9-]+)\s*=\s*(?:"([^"]*)"|([A-Za-z0-9|-]+))/
  let rest = text
  for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
    found.set((match[1] ?? '').toLowerCase(), match[2] ?? match[3] ?? '')
    rest = rest.slice(match[0].length)
  }
  return found
}

interface Weighed {
  readonly text: string
  readonly weight: number
  /** Returns a number by which types of equal weight are sorted. Parameters raise the number, and wildcards lower it. */
  readonly detail: number
}

function weigh(part: string): Weighed {
  const [text = '', ...rest] = part.replaceAll(' ', '').split(';q=')
  const [, weight = '1'] = /^(-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)/i.exec(rest.join(';q=')) ?? []
  return { text, weight: Number(weight), detail: countOf(text, ';') - countOf(text, '*') }
}

function countOf(text: string, char: string): number {
  return text.split(char).length - 1
}
