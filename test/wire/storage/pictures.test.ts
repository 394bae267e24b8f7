// Image transformations (docs/wire/storage.md#pictures), read with the same library that makes them.
import sharp, { type Metadata } from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld } from '../../support/storage-world.ts'

let world: StorageWorld
let open: string
let closed: string
beforeAll(async () => {
  world = await startStorageWorld()
  open = await world.freshBucket({ public: true })
  closed = await world.freshBucket()
  for (const bucket of [open, closed]) await upload(bucket, 'red.png', await flat(300, 200, 'red'))
})
afterAll(() => world[Symbol.asyncDispose]())

const HUGE = '<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"></svg>'

const flat = (width: number, height: number, background: string): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

async function upload(bucket: string, name: string, bytes: Uint8Array, type = 'image/png') {
  const { error } = await world
    .client()
    .from(bucket)
    .upload(name, bytes, { contentType: type, upsert: true })
  if (error !== null) throw error
}

interface Shown {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  picture(): Promise<Metadata>
}

async function show(path: string, headers: Record<string, string> = {}): Promise<Shown> {
  const response = await fetch(`${world.url}/render/image${path}`, { headers })
  const bytes = Buffer.from(await response.arrayBuffer())
  const { status } = response
  return { status, headers: response.headers, bytes, picture: () => sharp(bytes).metadata() }
}

const inOpen = (query: string, headers?: Record<string, string>) =>
  show(`/public/${open}/red.png${query}`, headers)

describe('a size', () => {
  it.each([
    ['width=100', 100, 67, 'width:100,resizing_type:fill'],
    ['height=100', 150, 100, 'height:100,resizing_type:fill'],
    ['width=100&height=100', 100, 100, 'height:100,width:100,resizing_type:fill'],
    ['width=100&height=100&resize=cover', 100, 100, 'height:100,width:100,resizing_type:fill'],
    ['width=100&height=100&resize=contain', 100, 67, 'height:100,width:100,resizing_type:fit'],
    ['width=100&height=150&resize=fill', 100, 150, 'height:150,width:100,resizing_type:force'],
    ['width=100&resize=fill', 100, 67, 'width:100,resizing_type:force'],
    ['width=0&height=100', 150, 100, 'height:100,resizing_type:fill'],
    ['width=9999', 300, 200, 'width:2000,resizing_type:fill'],
    ['quality=50', 300, 200, 'quality:50'],
  ])('%s gives %i × %i', async (query, width, height, transformations) => {
    const { status, headers, picture } = await inOpen(`?${query}`)
    expect({ status, transformations: headers.get('x-transformations') }).toEqual({
      status: 200,
      transformations,
    })
    expect(await picture()).toMatchObject({ width, height, format: 'png' })
  })

  it('respects the orientation that a photograph records', async () => {
    const photo = await sharp(await flat(300, 200, 'blue'))
      .jpeg()
      .withMetadata({ orientation: 6 })
    await upload(open, 'held.jpg', await photo.toBuffer(), 'image/jpeg')
    const { picture } = await show(`/public/${open}/held.jpg?width=100`)
    expect(await picture()).toMatchObject({ width: 100, height: 150, format: 'jpeg' })
  })
})

// A picture with red on the left, green in the middle and blue on the right. Each area has 30 × 10 pixels.
const STRIPES =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="10">' +
  '<rect width="30" height="10" fill="red"/><rect x="30" width="30" height="10" fill="lime"/>' +
  '<rect x="60" width="30" height="10" fill="blue"/></svg>'

