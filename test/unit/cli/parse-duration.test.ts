import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../../emulator/cli/parse-options.ts'

describe('a duration on the command line', () => {
  it.each([
    ['30d', 30 * 86_400_000],
    ['1h30m', 5_400_000],
    ['45s', 45_000],
    ['500ms', 500],
    ['1.5h', 5_400_000],
    ['-2w', -14 * 86_400_000],
  ])('%s is %d milliseconds', (text, millis) => {
    expect(parseDuration(text)).toBe(millis)
  })

  it.each(['', '30', 'd', '1x', '1h 30m', '--1h', '1h-30m'])('does not accept %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })
})
