// Fuzzes S3 requests: any query, headers and XML, with the signatures of common clients or wrong ones.
import fc from 'fast-check'
import { askS3, type S3Credentials } from '../../support/s3-client.ts'
import { S3_EXAMPLES, type S3Case } from '../examples/s3.ts'
import type { FuzzWorld } from '../fuzz-world.ts'
import { type FuzzSession, type FuzzTarget, requireNoTrace, requireThat } from '../target.ts'

const crumb = fc.constantFrom(
  ...['', '0', '1', '-1', '10001', '1e3', '9'.repeat(30), 'a', 'a/b', '/', '%00', '..', 'é', 'url'],
  ...['bytes=0-0', 'bytes=-5', 'bytes=9-2', 'bytes=0-1,3-4', '/$bucket/first', '$bucket/first'],
  ...[
    '/$bucket/first?versionId=null',
    '*',
    '"x"',
    'REPLACE',
    'COPY',
    'CRC32',
    'SHA256',
    'AAAAAA==',
  ],
  ...['Thu, 01 Jan 1970 00:00:00 GMT', '2030-01-01', 'text/html', 'aws-chunked', 'gzip', '$upload'],
)
const QUERIES = [
  ...[
    'list-type',
    'prefix',
    'delimiter',
    'marker',
    'max-keys',
    'continuation-token',
    'start-after',
  ],
  ...['uploads', 'uploadId', 'partNumber', 'delete', 'acl', 'tagging', 'versioning', 'location'],
  ...['encoding-type', 'fetch-owner', 'key-marker', 'upload-id-marker', 'part-number-marker'],
  ...['max-parts', 'max-uploads', 'response-content-type', 'response-content-disposition', 'cors'],
  ...['retention', 'legal-hold', 'versions', 'policy', 'torrent', 'attributes', 'X-Amz-Expires'],
]
const HEADERS = [
  ...['range', 'content-md5', 'x-amz-copy-source', 'x-amz-copy-source-range', 'x-amz-meta-a'],
  ...['x-amz-metadata-directive', 'if-match', 'if-none-match', 'if-modified-since', 'content-type'],
  ...['if-unmodified-since', 'x-amz-checksum-crc32', 'x-amz-checksum-sha256', 'x-amz-trailer'],
  ...['x-amz-sdk-checksum-algorithm', 'x-amz-acl', 'x-amz-tagging', 'content-encoding', 'expires'],
  ...['x-amz-decoded-content-length', 'cache-control', 'x-amz-copy-source-if-match', 'x-amz-mfa'],
]
const xmlPiece = fc.constantFrom(
  ...[
    '<Delete>',
    '</Delete>',
    '<Object>',
    '</Object>',
    '<Key>',
    '</Key>',
    'first',
    '<Quiet>true</Quiet>',
  ],
  ...[
    '<CompleteMultipartUpload>',
    '<Part>',
    '<PartNumber>1</PartNumber>',
    '<ETag>"x"</ETag>',
    '</Part>',
  ],
  ...[
    '</CompleteMultipartUpload>',
    '<?xml version="1.0"?>',
    '<!DOCTYPE a [<!ENTITY b "c">]>',
    '&b;',
  ],
  ...['&#0;', '&#x110000;', '<![CDATA[', ']]>', '<!--', '-->', '<a/>', ' xmlns="x"', '<', '&amp;'],
)
const xml = fc.oneof(
  fc.array(xmlPiece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc
    .tuple(fc.constantFrom('Delete', 'CompleteMultipartUpload'), fc.array(xmlPiece))
    .map(([root, pieces]) => `<${root}>${pieces.join('')}</${root}>`),
  fc.tuple(xmlPiece, fc.nat(2_000)).map(([piece, times]) => `<Delete>${piece.repeat(times)}`),
)
const path = fc.oneof(
  fc.constantFrom(
    ...['', '$bucket', '$bucket', '$bucket/first', '$bucket/first', '$bucket/a b', '$bucket/%00'],
    ...[
      '$bucket/a/b/c',
      '$bucket/..',
      '$bucket/é',
      'proj_canary_x',
      'proj_target_new',
      'no bucket',
    ],
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 20 }).map((key) => `$bucket/${key}`),
)

