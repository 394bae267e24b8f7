// References in comments and pages are valid: anchors of the wire contract, and files that CONTRIBUTING lists.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../emulator/insight/faults/operations/find-operation.ts'

const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((name) => /\.(ts|tsx|sql|mjs|md|yml)$/.test(name) && existsSync(name))
const TEXTS = FILES.map((name) => ({ name, text: readFileSync(name, 'utf8') }))

const ANCHORS = new Set(
  readdirSync('docs/wire').flatMap((page) => {
    const path = `docs/wire/${page}`
    const anchors = [...readFileSync(path, 'utf8').matchAll(/<a id="([^"]+)">/g)]
    return [path, ...anchors.map(([, anchor]) => `${path}#${anchor}`)]
  }),
)

const CITED = /docs\/wire\/[\w-]+\.md(?:#[\w-]+)?/g
const MISSING_DOCUMENTS =
  /(?<![\w/.-])(?:contract\.md|storage-contract|realtime-contract|role-confinement\.md|pglite\.md|inspector-ui\.md)|\bseed: "|\bthe seed's (?:table|")|\bof the seed'|\(issue(?:: ["t]| ")/

describe('citations', () => {
  it('name pages and anchors of docs/wire that exist', () => {
    const cited = TEXTS.flatMap(({ name, text }) =>
      [...text.matchAll(CITED)].map(([target]) => ({ name, target })),
    )
    expect(cited.length).toBeGreaterThan(300)
    expect(cited.filter(({ target }) => !ANCHORS.has(target))).toEqual([])
  })

  it('do not name documents that were removed from the repository', () => {
    const self = 'test/unit/docs/citations.test.ts'
    const found = TEXTS.filter(({ name, text }) => name !== self && MISSING_DOCUMENTS.test(text))
    expect(found.map(({ name }) => name)).toEqual([])
  })

  it('name source files that exist', () => {
    const sources = FILES.filter((name) => /\.tsx?$/.test(name)).map((name) => `/${name}`)
    const cited = TEXTS.filter(({ name }) => /\.tsx?$/.test(name)).flatMap(({ name, text }) =>
      [...text.matchAll(/^\s*(?:\/\/|\/?\*).*$/gm)].flatMap(([line]) =>
        (line.match(/(?<![\w./<>*-])\w[\w./-]*\.tsx?\b/g) ?? []).map((path) => ({ name, path })),
      ),
    )
    expect(cited.length).toBeGreaterThan(100)
    const isHere = (path: string) => sources.some((source) => source.endsWith(`/${path}`))
    expect(cited.filter(({ path }) => !isHere(path))).toEqual([])
  })

  it('link to pages that exist', () => {
    const broken = TEXTS.filter(({ name }) => name.endsWith('.md')).flatMap(({ name, text }) =>
      [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)(#[\w-]+)?\)/g)]
        .map(([, path = '']) => ({ name, path: normalize(join(dirname(name), path)) }))
        .filter(({ path }) => !existsSync(path)),
    )
    expect(broken).toEqual([])
  })
})

const RULES = ['platform', 'credentials', 'data-plane', 'auth', 'storage', 'realtime'].flatMap(
  (page) =>
    readFileSync(`docs/wire/${page}.md`, 'utf8')
      .split(/(?=<a id=")/)
      .slice(1)
      .map((text) => ({ page, anchor: /^<a id="([^"]+)"/.exec(text)?.[1], text })),
)

describe('docs/wire', () => {
  it('states the statuses and an example of every rule', () => {
    expect(RULES.length).toBeGreaterThan(80)
    // Sections with the anchor `errors` need neither statuses nor an example, because they describe statuses in general.
    const incomplete = RULES.filter(
      ({ anchor, text }) =>
        anchor !== 'errors' && !(/statuses:/i.test(text) && /^Example: /m.test(text)),
    )
    expect(incomplete.map(({ page, anchor }) => `${page}.md#${anchor}`)).toEqual([])
  })
})

describe('docs/wire/platform.md and auth.md', () => {
  const pages = { control: 'platform', auth: 'auth' } as const

  it('describe every route with its methods', () => {
    const untold = OPERATIONS.flatMap(({ service, dialect, route }) => {
      if (route === undefined || (dialect !== 'control' && dialect !== 'auth')) return []
      const path = new RegExp(`${route.path.replaceAll(/:\w+/g, ':\\w+')}(?![\\w/:-])`)
      const telling = RULES.filter(({ page, text }) => page === pages[dialect] && path.test(text))
        .map(({ text }) => text)
        .join('\n')
      return route.methods
        .filter((method) => method !== 'HEAD' && !telling.includes(method))
        .map((method) => `${service}: ${method} ${route.path}`)
    })
    expect(untold).toEqual([])
  })
})

describe('CONTRIBUTING.md', () => {
  it('lists only files that exist', () => {
    const lines = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^- (`.+`) – /gm)]
    const listed = lines.flatMap(([, paths = '']) => paths.match(/[\w./-]+/g) ?? [])
    expect(listed.length).toBeGreaterThan(50)
    expect(listed.filter((path) => !existsSync(path))).toEqual([])
  })
})