describe('a gravity', () => {
  beforeAll(async () => {
    await upload(open, 'stripes.png', await sharp(Buffer.from(STRIPES)).png().toBuffer())
    const tall = sharp(Buffer.from(STRIPES)).rotate(90)
    await upload(open, 'tall.png', await tall.png().toBuffer())
  })
  const colours: Readonly<Record<string, string>> = {
    '255,0,0': 'red',
    '0,255,0': 'green',
    '0,0,255': 'blue',
  }
  async function colourAt(name: string, query: string): Promise<string | undefined> {
    const { bytes } = await show(`/public/${open}/${name}?width=10&height=10&${query}`)
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([10, 10])
    return colours[[...data.subarray(0, 3)].join()]
  }

  it.each([
    ['gravity=we', 'red'],
    ['gravity=ce', 'green'],
    ['gravity=no', 'green'],
    ['gravity=ea', 'blue'],
    ['gravity=nowe', 'red'],
    ['gravity=soea', 'blue'],
    ['gravity=we&x_offset=35', 'green'],
    ['gravity=we&x_offset=0.7', 'blue'],
    ['gravity=ea&x_offset=35', 'green'],
    ['gravity=ce&x_offset=-35', 'red'],
    ['gravity=we&x_offset=5000', 'blue'],
    ['gravity=fp&x_offset=0.9&y_offset=0', 'blue'],
    ['gravity=fp&x_offset=0&y_offset=1', 'red'],
    ['x_offset=40', 'green'],
  ])('%s keeps the %s part of a wide picture', async (query, colour) => {
    expect(await colourAt('stripes.png', query)).toBe(colour)
  })

  it.each([
    ['gravity=no', 'red'],
    ['gravity=so', 'blue'],
    ['gravity=sowe&y_offset=35', 'green'],
    ['gravity=fp&x_offset=0&y_offset=0.95', 'blue'],
  ])('%s keeps the %s part of a tall picture', async (query, colour) => {
    expect(await colourAt('tall.png', query)).toBe(colour)
  })

  it('sm keeps the part with the most contrast', async () => {
    const dot =
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="400" height="100" fill="#888"/><circle cx="370" cy="50" r="25" fill="red"/></svg>'
    await upload(open, 'dot.png', await sharp(Buffer.from(dot)).png().toBuffer())
    const { bytes } = await show(`/public/${open}/dot.png?width=100&height=100&gravity=sm`)
    const { channels } = await sharp(bytes).stats()
    expect(channels[0]?.max).toBeGreaterThan(200)
  })

  it.each([
    ['gravity=no', 'gravity:no'],
    ['gravity=no&x_offset=0.5', 'gravity:no:0.5:0'],
    ['gravity=sm&x_offset=3&y_offset=3', 'gravity:sm'],
    ['gravity=fp&x_offset=0&y_offset=1', 'gravity:fp:0:1'],
  ])('%s is reported as %s', async (query, told) => {
    const { status, headers } = await inOpen(`?width=10&height=10&${query}`)
    expect([status, headers.get('x-transformations')]).toEqual([
      200,
      `height:10,width:10,resizing_type:fill,${told}`,
    ])
  })

  it('in a signed URL cannot be changed by the query', async () => {
    const transform = { width: 10, height: 10, gravity: 'fp', x_offset: 0.9, y_offset: 0.5 }
    const signed = await world.ask('POST', `/object/sign/${open}/stripes.png`, {
      body: { expiresIn: 60, transform },
    })
    const response = await fetch(`${world.url}${signed.body.signedURL}&gravity=we`)
    expect(response.headers.get('x-transformations')).toContain('gravity:fp:0.9:0.5')
    const { data } = await sharp(Buffer.from(await response.arrayBuffer()))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(colours[[...data.subarray(0, 3)].join()]).toBe('blue')
  })
})

describe('a damaged source', () => {
  it('with a wrong checksum is rendered', async () => {
    const bytes = await flat(40, 30, 'red')
    const data = bytes.indexOf('IDAT')
    const length = bytes.readUInt32BE(data - 4)
    bytes.writeUInt32BE(1, data + 4 + length)
    await upload(open, 'checksum.png', bytes)
    const { status, picture } = await show(`/public/${open}/checksum.png?width=20`)
    expect(status).toBe(200)
    expect(await picture()).toMatchObject({ width: 20, height: 15, format: 'png' })
  })

  it('is rendered as far as its bytes allow when it ends early', async () => {
    const photo = await sharp(await flat(400, 300, 'red'))
      .jpeg()
      .toBuffer()
    await upload(open, 'cut.jpg', photo.subarray(0, photo.length - 500), 'image/jpeg')
    const { status, bytes } = await show(`/public/${open}/cut.jpg?width=100`)
    expect(status).toBe(200)
    expect((await sharp(bytes).raw().toBuffer())[0]).toBeGreaterThan(200)
  })
})

