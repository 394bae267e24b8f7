// Signatures compared with the examples that AWS publishes with the specification of Signature Version 4.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  chunkSignatures,
  signRequest,
} from '../../../../emulator/services/storage/s3/signing/sigv4.ts'

const SECRET = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const S3_SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const NOTHING = createHash('sha256').update('').digest('hex')
const s3 = { scope: '20130524/us-east-1/s3/aws4_request', timestamp: '20130524T000000Z' }

describe('the signature of a request', () => {
  it('equals the signature in AWS’s simplest example', () => {
    const headers = new Headers({
      host: 'example.amazonaws.com',
      'x-amz-date': '20150830T123600Z',
    })
    const signature = signRequest(
      { method: 'GET', path: '/', query: '', headers },
      {
        scope: '20150830/us-east-1/service/aws4_request',
        signedHeaders: ['host', 'x-amz-date'],
        timestamp: '20150830T123600Z',
        payload: NOTHING,
      },
      SECRET,
    )
    expect(signature).toBe('5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31')
  })

  it('equals the signature in AWS’s example of a GET with a range', () => {
    const headers = new Headers({
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': NOTHING,
      'x-amz-date': s3.timestamp,
    })
    const signedHeaders = ['host', 'range', 'x-amz-content-sha256', 'x-amz-date']
    expect(
      signRequest(
        { method: 'GET', path: '/test.txt', query: '', headers },
        { ...s3, signedHeaders, payload: NOTHING },
        S3_SECRET,
      ),
    ).toBe('f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
  })

  it('does not depend on how a path and a query are encoded or ordered', () => {
    const sign = (path: string, query: string) =>
      signRequest(
        { method: 'GET', path, query, headers: new Headers() },
        { ...s3, signedHeaders: ['host'], payload: NOTHING },
        S3_SECRET,
      )
    expect(sign("/b/it's%20(1)", 'b=%2F&a&X-Amz-Signature=x')).toBe(
      sign('/b/it%27s%20%281%29', 'a=&b=/'),
    )
  })
})

describe('the signature of a chunk', () => {
  it('equals the signature in AWS’s example', () => {
    const chunkHash = createHash('sha256').update('a'.repeat(65_536)).digest('hex')
    const signature = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
    const signatures = chunkSignatures({ ...s3, signature }, S3_SECRET)
    expect(signatures.chunk(signatures.seed, chunkHash)).toBe(
      'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    )
  })
})
