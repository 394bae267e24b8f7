import { describe, expect, it } from 'vitest'
import { wantedFormat } from '../../../../emulator/services/storage/image/picture-format.ts'
import {
  readTransformationClaim,
  transformationClaim,
  transformationHeader,
} from '../../../../emulator/services/storage/image/transformation.ts'

describe('a transformation', () => {
  it('is unchanged after it is written to a claim and read back', () => {
    const written = { width: 100, height: 80, resize: 'cover', quality: 80 } as const
    expect(transformationClaim(written)).toBe('width:100,height:80,resize:cover,quality:80')
    expect(readTransformationClaim(transformationClaim(written), 'webp')).toEqual({
      ...written,
      format: 'webp',
    })
  })

  it.each([undefined, '', 'nonsense', 'width:-3', 7])('is empty for the claim %j', (claim) => {
    expect(readTransformationClaim(claim, undefined)).toEqual({})
  })

  it('has no size when the request names no size', () => {
    expect(transformationHeader({ format: 'origin', width: 0 })).toBe('')
  })
})

describe('the header Accept', () => {
  it.each([
    [null, 'source'],
    ['*/*', 'source'],
    ['image/*', 'source'],
    ['text/html, IMAGE/WEBP;q=0.8', 'webp'],
    ['image/avif;q=1,image/webp;q=0.000', 'avif'],
  ])('%j selects the format %s', (accept, wanted) => {
    expect(wantedFormat(undefined, accept)).toBe(wanted)
  })
})