describe('a format', () => {
  it.each([
    ['?format=webp', undefined, 'image/webp'],
    ['?format=avif', undefined, 'image/avif'],
    ['?format=origin', 'image/webp', 'image/png'],
    ['', 'image/avif,image/webp,*/*', 'image/webp'],
    ['', 'image/avif', 'image/avif'],
    ['', 'image/webp;q=0, image/avif', 'image/avif'],
    ['', '*/*', 'image/png'],
  ])('%j with Accept %s gives %s', async (query, accept, type) => {
    const { headers } = await inOpen(query, accept === undefined ? {} : { accept })
    expect(headers.get('content-type')).toBe(type)
  })

  it('is sent with Vary: Accept when Accept chooses it', async () => {
    expect((await inOpen('', { accept: 'image/webp' })).headers.get('vary')).toContain('Accept')
  })

  it('takes fewer bytes at a lower quality', async () => {
    const noise = sharp({
      create: {
        width: 80,
        height: 80,
        channels: 3,
        background: 'grey',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
    await upload(open, 'noise.png', await noise.png().toBuffer())
    const [high, low] = await Promise.all(
      [100, 20].map((quality) => show(`/public/${open}/noise.png?format=webp&quality=${quality}`)),
    )
    expect(low?.bytes.length).toBeLessThan((high?.bytes.length ?? 0) / 2)
  })
})

describe('a refusal', () => {
  it.each([
    ['quality=19', 'querystring/quality must be >= 20'],
    ['quality=101', 'querystring/quality must be <= 100'],
    ['width=-1', 'querystring/width must be >= 0'],
    ['width=wide', 'querystring/width must be integer'],
    ['height=1.5', 'querystring/height must be integer'],
    ['resize=crop', 'querystring/resize must be equal to one of the allowed values'],
    ['format=png', 'querystring/format must be equal to one of the allowed values'],
    ['gravity=bogus', 'querystring/gravity must be equal to one of the allowed values'],
    ['gravity=', 'querystring/gravity must be equal to one of the allowed values'],
    ['gravity=fp', "querystring must have required property 'x_offset'"],
    ['gravity=fp&x_offset=0.5', "querystring must have required property 'y_offset'"],
    ['gravity=fp&x_offset=2&y_offset=0', 'querystring/x_offset must be <= 1'],
    ['gravity=fp&x_offset=0&y_offset=-1', 'querystring/y_offset must be >= 0'],
    ['x_offset=left', 'querystring/x_offset must be number'],
    ['y_offset=', 'querystring/y_offset must be number'],
  ])('for %s has the message of the validator', async (query, message) => {
    const { status, bytes } = await inOpen(`?${query}`)
    expect({ status, body: JSON.parse(bytes.toString()) }).toEqual({
      status: 400,
      body: { statusCode: '400', error: 'Error', code: 'InvalidRequest', message },
    })
  })

  it.each([
    [{ gravity: 'bogus' }, 'gravity must be equal to one of the allowed values'],
    [{ gravity: 'fp' }, "must have required property 'x_offset'"],
    [{ gravity: 'fp', x_offset: 3, y_offset: 0 }, 'x_offset must be <= 1'],
    [{ x_offset: 'a' }, 'x_offset must be number'],
  ])('to sign %j has the message of the validator', async (transform, message) => {
    const { status, body } = await world.ask('POST', `/object/sign/${open}/red.png`, {
      body: { expiresIn: 60, transform },
    })
    expect(status).toBe(400)
    expect(body.message).toMatch(new RegExp(`^body/transform[ /]${message}$`))
  })

  const UNSUPPORTED = 'The source image is invalid or unsupported for rendering'

  it.each([
    ['a text', Buffer.from('no picture'), UNSUPPORTED],
    ['an empty object', Buffer.alloc(0), UNSUPPORTED],
    [
      'a picture of too many pixels',
      Buffer.from(HUGE),
      'The source image resolution is too large to process',
    ],
    ['half a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), UNSUPPORTED],
    [
      'a container of no known brand',
      Buffer.from('00000010667479706d69663100000000', 'hex'),
      UNSUPPORTED,
    ],
  ])('for %s has status 400', async (_name, bytes, message) => {
    await upload(open, 'notes.png', bytes)
    const answer = await show(`/public/${open}/notes.png?width=10`)
    expect({ status: answer.status, body: JSON.parse(answer.bytes.toString()) }).toMatchObject({
      status: 400,
      body: { statusCode: '400', error: 'InvalidRequest', message },
    })
  })

  it('hides private objects from the public route', async () => {
    const { status, bytes } = await show(`/public/${closed}/red.png?width=10`)
    expect({ status, ...JSON.parse(bytes.toString()) }).toMatchObject({
      status: 400,
      error: 'Bucket not found',
    })
  })

  it('requires a bearer on the authenticated route', async () => {
    const { bytes } = await show(`/authenticated/${closed}/red.png`)
    expect(JSON.parse(bytes.toString()).message).toContain('authorization')
  })
})

describe('a picture', () => {
  it('supports conditions, ranges and download names like other files', async () => {
    const whole = await inOpen('?width=50&download=small.png')
    const etag = whole.headers.get('etag') ?? ''
    const same = await inOpen('?width=50', { 'if-none-match': etag })
    const part = await inOpen('?width=50', { range: 'bytes=1-3' })
    expect({
      disposition: whole.headers.get('content-disposition'),
      robots: whole.headers.get('x-robots-tag'),
      same: same.status,
      part: [part.status, part.bytes.toString()],
    }).toEqual({
      disposition: "attachment; filename=small.png; filename*=UTF-8''small.png",
      robots: 'none',
      same: 304,
      part: [206, 'PNG'],
    })
  })

  it('shows the new content directly after an upsert', async () => {
    await upload(open, 'logo.png', await flat(20, 20, '#ff0000'))
    const before = await show(`/public/${open}/logo.png?width=10`)
    await upload(open, 'logo.png', await flat(20, 20, '#0000ff'))
    const after = await show(`/public/${open}/logo.png?width=10`)
    const colour = async ({ bytes }: Shown) => [
      ...(await sharp(bytes).raw().toBuffer()).slice(0, 3),
    ]
    expect([await colour(before), await colour(after)]).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ])
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  it('can be downloaded from a private bucket with the client', async () => {
    const { data, error } = await world
      .client('user')
      .from(closed)
      .download('red.png', { transform: { width: 30, height: 30, format: 'origin' } })
    expect(error).toBeNull()
    const bytes = Buffer.from((await data?.arrayBuffer()) ?? new ArrayBuffer())
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 30, height: 30, format: 'png' })
  })

  it('is available at the public address that the client builds', async () => {
    const { publicUrl } = world
      .client('anon')
      .from(open)
      .getPublicUrl('red.png', { transform: { width: 40, resize: 'contain', quality: 60 } }).data
    const response = await fetch(publicUrl)
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
      width: 40,
    })
  })

  it('is the same for simultaneous requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => inOpen('?width=77&format=webp')),
    )
    expect(new Set(answers.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1)
  })
})

