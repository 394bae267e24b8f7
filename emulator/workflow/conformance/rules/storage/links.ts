// Checks of docs/wire/storage.md: signed URLs, pictures and status.

import { readClaims } from '../../../../platform/credentials/unverified-claims.ts'
import { check, type Lab, type RulesOfPage } from '../../model/check.ts'
import { EMPTY, NUMBER, oneOf, TEXT } from '../../model/patterns.ts'
import { hold, type Part, type Reply, send, textAt } from '../../model/steps.ts'
import { bare, store } from '../requests.ts'
import { freshBucket, refusedAs, upload } from './stored.ts'

/** A red picture of 4 × 2 pixels. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAACCAIAAADwyuo0AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEklEQVQImWP4z8AARwjWfwYGAG+qB/l/O6VpAAAAAElFTkSuQmCC',
  'base64',
)

/** Stores a file and returns the relative URL that signs it. */
function* signedUrl({ bucket, home }: Lab, key: string, expiresIn = 60): Part<string> {
  yield send(upload(home, `${bucket}/${key}`), 200)
  const reply = yield send(
    store('POST', `/object/sign/${bucket}/${key}`, home.serviceStorage, { json: { expiresIn } }),
    200,
    { signedURL: new RegExp(`^/object/sign/${bucket}/${key}\\?token=`) },
  )
  return textAt(reply, 'signedURL')
}

function tokenOf(url: string): string {
  return new URLSearchParams(url.split('?')[1]).get('token') ?? ''
}

