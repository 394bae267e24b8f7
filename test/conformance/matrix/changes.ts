// The changes that the matrix makes to an answer, one at a time. Pure.
import type { SeenAnswer } from '../../support/test-boundary.ts'
import type { Json } from '../../support/test-emulator.ts'
import { jsonOf } from './answers.ts'

/** Steps from the body's root to a member; `*` means every item of a list. */
type Place = readonly string[]

export type Change =
  | { readonly part: 'status'; readonly way: 'another' | 'opposite' }
  /** Without a name, the change concerns all headers of the answer, or adds headers that the answer lacks. */
  | { readonly part: 'header'; readonly name?: string; readonly way: 'missing' | 'another' }
  | { readonly part: 'body'; readonly place: Place; readonly way: Way }

type Way =
  | 'missing'
  | 'null'
  | 'longer'
  | 'planted'
  | 'empty'
  | 'plus one'
  | 'text'
  | 'negated'
  | 'without first'
  | 'reversed'
  | 'repeated'
  | 'more'

const CLOSE: Readonly<Record<number, number>> = {
  200: 202,
  201: 200,
  202: 200,
  204: 200,
  206: 200,
  302: 301,
  304: 200,
  400: 422,
  401: 403,
  403: 401,
  404: 410,
  409: 400,
}
/** Headers that differ in every response, or belong to the connection. */
const UNSTABLE = /^(date|connection|keep-alive|content-length|transfer-encoding|x-request-id)$/
/** Headers that a change adds to answers without them. */
const ABSENT = ['access-control-allow-origin', 'access-control-allow-methods', 'etag', 'location']

/**
 * Returns the changes of the whole status, of all headers and of the whole body. A test that passes with such a change also
 * passes with its parts.
 */
export function wholeChanges(): readonly Change[] {
  return [
    { part: 'status', way: 'another' },
    { part: 'status', way: 'opposite' },
    { part: 'header', way: 'missing' },
    { part: 'header', way: 'another' },
    { part: 'body', place: [], way: 'null' },
  ]
}

/** Returns the parts of a whole change: the changes of single headers or members. */
export function partsOf(whole: Change, answers: readonly SeenAnswer[]): readonly Change[] {
  const found = new Map<string, Change>()
  for (const change of answers.flatMap((answer) => partsOfOne(whole, answer)))
    found.set(wordsOf(change), change)
  found.delete(wordsOf(whole))
  return [...found.values()]
}

export function wordsOf(change: Change): string {
  switch (change.part) {
    case 'status':
      return `${change.way} status`
    case 'header':
      return `header ${change.name ?? '*'} ${change.way}`
    case 'body':
      return `body ${change.place.join('.')} ${change.way}`
    default:
      return change satisfies never
  }
}

/** Returns the changed answer, or the unchanged answer when the change does not apply. */
export function changed(answer: SeenAnswer, change: Change): SeenAnswer {
  switch (change.part) {
    case 'status': {
      const opposite = answer.status < 400 ? 500 : 200
      const status =
        change.way === 'opposite' ? opposite : (CLOSE[answer.status] ?? answer.status + 1)
      return { ...answer, status }
    }
    case 'header':
      return { ...answer, headers: changedHeaders(answer, change.way, change.name) }
    case 'body':
      return { ...answer, bytes: changedBytes(answer, change.place, change.way) }
    default:
      return change satisfies never
  }
}

function changedHeaders(
  { headers }: SeenAnswer,
  way: 'missing' | 'another',
  name?: string,
): SeenAnswer['headers'] {
  const names = way === 'missing' ? stableNames(headers) : ABSENT.filter((one) => !(one in headers))
  const chosen = name === undefined ? names : [name]
  const rest = Object.entries(headers).filter(([one]) => !chosen.includes(one))
  const others = chosen.map((one) => [one, `${headers[one] ?? ''}planted`])
  return Object.fromEntries([...rest, ...(way === 'missing' ? [] : others)])
}

function stableNames(headers: SeenAnswer['headers']): readonly string[] {
  return Object.keys(headers).filter((name) => !UNSTABLE.test(name))
}

function partsOfOne(whole: Change, answer: SeenAnswer): readonly Change[] {
  const names = stableNames(answer.headers)
  switch (whole.part) {
    case 'status':
      return []
    case 'header':
      return whole.way === 'missing'
        ? names.flatMap((name) => [
            { part: 'header', name, way: 'missing' },
            { part: 'header', name, way: 'another' },
          ])
        : ABSENT.filter((name) => !names.includes(name)).map((name) => ({ ...whole, name }))
    case 'body': {
      const body = jsonOf(answer)
      if (body !== undefined) return memberChanges(body, [])
      return [{ ...whole, way: 'longer' }]
    }
    default:
      return whole satisfies never
  }
}

function memberChanges(value: Json, place: Place): readonly Change[] {
  const ways: readonly Way[] = place.length === 0 ? waysOf(value) : ['missing', ...waysOf(value)]
  const own = ways.map((way) => ({ part: 'body', place, way }) as const)
  if (Array.isArray(value)) {
    const item = [...place, '*']
    return [...own, ...value.flatMap((each) => (isBranch(each) ? memberChanges(each, item) : []))]
  }
  if (!isBranch(value)) return own
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, member]) => memberChanges(member, [...place, name])),
  ]
}

function waysOf(value: Json): readonly Way[] {
  if (value === null) return ['planted']
  if (Array.isArray(value))
    return value.length === 0
      ? ['planted']
      : ['empty', 'without first', 'reversed', 'repeated', 'null']
  switch (typeof value) {
    case 'string':
      return value === '' ? ['planted', 'null'] : ['longer', 'planted', 'empty', 'null']
    case 'number':
      return ['plus one', 'text', 'null']
    case 'boolean':
      return ['negated', 'null']
    default:
      return ['more', 'null']
  }
}

function changedBytes(answer: SeenAnswer, place: Place, way: Way): Buffer {
  const body = jsonOf(answer)
  if (body === undefined)
    return way === 'null' ? Buffer.alloc(0) : Buffer.concat([answer.bytes, Buffer.from('x')])
  const root = { body }
  changeAt(root, ['body', ...place], way)
  return root.body === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(root.body))
}

function changeAt(owner: Json, [name = '', ...rest]: Place, way: Way): void {
  if (!isBranch(owner)) return
  const names = name === '*' && Array.isArray(owner) ? Object.keys(owner) : [name]
  for (const each of names) {
    if (rest.length > 0) changeAt(owner[each], rest, way)
    else if (Object.hasOwn(owner, each)) {
      if (way === 'missing') delete owner[each]
      else owner[each] = changedValue(owner[each], way)
    }
  }
}

function changedValue(value: Json, way: Exclude<Way, 'missing'>): Json {
  switch (way) {
    case 'null':
      return null
    case 'longer':
      return `${value}x`
    case 'planted':
      return Array.isArray(value) ? ['planted'] : 'planted by the matrix'
    case 'empty':
      return Array.isArray(value) ? [] : ''
    case 'plus one':
      return Number(value) + 1
    case 'text':
      return String(value)
    case 'negated':
      return value !== true
    case 'without first':
      return Array.isArray(value) ? value.slice(1) : value
    case 'reversed':
      return Array.isArray(value) ? value.toReversed() : value
    case 'repeated':
      return Array.isArray(value) ? [...value, ...value.slice(0, 1)] : value
    case 'more':
      return isBranch(value) ? { ...value, planted: 1 } : value
    default:
      return way satisfies never
  }
}

function isBranch(value: Json): boolean {
  return typeof value === 'object' && value !== null
}
