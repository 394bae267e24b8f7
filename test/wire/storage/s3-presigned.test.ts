// Presigned S3 URLs with additional headers and response overrides, and forms with a signed policy.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostForm, presign, presignForm } from '../../support/s3-client.ts'
import { all, md5, refusal, type S3World, startS3World } from '../../support/s3-world.ts'

let s3: S3World
beforeAll(async () => {
  s3 = await startS3World()
  await s3.put('page', '<h1>hi</h1>', { 'content-type': 'text/plain' })
})
afterAll(() => s3[Symbol.asyncDispose]())

const url = (method: string, key: string, query: Record<string, string> = {}) =>
  presign(s3.keys, method, `/${s3.bucket}/${key}`, 60, query)
const told = async (answer: Response) =>
  refusal({ status: answer.status, text: await answer.text() })

describe('a presigned URL', () => {
  it('works with an additional Authorization header of another scheme', async () => {
    for (const authorization of ['Bearer x', 'Basic eDp5'])
      expect((await fetch(url('GET', 'page'), { headers: { authorization } })).status).toBe(200)
  })

  it('with an additional S3 Authorization header is refused, because only one signature is allowed', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=x' }
    expect(await told(await fetch(url('GET', 'page'), { headers }))).toEqual([
      400,
      'InvalidArgument',
    ])
  })

  it('can contain the values of S3 headers', async () => {
    const sent = await fetch(url('PUT', 'described', { 'x-amz-meta-colour': 'red' }), {
      method: 'PUT',
      body: 'x',
    })
    const { headers } = await s3.on('GET', 'described')
    expect([sent.status, headers.get('x-amz-meta-colour')]).toEqual([200, 'red'])
  })

  it('is refused with an S3 header that it does not sign', async () => {
    await s3.put('secret', 'secret')
    const answer = await fetch(url('PUT', 'stolen'), {
      method: 'PUT',
      headers: { 'x-amz-copy-source': `${s3.bucket}/secret` },
    })
    expect([await told(answer), await s3.read('stolen')]).toEqual([
      [403, 'AccessDenied'],
      'NoSuchKey',
    ])
  })

  it.each(['', '0', '-1', 'x', '604801'])('is refused for X-Amz-Expires=%s', async (seconds) => {
    const answer = await fetch(
      presign(s3.keys, 'GET', `/${s3.bucket}/page`, seconds as unknown as number),
    )
    expect(await told(answer)).toEqual([400, 'AuthorizationQueryParametersError'])
  })
})

describe('overrides of a response', () => {
  const OVERRIDES = {
    'response-content-type': 'text/css',
    'response-content-disposition': 'attachment; filename="a b.css"',
    'response-content-language': 'de',
    'response-content-encoding': 'identity',
    'response-cache-control': 'no-store',
    'response-expires': 'Thu, 01 Dec 2033 16:00:00 GMT',
  }
  const named = (headers: Headers) =>
    Object.keys(OVERRIDES).map((name) => headers.get(name.replace('response-', '')))

  it('in a presigned URL replace the headers of the answer', async () => {
    const { headers } = await fetch(url('GET', 'page', OVERRIDES))
    expect(named(headers)).toEqual(Object.values(OVERRIDES))
  })

  it('in a signed request replace the headers of the answer, also for HEAD and a range', async () => {
    const head = await s3.on('HEAD', 'page', { query: OVERRIDES })
    const part = await s3.on('GET', 'page', { query: OVERRIDES, headers: { range: 'bytes=0-1' } })
    expect([named(head.headers), part.status, named(part.headers)]).toEqual([
      Object.values(OVERRIDES),
      206,
      Object.values(OVERRIDES),
    ])
  })

  it('are refused when the URL was signed without overrides', async () => {
    const answer = await fetch(`${url('GET', 'page')}&response-content-type=text/css`)
    expect(await told(answer)).toEqual([403, 'SignatureDoesNotMatch'])
  })

  it('are refused when a header cannot contain the value', async () => {
    const answer = await fetch(url('GET', 'page', { 'response-content-disposition': 'a\r\nb: c' }))
    expect(await told(answer)).toEqual([400, 'InvalidArgument'])
  })

  it('cannot make a browser show an upload as an HTML page', async () => {
    const { headers } = await fetch(url('GET', 'page', { 'response-content-type': 'text/html' }))
    expect(headers.get('content-type')).not.toContain('html')
  })
})

