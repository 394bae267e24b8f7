// A small pool of request lines, so that the shapes of requests repeat. Each line asks the planner for other facts of the schema.
import fc from 'fast-check'
import { type RequestLine, requestLine } from '../../../support/request-lines.ts'
import { hostile } from '../../../support/request-words.ts'

/** Seeds the generated part of the pool. Every run has the same pool. */
const POOL_SEED = 7
const GENERATED = 80

const get = (path: string, search = '', headers: RequestLine['headers'] = {}): RequestLine => ({
  method: 'GET',
  path,
  search,
  headers,
  body: '',
})
const send = (
  method: string,
  target: string,
  body: unknown,
  prefer = 'return=representation',
): RequestLine => {
  const [path = '', search = ''] = target.split('?')
  return {
    method,
    path,
    search,
    headers: { prefer },
    body: body === '' ? '' : JSON.stringify(body),
  }
}

export const OBJECT = { accept: 'application/vnd.pgrst.object+json' }
export const CSV = { accept: 'text/csv' }
const COUNTED = { prefer: 'count=exact', range: '0-1' }

const READS: readonly RequestLine[] = [
  get('/notes', 'select=*&id=eq.1'),
  get('/notes', 'id=eq.1', OBJECT),
  get('/notes', 'select=id,title&title=eq.one&order=id'),
  get('/notes', 'owner=eq.1&id=gt.0&order=id.desc&limit=2'),
  get('/notes', 'owner=not.eq.1&select=title,owner', COUNTED),
  get('/notes', 'select=id,extra&id=lte.2', CSV),
  get('/notes', 'select=id,tags(label)&id=eq.1'),
  get('/notes', 'select=*,tags(*)&tags.label=eq.red&owner=eq.1&order=id'),
  get('/notes', 'select=id,tags!inner(label)&tags.label=neq.red'),
  get('/notes', 'select=id,shout&id=neq.1'),
  get('/notes', 'data->>a=eq.1&select=id,data->a'),
  get('/notes', 'data=eq.{"a":1}&day=gte.2024-01-01'),
  get('/notes', 'done=is.false&id=in.(1,2)&owner=eq.1'),
  get('/notes', 'or=(id.eq.1,title.eq.one)&owner=lt.5'),
  get('/notes', 'words=fts.one&owner=eq.1'),
  get('/notes', 'select=id,words,title::varchar&title=eq.one&words=not.fts.two'),
  get('/notes', 'select=id,owner->a&owner=neq.2&order=owner,id'),
  get('/notes', 'id=eq.1&id=lt.3', { prefer: 'count=planned', accept: 'application/json' }),
  get('/notes', 'id=gt.0', { prefer: 'count=estimated, handling=strict' }),
  get('/notes', 'owner=eq.1', { 'accept-profile': 'public' }),
  get('/notes', 'select=owner,count(),id.sum()&owner=gte.0&order=owner'),
  get('/notes', 'day=eq.2024-01-01', { prefer: 'timezone=Asia/Tokyo' }),
  get('/tags', 'select=label,notes(title,owner)&note=eq.1'),
  get('/tags', 'select=label,...notes(title)&notes.id=eq.1&label=eq.red'),
  get('/open_notes', 'owner=eq.1'),
  get('/open_notes', 'select=*,tags(label)&id=gte.1'),
  get('/spare', 'id=eq.1'),
  get('/rpc/find_notes', 'word=a&most=2'),
  get('/rpc/find_notes', 'word=a&select=id,tags(label)&id=gt.0'),
  get('/rpc/find_notes', 'word=a&most=2', COUNTED),
  get('/rpc/total', 'lowest=1'),
  get('/rpc/who'),
  get('/rpc/who', '', { accept: 'text/plain' }),
]

const WRITES: readonly RequestLine[] = [
  send('POST', '/notes', { title: 'one', owner: 1 }),
  send('POST', '/notes?select=id,title', [{ title: 'one' }, { title: 'two' }]),
  send('POST', '/notes?columns=title', { title: 'one', more: 1 }),
  send('POST', '/notes', { id: 1, title: 'a' }, 'resolution=merge-duplicates, return=minimal'),
  send(
    'POST',
    '/notes?on_conflict=title',
    { id: 2, title: 'one' },
    'resolution=ignore-duplicates, return=representation',
  ),
  send('POST', '/notes', { title: 'one', extra: 'x' }, 'missing=default, return=headers-only'),
  send(
    'POST',
    '/notes?columns=title,extra,owner',
    { title: 'one' },
    'missing=default, return=representation',
  ),
  send('PATCH', '/notes?id=eq.1', { title: 'one' }),
  send('PATCH', '/notes?owner=eq.1&select=id,tags(label)', { done: true, owner: 2 }),
  send('PATCH', '/notes?id=gt.0', { data: { a: 1 } }, 'max-affected=2, handling=strict'),
  send('PUT', '/notes?id=eq.1', { id: 1, title: 'one', owner: 1 }),
  send('DELETE', '/notes?id=eq.3', ''),
  send('DELETE', '/tags?note=eq.1&label=eq.red', '', 'return=minimal, count=exact'),
  send('POST', '/tags', { note: 1, label: 'red' }),
  send('POST', '/open_notes', { title: 'one', owner: 1 }),
  send('PATCH', '/open_notes?id=eq.1', { title: 'one' }),
  send('POST', '/spare', { id: 1, word: 'one' }, 'return=representation, tx=rollback'),
  send('POST', '/rpc/find_notes', { word: 'a', most: 2 }, ''),
  send('POST', '/rpc/put_note', { title: 'one' }, ''),
  send('POST', '/rpc/put_note?select=title', { title: 'one', owner: 1 }, 'tx=rollback'),
  send('POST', '/rpc/total', { lowest: 1 }, ''),
]

const decisions = fc.array(fc.nat(0xffff), { minLength: 4, maxLength: 48, size: 'max' })

export const KNOWN_LINES: readonly RequestLine[] = [
  ...READS,
  // Doubled: these requests mostly succeed. Most generated requests are refused.
  ...READS,
  ...WRITES,
  ...WRITES,
  ...fc
    .sample(decisions, { seed: POOL_SEED, numRuns: GENERATED })
    .map((all) => requestLine(all, hostile)),
]