export const LINK_RULES: RulesOfPage = {
  'signed-urls': {
    checks: [
      check('a signed URL opens without a bearer', ['lab'], function* ({ lab }) {
        const url = yield* signedUrl(lab, 'signed/a.txt')
        yield send(store('GET', url), 200, 'hello')
        yield send(store('GET', `${url}&download=b.txt`), 200, 'hello', {
          'content-disposition': /b\.txt/,
        })
      }),
      check('the object must still exist', ['lab'], function* ({ lab }) {
        const url = yield* signedUrl(lab, 'signed/gone.txt')
        yield send(
          store('DELETE', `/object/${lab.bucket}/signed/gone.txt`, lab.home.serviceStorage),
          200,
        )
        yield refusedAs(store('GET', url), '404')
      }),
      check('several paths are signed at once', ['lab'], function* ({ lab }) {
        yield send(upload(lab.home, `${lab.bucket}/signed/one.txt`), 200)
        yield send(
          store('POST', `/object/sign/${lab.bucket}`, lab.home.serviceStorage, {
            json: { expiresIn: 60, paths: ['signed/one.txt', 'signed/none.txt'] },
          }),
          200,
          [
            { path: 'signed/one.txt', signedURL: TEXT },
            { path: 'signed/none.txt', signedURL: null },
          ],
        )
      }),
      check('an upload URL takes one upload', ['lab'], function* ({ lab }) {
        const path = `${lab.bucket}/signed/upload.txt`
        const reply = yield send(
          store('POST', `/object/upload/sign/${path}`, lab.ana.storage, { json: {} }),
          200,
          { url: TEXT, token: TEXT },
        )
        const headers = { 'content-type': 'text/plain' }
        yield send(store('PUT', textAt(reply, 'url'), undefined, { body: 'sent', headers }), 200, {
          Key: path,
        })
        yield send(store('GET', `/object/authenticated/${path}`, lab.ben.storage), 200, 'sent')
      }),
      check('an altered token is 400 InvalidJWT', ['lab'], function* ({ lab }) {
        const url = yield* signedUrl(lab, 'signed/altered.txt')
        yield send(store('GET', `${url.split('?')[0]}?token=eyJ.eyJ.x`), 400, {
          error: 'InvalidJWT',
        })
      }),
    ],
    unchecked: 'Waiting for the end of a URL would take its lifetime.',
  },
  'signed-tokens': {
    checks: [
      check('a token names its object, scope and lifetime', ['lab'], function* ({ lab }) {
        const token = tokenOf(yield* signedUrl(lab, 'tokens/a.txt', 90))
        const claims = readClaims(token)
        yield hold('claims', claims, {
          url: `${lab.bucket}/tokens/a.txt`,
          scope: 'download',
          iat: NUMBER,
          exp: NUMBER,
        })
        yield hold('lifetime', Number(claims?.['exp']) - Number(claims?.['iat']), 90)
      }),
      check('the token of another object is 400 InvalidSignature', ['lab'], function* ({ lab }) {
        const url = yield* signedUrl(lab, 'tokens/c.txt')
        yield send(store('GET', url.replace('/c.txt', '/d.txt')), 400, {
          error: 'InvalidSignature',
          message: 'Invalid signature',
        })
      }),
      check('a token of the other scope is refused', ['lab'], function* ({ lab }) {
        const token = tokenOf(yield* signedUrl(lab, 'tokens/scope.txt'))
        yield send(
          store(
            'PUT',
            `/object/upload/sign/${lab.bucket}/tokens/scope.txt?token=${token}`,
            undefined,
            { body: 'x', headers: { 'content-type': 'text/plain' } },
          ),
          400,
          { error: 'InvalidSignature' },
        )
      }),
    ],
  },
  pictures: {
    checks: [
      check('a picture gets the requested size', ['lab'], function* ({ lab }) {
        const bucket = yield* freshBucket(lab.home, 'pictures', { public: true })
        yield send(
          store('POST', `/object/${bucket}/red.png`, lab.home.serviceStorage, {
            body: new Uint8Array(PICTURE),
            headers: { 'content-type': 'image/png' },
          }),
          200,
        )
        const shown = yield send(
          store('GET', `/render/image/public/${bucket}/red.png?width=2&format=origin`),
          200,
          undefined,
          { 'content-type': 'image/png' },
        )
        yield hold('width', widthOf(shown), 2)
        yield send(
          store('GET', `/render/image/public/${bucket}/red.png?format=webp`),
          200,
          undefined,
          { 'content-type': 'image/webp' },
        )
        yield refusedAs(store('GET', `/render/image/public/${bucket}/red.png?quality=10`), '400')
      }),
      check('a signed URL has the transformation of its token', ['lab'], function* ({ lab }) {
        yield send(
          store('POST', `/object/${lab.bucket}/pictures/red.png`, lab.home.serviceStorage, {
            body: new Uint8Array(PICTURE),
            headers: { 'content-type': 'image/png' },
          }),
          200,
        )
        const signed = yield send(
          store('POST', `/object/sign/${lab.bucket}/pictures/red.png`, lab.home.serviceStorage, {
            json: { expiresIn: 60, transform: { width: 2, format: 'origin' } },
          }),
          200,
          { signedURL: /^\/render\/image\/sign\// },
        )
        const shown = yield send(store('GET', `${textAt(signed, 'signedURL')}&width=4`), 200)
        yield hold('width', widthOf(shown), 2)
      }),
      check('a text file is 400', ['lab'], function* ({ lab }) {
        yield send(upload(lab.home, `${lab.bucket}/pictures/a.txt`), 200)
        yield send(
          store(
            'GET',
            `/render/image/authenticated/${lab.bucket}/pictures/a.txt?width=10`,
            lab.home.serviceStorage,
          ),
          400,
          { message: 'The source image is invalid or unsupported for rendering' },
        )
      }),
    ],
  },
  status: {
    checks: [
      check('/status is empty', [], () => [send(bare('storage', 'GET', '/status'), 200, EMPTY)]),
      check('/version names the release', [], () => [
        send(bare('storage', 'GET', '/version'), 200, oneOf(TEXT, NUMBER)),
      ]),
    ],
  },
}

/** Returns the width of a PNG, which is at byte 16 of its header. */
function widthOf({ bytes }: Reply): number {
  return bytes.length < 24 ? 0 : bytes.readUInt32BE(16)
}