describe('a presigned form', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: S3's own placeholder
  const ANY_NAME = 'posted/${filename}'
  const submit = async (
    form: PostForm,
    { changes = {}, file = 'posted', filename = 'n.txt' }: Submission = {},
  ) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...form.fields, ...changes }))
      if (value !== undefined) body.append(name, value)
    if (file !== undefined) body.append('file', new Blob([file]), filename)
    return fetch(form.url, { method: 'POST', body, redirect: 'manual' })
  }
  interface Submission {
    readonly changes?: Readonly<Record<string, string | undefined>>
    readonly file?: string
    readonly filename?: string
  }
  const form = (fields: Record<string, string>, policy?: Parameters<typeof presignForm>[3]) =>
    presignForm(s3.keys, s3.bucket, fields, policy)

  it('uploads a file with type, cache control and metadata', async () => {
    const answer = await submit(
      form(
        {
          key: ANY_NAME,
          'Content-Type': 'text/css',
          'Cache-Control': 'max-age=5',
          'x-amz-meta-colour': 'red',
        },
        { conditions: [['starts-with', '$key', 'posted/']] },
      ),
    )
    const { headers, text } = await s3.on('GET', 'posted/n.txt')
    expect([answer.status, answer.headers.get('etag'), text]).toEqual([
      200,
      `"${md5('posted')}"`,
      'posted',
    ])
    expect(
      ['content-type', 'cache-control', 'x-amz-meta-colour'].map((n) => headers.get(n)),
    ).toEqual(['text/css', 'max-age=5', 'red'])
  })

  it.each([
    ['200', 200],
    ['201', 201],
    ['204', 204],
    ['418', 200],
  ])('answers success_action_status %s with %i', async (value, status) => {
    const answer = await submit(form({ key: 'status', success_action_status: value }))
    expect([answer.status, all(await answer.text(), 'Key')]).toEqual([
      status,
      status === 201 ? ['status'] : [],
    ])
  })

  it('redirects the browser to success_action_redirect', async () => {
    const answer = await submit(
      form({ key: 'a b', success_action_redirect: 'https://example.com/done?x=1' }),
    )
    const location = new URL(answer.headers.get('location') ?? '')
    expect([answer.status, location.origin, Object.fromEntries(location.searchParams)]).toEqual([
      303,
      'https://example.com',
      { x: '1', bucket: s3.bucket, key: 'a b', etag: `"${md5('posted')}"` },
    ])
  })

  it('never redirects to a script', async () => {
    const answer = await submit(form({ key: 'a', success_action_redirect: 'javascript:alert(1)' }))
    expect([answer.status, answer.headers.get('location')]).not.toEqual([
      303,
      expect.stringContaining('javascript'),
    ])
  })

  it.each([
    ['starts-with', ['starts-with', '$key', 'user/1/'], { key: 'user/1/x' }, 200],
    ['starts-with', ['starts-with', '$key', 'user/1/'], { key: 'user/2/x' }, 403],
    ['eq', ['eq', '$key', 'exact'], { key: 'exact' }, 200],
    ['eq', ['eq', '$key', 'exact'], { key: 'exactly' }, 403],
    ['anything', ['starts-with', '$x-amz-meta-a', ''], { key: 'k', 'x-amz-meta-a': 'b' }, 200],
    [
      'several types',
      ['starts-with', '$Content-Type', 'image/'],
      { key: 'k', 'Content-Type': 'text/css' },
      403,
    ],
  ])('applies a condition of kind %s: %j for %j is %i', async (_kind, rule, fields, status) => {
    const answer = await submit(form(fields as Record<string, string>, { conditions: [rule] }))
    expect(answer.status).toBe(status)
  })

  it('applies both limits of content-length-range, and stores nothing outside the limits', async () => {
    const range = (least: number, most: number) =>
      form({ key: 'sized' }, { conditions: [['content-length-range', least, most]] })
    const answers = [await submit(range(1, 3)), await submit(range(7, 9))]
    expect([await told(answers[0] as Response), await told(answers[1] as Response)]).toEqual([
      [413, 'EntityTooLarge'],
      [400, 'EntityTooSmall'],
    ])
    expect(await s3.read('sized')).toBe('NoSuchKey')
    expect((await submit(range(6, 6))).status).toBe(200)
  })

  it('refuses fields that the policy does not contain', async () => {
    const answer = await submit(form({ key: 'k' }), { changes: { 'x-amz-meta-more': '1' } })
    const text = await answer.text()
    expect([refusal({ status: answer.status, text }), all(text, 'Message')[0]]).toEqual([
      [403, 'AccessDenied'],
      'Invalid according to Policy: Extra input fields: x-amz-meta-more',
    ])
  })

  it('expires by the platform clock', async () => {
    const ending = form({ key: 'late' }, { expiration: '2998-01-01T00:00:00.000Z' })
    const over = form({ key: 'late' }, { expiration: '2001-01-01T00:00:00.000Z' })
    expect([(await submit(ending)).status, await told(await submit(over))]).toEqual([
      200,
      [403, 'AccessDenied'],
    ])
  })

  it.each([
    ['a key changed after signing', { key: 'other' }, [403, 'AccessDenied']],
    ['a wrong signature', { 'x-amz-signature': '0'.repeat(64) }, [403, 'SignatureDoesNotMatch']],
    [
      'a changed policy',
      { policy: btoa('{"expiration":"2999-01-01T00:00:00Z","conditions":[]}') },
      [403, 'SignatureDoesNotMatch'],
    ],
    ['no policy', { policy: undefined }, [403, 'AccessDenied']],
    ['no key', { key: undefined }, [400, 'InvalidArgument']],
    ['no signature', { 'x-amz-signature': undefined }, [403, 'AccessDenied']],
    [
      'an unknown access key',
      { 'x-amz-credential': 'UNKNOWNKEY/20260101/local/s3/aws4_request' },
      [403, 'InvalidAccessKeyId'],
    ],
  ])('with %s is refused', async (_name, changes, expected) => {
    expect(await told(await submit(form({ key: 'refused' }), { changes }))).toEqual(expected)
    expect(await s3.read('refused')).toBe('NoSuchKey')
  })

  it.each([
    ['no JSON', 'x'],
    ['no object', '[]'],
    ['no expiration', '{"conditions":[]}'],
    ['no conditions', '{"expiration":"2999-01-01T00:00:00Z"}'],
    [
      'an unknown condition',
      '{"expiration":"2999-01-01T00:00:00Z","conditions":[["ends-with","$key","x"]]}',
    ],
    [
      'a prototype',
      '{"expiration":"2999-01-01T00:00:00Z","conditions":[{"__proto__":{"key":"x"}}]}',
    ],
  ])('is refused when its policy has %s', async (_name, document) => {
    expect(await told(await submit(form({ key: 'refused' }, { document })))).toEqual([
      400,
      'InvalidPolicyDocument',
    ])
  })

  it('without a file is refused', async () => {
    const { url: address, fields } = form({ key: 'refused' })
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    expect(await told(await fetch(address, { method: 'POST', body }))).toEqual([
      400,
      'MalformedPOSTRequest',
    ])
  })

  it('applies the limits of the bucket', async () => {
    const small = await s3.world.freshBucket({ file_size_limit: 3 })
    const answer = await submit(presignForm(s3.keys, small, { key: 'big' }))
    expect(await told(answer)).toEqual([413, 'EntityTooLarge'])
  })

  it('is refused for a bucket of another project', async () => {
    const stranger = await s3.mint(s3.world.neighbour.slug)
    const answer = await submit(presignForm(stranger, s3.bucket, { key: 'x' }))
    expect(await told(answer)).toEqual([404, 'NoSuchBucket'])
  })
})
