// The generated pages of docs/reference say what the code says.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { referencePages } from '../../../scripts/build-reference.ts'

describe.each(Object.entries(referencePages()))('docs/reference/%s', (name, text) => {
  it('is up to date; `npm run docs` writes it', () => {
    expect(readFileSync(`docs/reference/${name}`, 'utf8')).toBe(text)
  })
})
