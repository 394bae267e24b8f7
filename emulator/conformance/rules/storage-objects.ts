// Checks of docs/wire/storage.md: uploads, downloads, lists and moves.
import { check, type RulesOfPage } from '../model/check.ts'
import { EMPTY, TEXT, UUID } from '../model/patterns.ts'
import { send, textAt } from '../model/steps.ts'
import { storageError, store } from './requests.ts'
import { freshBucket, refusedAs, upload } from './storage-buckets.ts'

const MD5_OF_HELLO = '"5d41402abc4b2a76b9719d911017c592"'

export const OBJECT_RULES: RulesOfPage = {
  upload: {
    checks: [
      check('POST creates, and a second POST is a duplicate', ['lab'], ({ lab }) => [
        send(upload(lab.home, `${lab.bucket}/upload/a.txt`), 200, {
          Id: UUID,
          Key: `${lab.bucket}/upload/a.txt`,
        }),
        refusedAs(upload(lab.home, `${lab.bucket}/upload/a.txt`), '409', { error: 'Duplicate' }),
      ]),
      check('PUT and x-upsert replace', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/upload/replaced.txt`
        const read = store('GET', `/object/authenticated/${path}`, lab.home.serviceStorage)
        yield send({ ...upload(lab.home, path, 'one'), method: 'PUT' }, 200)
        yield send(read, 200, 'one')
        yield send(upload(lab.home, path, 'two', { 'x-upsert': 'true' }), 200, { Key: path })
        yield send(read, 200, 'two')
      }),
      check('a raw body has type, cache control and metadata in headers', ['lab'], ({ lab }) => [
        send(
          upload(lab.home, `${lab.bucket}/upload/headers.css`, 'hello', {
            'content-type': 'text/css',
            'cache-control': 'max-age=60',
            'x-metadata': Buffer.from('{"origin":"check"}').toString('base64'),
          }),
          200,
        ),
        send(
          store('GET', `/object/info/${lab.bucket}/upload/headers.css`, lab.home.serviceStorage),
          200,
          { content_type: 'text/css', cache_control: 'max-age=60', metadata: { origin: 'check' } },
        ),
      ]),
      check('a multipart body has text fields before its file', ['lab'], ({ lab }) => [
        send(
          store('POST', `/object/${lab.bucket}/upload/form.txt`, lab.home.serviceStorage, {
            body: formWithFile(),
          }),
          200,
        ),
        send(
          store('GET', `/object/info/${lab.bucket}/upload/form.txt`, lab.home.serviceStorage),
          200,
          { content_type: 'text/css', cache_control: 'max-age=60', size: 5 },
        ),
      ]),
      check('the bucket is checked before the key', ['lab'], ({ lab }) => [
        refusedAs(upload(lab.home, `${lab.home.schemaName}_nowhere/a%C3%A7.txt`), '404'),
      ]),
    ],
  },
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
  info: {
    checks: [
      check('the information of an object has every member', ['lab'], function* ({ lab }) {
        yield send(upload(lab.home, `${lab.bucket}/info/a.txt`), 200)
        yield send(
          store('GET', `/object/info/${lab.bucket}/info/a.txt`, lab.home.serviceStorage),
          200,
          {
            id: UUID,
            name: 'info/a.txt',
            version: TEXT,
            bucket_id: lab.bucket,
            size: 5,
            content_type: 'text/plain',
            cache_control: TEXT,
            etag: MD5_OF_HELLO,
            last_modified: TEXT,
            created_at: TEXT,
          },
        )
        yield refusedAs(
          store('GET', `/object/info/${lab.bucket}/info/none.txt`, lab.home.serviceStorage),
          '404',
        )
      }),
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
  records: {
    checks: [
      check('metadata of a list has every member', ['lab'], function* ({ lab }) {
        yield send(upload(lab.home, `${lab.bucket}/records/a.txt`), 200)
        yield send(
          store('POST', `/object/list/${lab.bucket}`, lab.home.serviceStorage, {
            json: { prefix: 'records' },
          }),
          200,
          [
            {
              metadata: {
                eTag: MD5_OF_HELLO,
                size: 5,
                mimetype: 'text/plain',
                cacheControl: TEXT,
                lastModified: TEXT,
                contentLength: 5,
                httpStatusCode: 200,
              },
            },
          ],
        )
      }),
    ],
  },
  moving: {
    checks: [
      check('move and copy keep the content', ['lab'], function* ({ lab }) {
        const token = lab.home.serviceStorage
        const ask = (verb: string, sourceKey: string, destinationKey: string) =>
          store('POST', `/object/${verb}`, token, {
            json: { bucketId: lab.bucket, sourceKey, destinationKey },
          })
        const read = (key: string) =>
          store('GET', `/object/authenticated/${lab.bucket}/${key}`, token)
        yield send(upload(lab.home, `${lab.bucket}/moving/a.txt`), 200)
        yield send(ask('move', 'moving/a.txt', 'moving/b.txt'), 200, {
          message: 'Successfully moved',
        })
        yield refusedAs(read('moving/a.txt'), '404')
        yield send(ask('copy', 'moving/b.txt', 'moving/c.txt'), 200, {
          Id: UUID,
          Key: `${lab.bucket}/moving/c.txt`,
        })
        yield send(read('moving/b.txt'), 200, 'hello')
        yield send(read('moving/c.txt'), 200, 'hello')
        yield refusedAs(ask('move', 'moving/none.txt', 'moving/d.txt'), '404')
        yield refusedAs(ask('move', 'moving/b.txt', 'moving/c.txt'), '409')
      }),
      check(
        'delete returns the removed rows, and ignores unknown names',
        ['lab'],
        function* (world) {
          const { bucket, home } = world.lab
          yield send(upload(home, `${bucket}/deleted/a.txt`), 200)
          yield send(
            store('DELETE', `/object/${bucket}`, home.serviceStorage, {
              json: { prefixes: ['deleted/a.txt', 'deleted/none.txt'] },
            }),
            200,
            [{ name: 'deleted/a.txt', bucket_id: bucket }],
          )
          yield send(upload(home, `${bucket}/deleted/b.txt`), 200)
          const one = store('DELETE', `/object/${bucket}/deleted/b.txt`, home.serviceStorage)
          yield send(one, 200, { message: 'Successfully deleted' })
          yield send(one, 400, storageError('404'))
        },
      ),
    ],
  },
}

function formWithFile(): FormData {
  const form = new FormData()
  form.append('cacheControl', '60')
  form.append('', new Blob(['hello'], { type: 'text/css' }), 'any-name')
  return form
}
