// Checks of docs/wire/storage.md: errors, access, buckets and keys.
import { check, type RulesOfPage } from '../../model/check.ts'
import { containing, lacking, PRESENT, TEXT } from '../../model/patterns.ts'
import { send } from '../../model/steps.ts'
import { storageError, store } from '../requests.ts'
import { anonToken, freshBucket, refusedAs, upload } from './stored.ts'

const PLAIN = { 'content-type': 'text/plain' }
const ROW_REFUSED = 'new row violates row-level security policy'

export const BUCKET_RULES: RulesOfPage = {
  errors: {
    checks: [
      check('an unknown bucket is 400 with the logical status 404', ['tenant'], function* (world) {
        const token = yield* anonToken(world.tenant.anonKey)
        yield send(store('GET', `/bucket/${world.tenant.schemaName}_nowhere`, token), 400, {
          statusCode: '404',
          error: 'Bucket not found',
          message: 'Bucket not found',
          code: 'NoSuchBucket',
        })
      }),
      check('a project key is 401', ['tenant'], ({ tenant }) => [
        send(store('GET', '/bucket', tenant.anonKey), 401, { message: TEXT, code: TEXT }),
      ]),
      check('an unknown route is 404', ['tenant'], function* ({ tenant }) {
        const token = yield* anonToken(tenant.anonKey)
        yield send(store('GET', '/no/such/route', token), 404, { message: TEXT })
      }),
    ],
    unchecked: 'Overload, internal errors and timeouts of the database cannot be caused safely.',
  },
  access: {
    checks: [
      check('an upload with an anon token is 403', ['lab'], ({ lab }) => [
        send(
          store('POST', `/object/${lab.bucket}/anon.txt`, lab.home.anonStorage, {
            body: 'x',
            headers: PLAIN,
          }),
          403,
          storageError('403', { message: ROW_REFUSED }),
        ),
      ]),
      check('private files are hidden from anon as missing ones', ['lab'], ({ lab }) => [
        send(upload(lab.home, `${lab.bucket}/access/hidden.txt`), 200),
        ...['hidden', 'missing'].map((name) =>
          refusedAs(
            store(
              'GET',
              `/object/authenticated/${lab.bucket}/access/${name}.txt`,
              lab.home.anonStorage,
            ),
            '404',
            { error: 'not_found' },
          ),
        ),
        refusedAs(
          store('POST', `/object/sign/${lab.bucket}/access/hidden.txt`, lab.home.anonStorage, {
            json: { expiresIn: 60 },
          }),
          '404',
          { error: 'not_found' },
        ),
      ]),
      check('users read each other’s files, and create no buckets', ['lab'], ({ lab }) => [
        send(
          store('POST', `/object/${lab.bucket}/access/ana.txt`, lab.ana.storage, {
            body: 'of ana',
            headers: PLAIN,
          }),
          200,
        ),
        send(
          store('GET', `/object/authenticated/${lab.bucket}/access/ana.txt`, lab.ben.storage),
          200,
          'of ana',
        ),
        send(
          store('POST', '/bucket', lab.ana.storage, {
            json: { name: `${lab.home.schemaName}_by_ana` },
          }),
          403,
        ),
      ]),
      check('anon reads public buckets', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'seen', { public: true })
        yield send(upload(lab.home, `${bucket}/a.txt`), 200)
        yield send(store('GET', `/object/public/${bucket}/a.txt`), 200, 'hello')
      }),
    ],
  },
  'bucket-names': {
    checks: [
      check('the short name is not found', ['lab'], ({ lab }) => [
        refusedAs(store('GET', '/bucket/files', lab.home.serviceStorage), '404'),
      ]),
      check('a bucket of another project is not found', ['lab'], ({ lab }) => [
        refusedAs(store('GET', `/bucket/${lab.bucket}`, lab.neighbour.serviceStorage), '404'),
      ]),
      check('a name without the prefix is refused', ['lab', 'emulator'], ({ lab }) => [
        send(store('POST', '/bucket', lab.home.serviceStorage, { json: { name: 'files' } }), 400, {
          code: 'InvalidBucketName',
        }),
      ]),
      check('a name with a slash is 400 InvalidBucketName', ['lab'], ({ lab }) => [
        send(
          store('POST', '/bucket', lab.home.serviceStorage, {
            json: { name: `${lab.home.schemaName}_a/b` },
          }),
          400,
          { code: 'InvalidBucketName' },
        ),
      ]),
    ],
  },
  'bucket-limits': {
    checks: [
      check('sizes are numbers or texts with decimal units', ['lab'], function* ({ lab }) {
        const sizes = [
          ['20MB', 20_000_000],
          ['1.5GB', 1_500_000_000],
          ['30KB', 30_000],
          ['3B', 3],
          [7, 7],
        ] as const
        for (const [file_size_limit, bytes] of sizes) {
          const name = `size_${bytes}`
          const bucket = yield* freshBucket(lab.home, name, { file_size_limit })
          yield send(store('GET', `/bucket/${bucket}`, lab.home.serviceStorage), 200, {
            file_size_limit: bytes,
          })
        }
      }),
      check('a larger file has the logical status 413', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'tiny', { file_size_limit: 3 })
        yield refusedAs(upload(lab.home, `${bucket}/a.txt`, 'four'), '413', {
          code: 'EntityTooLarge',
        })
        yield send(upload(lab.home, `${bucket}/a.txt`, 'abc'), 200)
      }),
      check('another type has the logical status 415', ['lab'], function* ({ lab }) {
        const options = { allowed_mime_types: ['text/plain', 'image/*'] }
        const bucket = yield* freshBucket(lab.home, 'typed', options)
        const typed = (type: string) =>
          upload(lab.home, `${bucket}/${type.length}`, 'x', { 'content-type': type })
        yield refusedAs(typed('application/pdf'), '415', {
          code: 'InvalidMimeType',
          message: 'mime type application/pdf is not supported',
        })
        yield refusedAs(typed('text/plain;charset=UTF-8'), '415')
        yield send(typed('image/png'), 200)
      }),
      check('a bucket of POST /bucket has no limit', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'unlimited')
        yield send(store('GET', `/bucket/${bucket}`, lab.home.serviceStorage), 200, {
          file_size_limit: null,
          allowed_mime_types: null,
        })
      }),
    ],
  },
  keys: {
    checks: [
      check('an accented letter is 400 Invalid key', ['lab'], ({ lab }) => [
        send(upload(lab.home, `${lab.bucket}/a%C3%A7%C3%A3o.txt`), 400, {
          code: 'InvalidKey',
          message: 'Invalid key: ação.txt',
        }),
      ]),
      check('every allowed character is accepted', ['lab'], function* ({ lab }) {
        const key = "Aa0_!.*'() &$@=;:+,?-"
        const path = `${lab.bucket}/keys/${encodeURIComponent(key)}`
        yield send(upload(lab.home, path), 200, { Key: `${lab.bucket}/keys/${key}` })
        yield send(
          store('GET', `/object/authenticated/${path}`, lab.home.serviceStorage),
          200,
          'hello',
        )
      }),
    ],
  },
  buckets: {
    checks: [
      check('a bucket is created, read, changed and deleted', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'cycle')
        const one = `/bucket/${bucket}`
        const token = lab.home.serviceStorage
        yield send(store('GET', one, token), 200, {
          id: bucket,
          name: bucket,
          public: false,
          owner: PRESENT,
          created_at: TEXT,
          updated_at: TEXT,
          file_size_limit: null,
          allowed_mime_types: null,
          type: undefined,
        })
        yield send(store('GET', '/bucket', token), 200, containing({ id: bucket, type: TEXT }))
        yield send(store('PUT', one, token, { json: { public: true } }), 200, {
          message: 'Successfully updated',
        })
        yield send(store('GET', one, token), 200, { public: true })
        yield send(store('DELETE', one, token), 200, { message: 'Successfully deleted' })
        yield refusedAs(store('GET', one, token), '404')
        yield send(store('GET', '/bucket', token), 200, lacking({ id: bucket }))
      }),
      check('a bucket with objects has the logical status 409', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'full')
        const token = lab.home.serviceStorage
        yield send(upload(lab.home, `${bucket}/a.txt`), 200)
        yield refusedAs(store('DELETE', `/bucket/${bucket}`, token), '409')
        yield send(store('POST', `/bucket/${bucket}/empty`, token, { json: {} }), 200, {
          message: 'Empty bucket has been queued. Completion may take up to an hour.',
        })
      }),
      check('a used name has the logical status 409', ['lab'], ({ lab }) => [
        refusedAs(
          store('POST', '/bucket', lab.home.serviceStorage, { json: { name: lab.bucket } }),
          '409',
        ),
      ]),
      check('the list has limit and search', ['lab'], function* ({ lab }) {
        const token = lab.home.serviceStorage
        yield* freshBucket(lab.home, 'listed_one')
        yield* freshBucket(lab.home, 'listed_two')
        const found = (query: string) => store('GET', `/bucket?${query}`, token)
        const names = (name: string) => ({ name: `${lab.home.schemaName}_${name}` })
        yield send(found('search=listed_&sortColumn=name&sortOrder=desc'), 200, [
          names('listed_two'),
          names('listed_one'),
        ])
        yield send(found('search=listed_&sortColumn=name&limit=1'), 200, [names('listed_one')])
      }),
    ],
  },
}
