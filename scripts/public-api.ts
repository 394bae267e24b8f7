// Reads the public API of the package's entries: each exported name with its declaration, members and docstrings. The reference
// pages and the API report (api-report.ts) are made of it.
import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { packageFile } from '../emulator/core/package-files.ts'

/** Text of a docstring with its tags. */
export interface Docstring {
  readonly text: string
  /** Name and meaning of each `@param`. */
  readonly params: readonly (readonly [name: string, text: string])[]
  readonly throws: readonly string[]
}

export interface PublicMember {
  /** Names from the declaration down, such as `developer.email`. */
  readonly path: string
  /** Such as `readonly email?: string`. A nested object type is shortened to `{…}`; its members follow in the list. */
  readonly declaration: string
  readonly doc: Docstring
}

export interface PublicName {
  /** Such as `tenantry/vitest`. */
  readonly entry: string
  readonly name: string
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'value'
  /** The declaration without its members, such as `interface Emulator extends TestHelpers`. */
  readonly declaration: string
  readonly doc: Docstring
  readonly members: readonly PublicMember[]
  /** Path of the file with the declaration, from the package's root. */
  readonly file: string
}

/** An entry of package.json with its source file and the settings of its compiler. */
export interface Entry {
  readonly name: string
  readonly source: string
  readonly config: string
}

/** A compiler program of all entries with the same configuration, and these entries. */
export interface EntryProgram {
  readonly program: ts.Program
  readonly entries: readonly Entry[]
}

const PACKAGE: {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>
} = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))

/** The entries of package.json that have declarations. */
export const ENTRIES: readonly Entry[] = Object.entries(PACKAGE.exports).flatMap(
  ([path, target]): readonly Entry[] => {
    if (typeof target === 'string') return []
    const source = target.types.replace('./dist/types/', '').replace(/\.d\.ts$/, '.ts')
    const config = `tsconfig.${source.split('/')[0]}.json`
    return [{ name: path.replace('.', PACKAGE.name), source, config }]
  },
)

