// Checks of docs/wire/storage.md: downloads and lists.
import { check, type RulesOfPage } from '../../model/check.ts'
import { EMPTY, TEXT, UUID } from '../../model/patterns.ts'
import { send, textAt } from '../../model/steps.ts'
import { store } from '../requests.ts'
import { freshBucket, refusedAs, upload } from './stored.ts'

const MD5_OF_HELLO = '"5d41402abc4b2a76b9719d911017c592"'

export const READING_RULES: RulesOfPage = {
  download: {
    checks: [
      check('an answer has every header', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/download/a.txt`
        yield send(upload(lab.home, path, 'hello', { 'cache-control': 'max-age=77' }), 200)
        yield send(
          store('GET', `/object/authenticated/${path}`, lab.home.serviceStorage),
          200,
          'hello',
          {
            'accept-ranges': 'bytes',
            'content-type': /^text\/plain/,
            etag: MD5_OF_HELLO,
            'last-modified': TEXT,
            'content-length': '5',
            'x-robots-tag': 'none',
            'cache-control': 'max-age=77',
          },
        )
        yield send(
          store('HEAD', `/object/authenticated/${path}`, lab.home.serviceStorage),
          200,
          EMPTY,
          { 'content-length': '5', etag: MD5_OF_HELLO },
        )
      }),
      check('the three routes differ in the bearer', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'routes', { public: true })
        yield send(upload(lab.home, `${bucket}/a.txt`), 200)
        yield send(store('GET', `/object/public/${bucket}/a.txt`), 200, 'hello')
        yield send(store('GET', `/object/${bucket}/a.txt`), 200, 'hello')
        yield send(store('GET', `/object/authenticated/${bucket}/a.txt`), 400)
        yield send(upload(lab.home, `${lab.bucket}/download/private.txt`), 200)
        yield refusedAs(store('GET', `/object/public/${lab.bucket}/download/private.txt`), '404')
      }),
      check('a range is 206 with Content-Range', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/download/range.txt`
        const part = (range: string) =>
          store('GET', `/object/authenticated/${path}`, lab.home.serviceStorage, {
            headers: { range: `bytes=${range}` },
          })
        yield send(upload(lab.home, path), 200)
        yield send(part('0-1'), 206, 'he', { 'content-range': 'bytes 0-1/5' })
        yield send(part('3-'), 206, 'lo', { 'content-range': 'bytes 3-4/5' })
        yield send(part('-2'), 206, 'lo', { 'content-range': 'bytes 3-4/5' })
        yield send(part('9-'), 416)
        yield send(part('0-1,3-4'), 416)
      }),
      check('If-None-Match and If-Modified-Since lead to 304', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/download/known.txt`
        const known = (headers: Readonly<Record<string, string>>) =>
          store('GET', `/object/authenticated/${path}`, lab.home.serviceStorage, { headers })
        yield send(upload(lab.home, path), 200)
        const first = yield send(known({}), 200, 'hello', { 'last-modified': TEXT })
        yield send(known({ 'if-none-match': MD5_OF_HELLO }), 304)
        yield send(known({ 'if-modified-since': first.headers['last-modified'] ?? '' }), 304)
        yield send(known({ 'if-none-match': '"other"' }), 200, 'hello')
      }),
      check('?download names the file', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/download/named.txt`
        yield send(upload(lab.home, path), 200)
        yield send(
          store(
            'GET',
            `/object/authenticated/${path}?download=report.txt`,
            lab.home.serviceStorage,
          ),
          200,
          'hello',
          { 'content-disposition': /report\.txt/ },
        )
      }),
      check('text/html is served as text/plain', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/download/page.html`
        yield send(upload(lab.home, path, '<b>x</b>', { 'content-type': 'text/html' }), 200)
        yield send(
          store('GET', `/object/authenticated/${path}`, lab.home.serviceStorage),
          200,
          '<b>x</b>',
          { 'content-type': /^text\/plain/ },
        )
      }),
    ],
  },
  inert: {
    checks: [
      check(
        'other types are sandboxed, and nothing is sniffed',
        ['lab', 'emulator'],
        function* (world) {
          const { bucket, home } = world.lab
          const read = (name: string, headers = {}) =>
            store('GET', `/object/authenticated/${bucket}/inert/${name}`, home.serviceStorage, {
              headers,
            })
          const put = (name: string, type: string) =>
            upload(home, `${bucket}/inert/${name}`, 'x', { 'content-type': type })
          yield send(put('style.xsl', 'text/xsl'), 200)
          yield send(read('style.xsl'), 200, 'x', {
            'content-security-policy': /^sandbox/,
            'x-content-type-options': 'nosniff',
            'content-type': /^text\/xsl/,
          })
          yield send(put('guess', 'unknown/unknown'), 200)
          yield send(read('guess'), 200, 'x', { 'content-type': 'application/octet-stream' })
          yield send(read('style.xsl', { 'service-worker': 'script' }), 403)
        },
      ),
    ],
  },
  lists: {
    checks: [
      check('a list has names relative to the prefix, and folders', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'lists')
        for (const key of ['top/b.txt', 'top/A.txt', 'top/sub/c.txt'])
          yield send(upload(lab.home, `${bucket}/${key}`), 200)
        const list = (json: unknown) =>
          store('POST', `/object/list/${bucket}`, lab.home.serviceStorage, { json })
        const file = { id: UUID, updated_at: TEXT, created_at: TEXT, metadata: { size: 5 } }
        yield send(list({ prefix: 'top' }), 200, [
          { name: 'A.txt', ...file },
          { name: 'b.txt', ...file },
          { name: 'sub', id: null },
        ])
        yield send(list({ prefix: 'top', limit: 1, offset: 1 }), 200, [{ name: 'b.txt' }])
        yield send(list({ prefix: 'nowhere' }), 200, [])
      }),
      check('list-v2 has full names, pages and folders', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'lists_two')
        for (const key of ['a.txt', 'b.txt', 'sub/c.txt'])
          yield send(upload(lab.home, `${bucket}/${key}`), 200)
        const list = (json: unknown) =>
          store('POST', `/object/list-v2/${bucket}`, lab.home.serviceStorage, { json })
        yield send(list({}), 200, {
          hasNext: false,
          folders: [],
          objects: [{ name: 'a.txt' }, { name: 'b.txt' }, { name: 'sub/c.txt' }],
        })
        const first = yield send(list({ limit: 2 }), 200, {
          hasNext: true,
          nextCursor: TEXT,
          objects: [{ name: 'a.txt' }, { name: 'b.txt' }],
        })
        yield send(list({ cursor: textAt(first, 'nextCursor') }), 200, {
          hasNext: false,
          objects: [{ name: 'sub/c.txt' }],
        })
        yield send(list({ with_delimiter: true }), 200, {
          folders: [{ name: /^sub\/?$/ }],
          objects: [{ name: 'a.txt' }, { name: 'b.txt' }],
        })
      }),
    ],
  },
}
