// Every code block of the README, of docs/guide and of two other pages runs in the order of its page. It prints what the page
// says.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { blocksOf, matches, runPage, startsEmulators } from '../support/guide-page.ts'

const PAGES = [
  'README.md',
  'docs/troubleshooting.md',
  'docs/reference/client-library.md',
  ...readdirSync('docs/guide').map((name) => `docs/guide/${name}`),
].filter((page) => existsSync(page))

describe.each(PAGES)('%s', (page) => {
  it('has code blocks that run and print the output that the page shows', async () => {
    const text = readFileSync(page, 'utf8')
    const blocks = blocksOf(text)
    if (blocks.length === 0) return
    const { exitCode, lastLine, outputs, stderr } = await runPage(blocks, startsEmulators(text))
    expect({ exitCode, lastLine, stderr: exitCode === 0 ? '' : stderr }).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    for (const { line, printed, expected } of outputs)
      if (expected !== undefined)
        expect(
          matches(printed, expected) ? 'as shown' : printed,
          `${page}:${line} should print\n${expected}`,
        ).toBe('as shown')
  })
})
