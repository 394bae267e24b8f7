// Checks of docs/wire/storage.md: uploads, their records, and moves.
import { check, type RulesOfPage } from '../../model/check.ts'
import { TEXT, UUID } from '../../model/patterns.ts'
import { send } from '../../model/steps.ts'
import { storageError, store } from '../requests.ts'
import { refusedAs, upload } from './stored.ts'

const MD5_OF_HELLO = '"5d41402abc4b2a76b9719d911017c592"'

export const UPLOAD_RULES: RulesOfPage = {
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