export const s3: FuzzTarget<S3Case> = {
  name: 's3',
  cases: fc.record({
    method: fc.constantFrom('GET', 'GET', 'PUT', 'PUT', 'POST', 'DELETE', 'HEAD', 'PATCH'),
    path,
    query: fc.dictionary(fc.constantFrom(...QUERIES), crumb, { maxKeys: 3, noNullPrototype: true }),
    headers: fc.dictionary(fc.constantFrom(...HEADERS), crumb, {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    body: fc.oneof(xml, fc.string({ maxLength: 40 }), fc.constant('x'.repeat(70_000))),
    signed: fc.constantFrom(
      ...(['plain', 'plain', 'plain', 'chunked', 'unsigned payload'] as const),
      ...(['wrong secret', 'wrong hash'] as const),
    ),
  }),
  examples: S3_EXAMPLES,
  open: openS3,
}

async function openS3({ at }: FuzzWorld): Promise<FuzzSession<S3Case>> {
  const minted = await at.call('POST', '/_emulator/v1/projects/target/s3-keys')
  const keys: S3Credentials = minted.body
  const bucket = 'proj_target_fuzz'
  await askS3(keys, 'PUT', `/${bucket}`)
  const restore = async (): Promise<string> => {
    await askS3(keys, 'PUT', `/${bucket}`)
    const listed = await askS3(keys, 'GET', `/${bucket}`)
    const names = [...listed.text.matchAll(/<Key>[^<]*<\/Key>/g)].map(([key]) => key)
    const body = `<Delete>${names.map((key) => `<Object>${key}</Object>`).join('')}</Delete>`
    await askS3(keys, 'POST', `/${bucket}`, { query: { delete: '' }, body })
    await askS3(keys, 'PUT', `/${bucket}/first`, { body: 'the first object' })
    const begun = await askS3(keys, 'POST', `/${bucket}/parts`, { query: { uploads: '' } })
    return /<UploadId>([^<]*)/.exec(begun.text)?.[1] ?? ''
  }
  let upload = await restore()
  const filled = (text: string): string =>
    text.replaceAll('$bucket', bucket).replaceAll('$upload', upload)
  const filledAll = (all: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        Buffer.from(filled(value)).toString('latin1'),
      ]),
    )
  return {
    attempt: async ({ method, path: asked, query, headers, body, signed }) => {
      const credentials = signed === 'wrong secret' ? { ...keys, secret_access_key: 'x' } : keys
      const { status, text } = await askS3(credentials, method, `/${filled(asked)}`, {
        query: Object.fromEntries(
          Object.entries(query).map(([name, value]) => [name, filled(value)]),
        ),
        headers: filledAll(headers),
        body: filled(body),
        ...(signed === 'chunked' ? { chunkBytes: 16_384 } : {}),
        ...(signed === 'unsigned payload' ? { payload: 'UNSIGNED-PAYLOAD' } : {}),
        ...(signed === 'wrong hash' ? { payload: 'ab'.repeat(32) } : {}),
      })
      const code = codeOf(text)
      requireNoTrace(text, body)
      // Status 501 is allowed for operations that the service does not implement.
      requireThat(status < 500 || status === 501, `answered ${status} ${text}`)
      const isBare = method === 'HEAD' || status < 400 || text === ''
      requireThat(isBare || code !== '', `an error without a code: ${status} ${text}`)
      return `${status} ${code}`
    },
    tidy: async () => {
      upload = await restore()
    },
  }
}

// Returns the error code from S3's XML, or from the storage service's JSON when no S3 operation has the method.
function codeOf(text: string): string {
  return /<Code>([^<]*)<\/Code>|"code":"([^"]*)"/.exec(text)?.slice(1).find(Boolean) ?? ''
}
