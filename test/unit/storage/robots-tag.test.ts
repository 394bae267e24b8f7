import { describe, expect, it } from 'vitest'
import { requireRobotsTag } from '../../../emulator/services/storage/bodies/upload-body.ts'

describe('rules for robots', () => {
  it.each([
    'none',
    'NOINDEX, nofollow',
    'noindex,nofollow',
    'max-snippet:20, max-image-preview: large, max-video-preview:-1',
    'googlebot: noindex',
    'googlebot: noindex, otherbot: noarchive, all',
    'unavailable_after: 2030-01-01',
    'unavailable_after: Fri, 25 Jun 2030 15:00:00 GMT, noindex',
    'otherbot: unavailable_after: 25 Jun 2030 15:00:00 PST',
  ])('are kept unchanged: %s', (text) => {
    expect(requireRobotsTag(text)).toBe(text)
  })

  it.each([
    '',
    ',',
    'noindex,',
    'nonsense',
    'noindex nofollow',
    'max-snippet',
    'max-snippet: many',
    'a: b: noindex',
    'unavailable_after:',
    'unavailable_after: Fri, 25 Jun 2030, 15:00',
    'noindex\u00e9',
  ])('are refused: %j', (text) => {
    expect(() => requireRobotsTag(text)).toThrow(/^Invalid X-Robots-Tag header: /)
  })

  it('are parsed quickly even when there are many', () => {
    const text = 'unavailable_after: a,'.repeat(800)
    const before = performance.now()
    expect(() => requireRobotsTag(text)).toThrow()
    expect(performance.now() - before).toBeLessThan(100)
  })
})
