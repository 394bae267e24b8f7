// The pages for users: each guide states when to use it, stays short, and links to headings that exist.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const MOST_WORDS = 1_600
const read = (page: string): string => readFileSync(page, 'utf8')
const GUIDES = globSync('docs/guide/*.md').map((page) => page.replaceAll('\\', '/'))
const PAGES = ['README.md', ...globSync('docs/**/*.md').map((page) => page.replaceAll('\\', '/'))]

/** Returns the anchors of a page: those of its HTML, and those that GitHub makes of its headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = read(page)
  const written = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
  return new Set([...written, ...headings])
}

describe('README.md', () => {
  it('has at most 150 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150)
  })
})

describe.each(GUIDES)('%s', (page) => {
  it('opens with a sentence about when to use it', () => {
    const opening = read(page)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('<!--'))
    expect(opening[1]).toMatch(/^Use this when /)
  })

  it(`has at most ${MOST_WORDS} words`, () => {
    expect(read(page).split(/\s+/).length).toBeLessThanOrEqual(MOST_WORDS)
  })
})

describe('links between pages', () => {
  it('name anchors and headings that exist', () => {
    const broken = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([\w-]+)\)/g)]
        .map(([link, path = '', anchor = '']) => {
          const target = path === '' ? page : normalize(join(dirname(page), path))
          return { page, link, target: target.replaceAll('\\', '/'), anchor }
        })
        .filter(({ target, anchor }) => target.endsWith('.md') && !anchorsOf(target).has(anchor))
        .map(({ link }) => `${page}: ${link}`),
    )
    expect(broken).toEqual([])
  })
})