/** Compiles the entries, one program for each configuration. Takes seconds. */
export function entryPrograms(): readonly EntryProgram[] {
  const configs = [...new Set(ENTRIES.map(({ config }) => config))]
  return configs.map((config) => {
    const entries = ENTRIES.filter((entry) => entry.config === config)
    const { config: json } = ts.readConfigFile(packageFile(config), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(json, ts.sys, packageFile())
    const files = entries.map(({ source }) => packageFile(source))
    return { program: ts.createProgram(files, { ...options, noEmit: true }), entries }
  })
}

/** Reads the exported names of all entries, in the order of the entries and then of the alphabet. */
export function readPublicApi(programs: readonly EntryProgram[]): readonly PublicName[] {
  return programs.flatMap(({ program, entries }) => {
    const reader = new ApiReader(program)
    return entries.flatMap((entry) => reader.read(entry))
  })
}

/** The symbols that an entry exports, by the exported name. */
export function exportsOf(program: ts.Program, { source }: Entry): ReadonlyMap<string, ts.Symbol> {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(packageFile(source))
  const module = file && checker.getSymbolAtLocation(file)
  if (module === undefined) throw new Error(`${source} exports nothing`)
  const exported = checker.getExportsOfModule(module)
  return new Map(exported.map((symbol) => [symbol.name, unaliased(checker, symbol)]))
}

/** Returns what an import or a re-export refers to. */
export function unaliased(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
}

/** Returns the docstring of a symbol, or else the description of the schema from which the symbol was made. */
export function docstringOf(checker: ts.TypeChecker, symbol: ts.Symbol): Docstring {
  const written = ts.displayPartsToString(symbol.getDocumentationComment(checker))
  const [declaration] = symbol.declarations ?? []
  const text = written === '' && declaration ? schemaDescription(declaration) : written
  const tags = symbol.getJsDocTags(checker)
  const named = (name: string) =>
    tags.filter((tag) => tag.name === name).map((tag) => oneLine(ts.displayPartsToString(tag.text)))
  return {
    text: oneLine(text),
    params: named('param').map((param) => {
      const [name = '', ...words] = param.split(' ')
      return [name, words.join(' ')]
    }),
    throws: named('throws'),
  }
}

/** Finds `.describe('…')` in the chain of calls that makes a schema. */
function schemaDescription(declaration: ts.Declaration): string {
  const assigned =
    ts.isPropertyAssignment(declaration) || ts.isVariableDeclaration(declaration)
      ? declaration.initializer
      : undefined
  for (let node: ts.Node | undefined = assigned; node && ts.isCallExpression(node); ) {
    const callee: ts.Expression = node.expression
    if (!ts.isPropertyAccessExpression(callee)) return ''
    const [argument] = node.arguments
    if (callee.name.text === 'describe' && argument && ts.isStringLiteralLike(argument))
      return argument.text
    node = callee.expression
  }
  return ''
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const TYPE_FLAGS =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope

/** The compiler orders the parts of a union by their first occurrence, which differs between runs with different files. */
const sortUnions: ts.TransformerFactory<ts.Node> = (context) => {
  const visit = (node: ts.Node): ts.Node => {
    const visited = ts.visitEachChild(node, visit, context)
    if (!ts.isUnionTypeNode(visited)) return visited
    const parts = visited.types.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
    return ts.factory.updateUnionTypeNode(visited, ts.factory.createNodeArray(parts))
  }
  return visit
}

/** Returns the key by which a part of a union is sorted: its text. `null` and `undefined` come last. */
function sortKey(node: ts.TypeNode): string {
  const text = PRINTER.printNode(ts.EmitHint.Unspecified, node, NO_FILE)
  return /^(null|undefined)$/.test(text) ? `~${text}` : text
}

const PRINTER = ts.createPrinter({ removeComments: true })
const NO_FILE = ts.createSourceFile('none.ts', '', ts.ScriptTarget.Latest)

class ApiReader {
  readonly #checker: ts.TypeChecker
  readonly #program: ts.Program

  constructor(program: ts.Program) {
    this.#program = program
    this.#checker = program.getTypeChecker()
  }

  read(entry: Entry): readonly PublicName[] {
    const exported = [...exportsOf(this.#program, entry)]
    return exported
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, symbol]) => this.#publicName(entry.name, name, symbol))
  }

  #publicName(entry: string, name: string, symbol: ts.Symbol): PublicName {
    const declaration = symbol.declarations?.find((one) => !ts.isVariableDeclaration(one))
    const node = declaration ?? symbol.declarations?.[0]
    if (node === undefined) throw new Error(`${name} has no declaration`)
    const file = node.getSourceFile().fileName.slice(packageFile().length + 1)
    if (name !== symbol.name) {
      const alias = `type ${name} = ${symbol.name}`
      const earlier = { ...NO_DOC, text: `Earlier name of \`${symbol.name}\`.` }
      return { entry, name, kind: 'type', declaration: alias, doc: earlier, members: [], file }
    }
    return { entry, name, doc: this.#docOf(symbol), file, ...this.#shapeOf(name, symbol, node) }
  }

  /** Returns the docstring of a name. A type that is made from a schema has the schema's description. */
  #docOf(symbol: ts.Symbol): Docstring {
    const doc = docstringOf(this.#checker, symbol)
    const schema = symbol.declarations?.find(ts.isVariableDeclaration)
    return doc.text === '' && schema ? { ...doc, text: oneLine(schemaDescription(schema)) } : doc
  }

  #shapeOf(
    name: string,
    symbol: ts.Symbol,
    node: ts.Declaration,
  ): Pick<PublicName, 'kind' | 'declaration' | 'members'> {
    if (ts.isFunctionDeclaration(node))
      return {
        kind: 'function',
        declaration: `function ${name}${this.#signatureOf(node)}`,
        members: [],
      }
    if (ts.isInterfaceDeclaration(node))
      return {
        kind: 'interface',
        declaration: `interface ${this.#headOf(node)}`,
        members: node.members.flatMap((member) => this.#members(member, node, '')),
      }
    if (ts.isClassDeclaration(node))
      return {
        kind: 'class',
        declaration: `${this.#isAbstract(node) ? 'abstract ' : ''}class ${this.#headOf(node)}`,
        members: node.members.flatMap((member) => this.#classMember(member)),
      }
    if (ts.isTypeAliasDeclaration(node)) return this.#aliasShape(node)
    const declared = ts.isVariableDeclaration(node) ? node.type : undefined
    return {
      kind: 'value',
      declaration: `const ${name}: ${this.#typeText(symbol, declared, node)}`,
      members: [],
    }
  }

  #aliasShape(node: ts.TypeAliasDeclaration): Pick<PublicName, 'kind' | 'declaration' | 'members'> {
    const type = this.#checker.getTypeAtLocation(node.name)
    const isMade = /\bz\.|\btypeof\b/.test(node.type.getText())
    const written = isMade ? this.#typeNode(type, node) : node.type
    const literal = ts.isTypeLiteralNode(written) ? written : undefined
    const head = `type ${this.#headOf(node)}`
    const text = literal ? '{…}' : this.#text(written, node)
    const members =
      literal?.members.flatMap((member) => this.#members(member, node, '', type)) ?? []
    return { kind: 'type', declaration: `${head} = ${text}`, members }
  }

  #headOf(node: ts.InterfaceDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration): string {
    const parameters = node.typeParameters?.map((one) => this.#text(one, node)).join(', ')
    const clauses = ts.isTypeAliasDeclaration(node) ? [] : (node.heritageClauses ?? [])
    const name = `${node.name?.text}${parameters === undefined ? '' : `<${parameters}>`}`
    return [name, ...clauses.map((clause) => this.#text(clause, node))].join(' ')
  }

  /**
   * Returns a member, and the members of the object types inside it. `type` is the owner of the member, if a schema made the
   * owner.
   */
  #members(
    member: ts.TypeElement,
    at: ts.Declaration,
    prefix: string,
    type?: ts.Type,
  ): readonly PublicMember[] {
    const symbol = type
      ? type.getProperty(nameOf(member, at))
      : this.#checker.getSymbolAtLocation(member.name ?? member)
    const path = `${prefix}${nameOf(member, at)}`
    const literals = literalsIn(member)
    const text = literals.reduce(
      (whole, literal) => whole.replace(this.#text(literal, at), '{…}'),
      this.#text(member, at).replace(/;$/, ''),
    )
    const doc = symbol ? docstringOf(this.#checker, symbol) : NO_DOC
    const inner = literals.flatMap((literal) =>
      literal.members.flatMap((one) =>
        this.#members(one, at, `${path}.`, innerType(this.#checker, symbol)),
      ),
    )
    return [{ path, declaration: text, doc }, ...inner]
  }

  #classMember(member: ts.ClassElement): readonly PublicMember[] {
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
    if (ts.getCombinedModifierFlags(member) & hidden) return []
    if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return []
    if (ts.isConstructorDeclaration(member)) {
      const declaration = `constructor${this.#signatureOf(member).replace(/: \w+$/, '')}`
      return [{ path: 'constructor', declaration, doc: NO_DOC }]
    }
    const symbol = member.name && this.#checker.getSymbolAtLocation(member.name)
    if (symbol === undefined) return []
    const isReadonly = ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Readonly
    const declared = ts.isPropertyDeclaration(member) ? member.type : undefined
    const text = ts.isMethodDeclaration(member)
      ? `${symbol.name}${this.#signatureOf(member)}`
      : `${isReadonly ? 'readonly ' : ''}${symbol.name}: ${this.#typeText(symbol, declared, member)}`
    return [{ path: symbol.name, declaration: text, doc: docstringOf(this.#checker, symbol) }]
  }

  #isAbstract(node: ts.ClassDeclaration): boolean {
    return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0
  }

  /** Parameters and result, with `?` for a parameter that has a default. */
  #signatureOf(node: ts.FunctionDeclaration | ts.ClassElement): string {
    const isCallable = ts.isFunctionLike(node)
    const signature = isCallable && this.#checker.getSignatureFromDeclaration(node)
    if (!signature) throw new Error(`${node.getText()} has no signature`)
    const kind = ts.SyntaxKind.FunctionType
    const written = this.#checker.signatureToSignatureDeclaration(signature, kind, node, TYPE_FLAGS)
    if (!written) throw new Error(`${node.getText()} cannot be written out`)
    const text = this.#text(
      ts.transform<ts.Node>(written, [sortUnions]).transformed[0] ?? written,
      node,
    )
    return text.replace(/\) => ([^=]*)$/, '): $1')
  }

  #typeText(symbol: ts.Symbol, declared: ts.TypeNode | undefined, at: ts.Node): string {
    return this.#text(declared ?? this.#typeNode(this.#checker.getTypeOfSymbol(symbol), at), at)
  }

  #typeNode(type: ts.Type, at: ts.Node): ts.TypeNode {
    const node = this.#checker.typeToTypeNode(type, at, TYPE_FLAGS)
    if (node === undefined) throw new Error(`${at.getText()} has no type`)
    const [sorted] = ts.transform<ts.Node>(node, [sortUnions]).transformed
    return sorted && ts.isTypeNode(sorted) ? sorted : node
  }

  #text(node: ts.Node, at: ts.Node): string {
    const text = PRINTER.printNode(ts.EmitHint.Unspecified, node, at.getSourceFile())
    return oneLine(text).replaceAll('z.core.util.JSONType', 'JsonValue')
  }
}

const NO_DOC: Docstring = { text: '', params: [], throws: [] }

function nameOf(member: ts.TypeElement, at: ts.Node): string {
  const { name } = member
  if (name === undefined) return '()'
  return ts.isIdentifier(name) || ts.isStringLiteral(name)
    ? name.text
    : name.getText(at.getSourceFile())
}

/** The outermost object types inside a member's type. */
function literalsIn(member: ts.TypeElement): readonly ts.TypeLiteralNode[] {
  const found: ts.TypeLiteralNode[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeLiteralNode(node)) found.push(node)
    else ts.forEachChild(node, visit)
  }
  if (ts.isPropertySignature(member) && member.type) visit(member.type)
  return found
}

/** The object type of a member, or of the items of its list. */
function innerType(checker: ts.TypeChecker, symbol: ts.Symbol | undefined): ts.Type | undefined {
  if (symbol === undefined) return undefined
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol))
  return checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type
}