describe('a signed picture', () => {
  const sign = async (transform?: { width: number; format?: 'origin' }) => {
    const { data, error } = await world
      .client('user')
      .from(closed)
      .createSignedUrl('red.png', 60, transform === undefined ? {} : { transform })
    if (error !== null) throw error
    return data.signedUrl
  }

  it('is transformed as its token says, and ignores the query', async () => {
    const url = await sign({ width: 60 })
    const response = await fetch(`${url}&width=10&quality=3`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([url.includes('/render/image/sign/'), response.status]).toEqual([true, 200])
    expect(response.headers.get('expires')).not.toBeNull()
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 60 })
  })

  it('has its original size when the token contains no transformation', async () => {
    const url = (await sign()).replace('/object/sign/', '/render/image/sign/')
    const response = await fetch(url)
    expect(await sharp(Buffer.from(await response.arrayBuffer())).metadata()).toMatchObject({
      width: 300,
    })
  })

  it('is refused when its token has expired', async () => {
    const url = await sign({ width: 60 })
    await world.advance(60)
    const response = await fetch(url)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'InvalidJWT' }])
  })

  it('needs a token', async () => {
    const { bytes } = await show(`/sign/${closed}/red.png?width=10`)
    expect(JSON.parse(bytes.toString()).message).toBe(
      "querystring must have required property 'token'",
    )
  })
})
