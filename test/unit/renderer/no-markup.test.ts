// User content never becomes markup, because no code of the inspector writes HTML.
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const WRITES_MARKUP =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|createContextualFragment/

it.each(globSync('renderer/**/*.{ts,tsx,html}'))('%s writes no HTML', (path) => {
  expect(readFileSync(path, 'utf8')).not.toMatch(WRITES_MARKUP)
})
