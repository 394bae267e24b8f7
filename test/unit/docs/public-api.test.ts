// The public API of the package. A program can name every type that it uses, and each name has a docstring. The pages and the API
// report are current, and the changelog lists each change since the release.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { apiReport, unstatedChanges, versionOf } from '../../../scripts/api-report.ts'
import { apiPages, CURRENT, RELEASED } from '../../../scripts/build-reference.ts'
import {
  type EntryProgram,
  entryPrograms,
  exportsOf,
  readPublicApi,
  unaliased,
} from '../../../scripts/public-api.ts'

/** Names of anonymous types, and of types that only the compiler needs. */
const UNNAMED = /^(__type|__object|__function|Shape|Array|ReadonlyArray)$/

/** Lists the package's own types that public types mention but no entry exports. */
function unexported({ program, entries }: EntryProgram): readonly string[] {
  const checker = program.getTypeChecker()
  const exported = new Set(entries.flatMap((entry) => [...exportsOf(program, entry).values()]))
  const missing = new Set<string>()
  const seen = new Set<ts.Symbol>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression
      const symbol = checker.getSymbolAtLocation(name)
      if (symbol !== undefined) follow(unaliased(checker, symbol))
    }
    // Skips bodies and private members, which are not part of the declaration.
    if (ts.isBlock(node) || isPrivate(node)) return
    ts.forEachChild(node, visit)
  }
  const follow = (symbol: ts.Symbol): void => {
    const declarations = symbol.declarations ?? []
    if (seen.has(symbol) || UNNAMED.test(symbol.name) || !declarations.some(isOurs)) return
    seen.add(symbol)
    if (!exported.has(symbol)) missing.add(symbol.name)
    for (const part of declarations.flatMap(publicParts)) visit(part)
  }
  for (const symbol of exported) follow(symbol)
  return [...missing].toSorted()
}

function isOurs(declaration: ts.Declaration): boolean {
  const isParameter = ts.isTypeParameterDeclaration(declaration)
  return !isParameter && !declaration.getSourceFile().fileName.includes('node_modules')
}

/** The parts of a declaration that a caller sees. */
function publicParts(declaration: ts.Declaration): readonly ts.Node[] {
  if (ts.isTypeAliasDeclaration(declaration)) return [declaration.type]
  if (ts.isFunctionDeclaration(declaration))
    return [...declaration.parameters, ...(declaration.type ? [declaration.type] : [])]
  if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
    return [...declaration.members, ...(declaration.heritageClauses ?? [])]
  return []
}

function isPrivate(node: ts.Node): boolean {
  return ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name)
}

const read = (path: string): string => readFileSync(path, 'utf8')
const { version } = JSON.parse(read('package.json'))

const programs = entryPrograms()
const api = readPublicApi(programs)

describe('the public names', () => {
  it('include every type that the declarations mention', () => {
    expect(programs.flatMap(unexported)).toEqual([])
  })

  it('each have a docstring', () => {
    const bare = api.filter(({ doc }) => doc.text === '')
    expect(bare.map(({ entry, name }) => `${entry} ${name}`)).toEqual([])
  })
})

describe.each(Object.entries(apiPages(api)))('%s', (path, text) => {
  it('is up to date; `npm run docs` writes it', () => {
    expect(read(path)).toBe(text)
  })
})

describe('the API report', () => {
  it('is up to date; `npm run docs` writes it', () => {
    expect(read(CURRENT)).toBe(apiReport(version, api))
  })

  it('has the version of package.json for the last release; `npm run docs` writes it', () => {
    expect(versionOf(read(RELEASED))).toBe(version)
  })

  it('differs from the last release only in names that the section [Unreleased] of the changelog writes as `code`', () => {
    expect(unstatedChanges(read(RELEASED), read(CURRENT), read('CHANGELOG.md'))).toEqual([])
  })
})

describe('unstatedChanges', () => {
  const released = [
    '# Public declarations of tenantry 1.0.0',
    'tenantry | Config | type Config = {…}',
    'tenantry | Config.port | port?: number',
    'tenantry | Failure | class Failure extends Error',
    'tenantry | Failure.constructor | constructor(message: string)',
  ].join('\n')
  const changelog = (text: string): string =>
    `# Changelog\n\n## [Unreleased]\n\n${text}\n\n## [1.0.0]\n\n- \`host\` and \`port\` are new.\n`
  const withHost = `${released}\ntenantry | Config.host | host?: string`

  it('finds nothing in equal reports', () => {
    expect(unstatedChanges(released, released, changelog(''))).toEqual([])
  })

  it('finds a new member that is named only in the notes of an earlier release', () => {
    expect(unstatedChanges(released, withHost, changelog('- A host.'))).toEqual(['Config.host'])
  })

  it('accepts a new member that the notes of the next release name as code', () => {
    const notes = changelog('- `createEmulator({ host })` sets the address.')
    expect(unstatedChanges(released, withHost, notes)).toEqual([])
  })

  it('finds a removed member and a changed type', () => {
    const other = released.replace('port?: number', 'port?: string')
    expect(unstatedChanges(withHost, other, changelog(''))).toEqual(['Config.host', 'Config.port'])
  })

  it('names the class whose constructor changed', () => {
    const other = released.replace('message: string', 'message?: string')
    expect(unstatedChanges(released, other, changelog(''))).toEqual(['Failure.constructor'])
    expect(unstatedChanges(released, other, changelog('- `Failure` needs no text.'))).toEqual([])
  })
})
