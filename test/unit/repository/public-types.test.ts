// A program that uses the library can name every type that it meets: what the public types mention is exported, too.
import ts from 'typescript'
import { expect, it } from 'vitest'

const ENTRY = 'emulator/index.ts'
/** Types without a name of ours, or that only the compiler needs. */
const UNNAMED = /^(__type|__object|__function|Shape|Array|ReadonlyArray)$/

function unexported(entry: string): readonly string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.emulator.json',
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => {},
    },
  )
  const program = ts.createProgram([entry], { ...config?.options, noEmit: true })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${entry} exports nothing`)
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const exported = new Set(checker.getExportsOfModule(module).map(resolved))
  const missing = new Set<string>()
  const seen = new Set<ts.Symbol>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression
      const symbol = checker.getSymbolAtLocation(name)
      if (symbol !== undefined) follow(resolved(symbol))
    }
    // Bodies and private members are not a part of the declaration.
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

/** What a caller sees of a declaration. */
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

it('are exported as far as the public types mention them', () => {
  expect(unexported(ENTRY)).toEqual([])
}, 60_000)
